"""A host that breaks its contract ends one call, and no other."""

import threading
import time
import unittest

from appdecl import ComponentError, Fault, Gate, HostError
from appdecl.host import Contents, Node, ProcessStatus, Subkey, Value

from paper import LINUX, RUNNING, TOKEN, WINDOWS, Paper


def broken(error):
    def answer(*_arguments):
        raise error

    return answer


def twice(bad, good):
    left = [bad, bad]
    return lambda *arguments: (left.pop() if left else good)(*arguments)


class OneBadAnswer(unittest.TestCase):
    """Each test breaks one answer, sees the call fail, mends it, and sees the same gate answer."""

    def assert_one_call_fails(self, answers, error=HostError, words="", declaration=LINUX, ask="availability"):
        good = Gate(host=Paper(), redactor=lambda secret: True)
        good.register("acme", declaration)
        host = Paper(**{name: twice(bad, getattr(Paper(), name)) for name, bad in answers.items()})
        gate = Gate(host=host, redactor=lambda secret: True)
        gate.register("acme", declaration)
        for _ in range(2):
            with self.assertRaisesRegex(error, words):
                getattr(gate, ask)("acme")
        self.assertEqual(getattr(gate, ask)("acme"), getattr(good, ask)("acme"))

    def test_an_exception_is_named_with_the_question(self):
        self.assert_one_call_fails({"stat": broken(RuntimeError("out of order"))},
                                   words="RuntimeError at `filesystem.stat`: out of order")

    def test_the_system_is_no_question_for_a_fault(self):
        self.assert_one_call_fails({"os": broken(Fault("io"))}, words="environment.os")

    def test_an_interrupt_by_the_user_comes_through(self):
        self.assert_one_call_fails({"stat": broken(KeyboardInterrupt())}, error=KeyboardInterrupt)

    def test_wrong_types_are_refused(self):
        for answers in (
            {"os": lambda: "beos"},
            {"os": lambda: 7},
            {"stat": lambda path: None},
            {"stat": lambda path: {"kind": "file", "executable": True}},
            {"stat": lambda path: Node("socket", True)},
            {"stat": lambda path: Node("file", 1)},
            {"stat": broken(Fault("gone"))},
            {"stat": broken(Fault("io", b"bytes"))},
        ):
            with self.subTest(answers=answers):
                self.assert_one_call_fails(answers)

    def test_numbers_are_never_cut_to_size(self):
        for answers in (
            {"process": lambda pid: ProcessStatus("running", -1)},
            {"process": lambda pid: ProcessStatus("running", 1 << 64)},
            {"process": lambda pid: ProcessStatus("running", 1.5)},
            {"process": lambda pid: ProcessStatus("running", True)},
            {"runtime_file": lambda path: Contents(-5, b"")},
            {"runtime_file": lambda path: Contents(2, "{}")},
        ):
            with self.subTest(answers=answers):
                self.assert_one_call_fails(answers, declaration=RUNNING, ask="endpoint")

    def test_a_registry_value_goes_with_its_tag(self):
        for value in (Value("text", 5), Value("number", "5"), Value("missing", "x"), Value("odd"), "text",
                      Value("text", "\ud800")):
            with self.subTest(value=value):
                answers = {"os": lambda: "win32", "subkeys": lambda *_: [Subkey("Acme", [value] * 4)]}
                bad = Gate(host=Paper(**answers))
                bad.register("acme", WINDOWS)
                with self.assertRaises(HostError):
                    bad.availability("acme")

    def test_too_few_values_of_a_key_do_no_harm(self):
        bad = Gate(host=Paper(os=lambda: "win32", subkeys=lambda *_: [Subkey("Acme", [])]))
        bad.register("acme", WINDOWS)
        self.assertEqual(bad.availability("acme").state, "version_too_old")

    def test_a_secret_is_not_in_the_words_about_a_broken_redactor(self):
        def redactor(secret):
            raise ValueError(f"can not take {secret}")

        gate = Gate(host=Paper(), redactor=redactor)
        gate.register("acme", RUNNING)
        with self.assertRaises(HostError) as failed:
            gate.endpoint("acme")
        self.assertNotIn(TOKEN, str(failed.exception))
        self.assertIsNone(failed.exception.__cause__)


class TooMuch(unittest.TestCase):
    def test_a_hundred_megabytes_are_too_large_and_not_copied(self):
        large = bytes(100_000_000)
        gate = Gate(host=Paper(runtime_file=lambda path: Contents(len(large), large, 1, "this-user", "this-user", 0o600)))
        gate.register("acme", RUNNING)
        self.assertEqual(gate.endpoint("acme").reason, "too-large")
        self.assertEqual(gate.availability("acme").state, "available")

    def test_a_hundred_megabytes_of_a_variable_are_too_large(self):
        gate = Gate(host=Paper(variable=lambda name: "x" * 100_000_000))
        gate.register("acme", {"app": {"linux": {"presence": "executable", "location": [{"kind": "command", "name": "a"}]}},
                               "requires": {"app": True}})
        self.assertEqual(gate.availability("acme").state, "missing_app")

    def test_a_program_file_of_a_hundred_megabytes_is_unreadable(self):
        answers = {"os": lambda: "win32", "pe": lambda *_: bytes(100_000_000)}
        gate = Gate(host=Paper(**answers))
        gate.register("acme", {"app": {"win32": {"presence": "executable", "location": "C:\\a.exe",
                                                 "version": {"kind": "pe_resource"}}},
                               "requires": {"app": True, "min_version": "1"}})
        self.assertEqual(gate.availability("acme").reason, "version-unreadable")


class NoAnswer(unittest.TestCase):
    def test_a_host_that_never_answers_ends_the_call_and_no_other(self):
        released = threading.Event()
        self.addCleanup(released.set)
        stuck = [True]

        def stat(path):
            if stuck:
                stuck.clear()
                released.wait()
            return Node("file", True)

        gate = Gate(host=Paper(stat=stat), answer_within=0.2)
        gate.register("acme", LINUX)
        begun = time.monotonic()
        with self.assertRaisesRegex(HostError, "none within 0.2 s"):
            gate.availability("acme")
        self.assertLess(time.monotonic() - begun, 5)
        self.assertEqual(gate.availability("acme").state, "available")

    def test_a_host_can_not_call_the_gate_that_asks_it(self):
        gates = []
        gate = Gate(host=Paper(stat=lambda path: gates[0].servers()))
        gates.append(gate)
        gate.register("acme", LINUX)
        with self.assertRaisesRegex(HostError, "asking it"):
            gate.availability("acme")
        self.assertEqual(gate.servers(), ["acme"])

    def test_a_fault_of_the_evaluation_offers_nothing(self):
        gate = Gate(host=Paper(stat=broken(RuntimeError("x"))))
        gate.register("acme", LINUX)
        with self.assertLogs("appdecl", "WARNING"):
            self.assertFalse(gate.server_offered("acme", True))
            self.assertFalse(gate.skill_offered(["acme"]).offered)
        self.assertEqual(gate.servers(), ["acme"])

    def test_text_that_is_none_is_refused_before_the_component(self):
        gate = Gate(host=Paper())
        with self.assertRaises((TypeError, ComponentError, UnicodeEncodeError)):
            gate.availability(None)
        with self.assertRaises((TypeError, ComponentError, UnicodeEncodeError)):
            gate.availability("\ud800")
        self.assertEqual(gate.servers(), [])


if __name__ == "__main__":
    unittest.main()
