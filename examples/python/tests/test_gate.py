"""What a harness sees of the gate."""

import copy
import json
import pickle
import threading
import unittest

from appdecl import Endpoint, EndpointUnavailable, Gate, InvalidDeclaration, Replay, shared

from paper import LINUX, RUNNING, TOKEN, Paper


class Answers(unittest.TestCase):
    def setUp(self) -> None:
        self.gate = Gate(host=Paper())

    def test_an_installed_application_is_available(self) -> None:
        self.gate.register("acme", LINUX)
        found = self.gate.availability("acme")
        self.assertEqual((found.state, found.path, found.offerable), ("available", "/opt/acme/acme", True))
        self.assertIsNone(self.gate.availability("other"))

    def test_a_refused_declaration_tells_all_its_faults_and_leaves_the_old_one(self) -> None:
        self.gate.register("acme", LINUX)
        with self.assertRaises(InvalidDeclaration) as refused:
            self.gate.register("acme", {"app": {"linux": {"presence": "x", "location": "y"}}}, label="here")
        self.assertEqual(
            [(fault.code, fault.pointer) for fault in refused.exception.diagnostics],
            [("unknown-value", "/app/linux/presence"), ("path-not-rooted", "/app/linux/location")],
        )
        self.assertTrue(str(refused.exception).startswith("here: app.linux.presence"))
        self.assertEqual(json.loads(self.gate.lookup("acme").declaration), LINUX)

    def test_the_list_of_declarations_is_kept(self) -> None:
        self.gate.register("b", LINUX, display_name="Bee")
        self.gate.register("a", json.dumps(LINUX))
        self.assertEqual(self.gate.servers(), ["a", "b"])
        self.assertEqual(self.gate.lookup("b").display_name, "Bee")
        self.assertEqual((self.gate.unregister("b"), self.gate.unregister("b")), (True, False))
        self.gate.clear()
        self.assertEqual(self.gate.servers(), [])

    def test_the_gates_decide_by_name_and_connection(self) -> None:
        self.gate.register("acme", LINUX)
        self.assertTrue(self.gate.server_offered("acme", True))
        self.assertFalse(self.gate.server_offered("acme", False))
        self.assertTrue(self.gate.skill_offered(["acme"]).offered)
        self.assertEqual(self.gate.skill_offered(["acme", "other"]).decided_by, "other")

    def test_a_check_tells_how_the_status_came_about(self) -> None:
        self.gate.register("acme", LINUX, display_name="Acme")
        check = self.gate.check("acme")
        self.assertEqual((check.status.state, check.status.retry), ("not_connected", "after_user_action"))
        self.assertEqual(check.status.app.name, "Acme")
        self.assertIn("/opt/acme/acme", json.dumps(check.trace))
        self.assertIsNone(self.gate.check("other"))
        self.assertIn("3 tools unavailable", self.gate.listing("acme", 3))

    def test_versions_compare_as_numbers(self) -> None:
        self.assertTrue(self.gate.version_at_least("5.10", "5.9"))
        self.assertFalse(self.gate.version_at_least("nightly", "0"))

    def test_a_declaration_needs_no_registration(self) -> None:
        self.assertEqual(self.gate.evaluate({"requires": {"app": False}}).state, "no_requirements")
        self.assertEqual(self.gate.diagnose(LINUX), [])
        with self.assertRaises(InvalidDeclaration):
            self.gate.evaluate("[]")

    def test_every_thread_gets_its_own_answers(self) -> None:
        for number in range(4):
            self.gate.register(f"s{number}", {"app": {"linux": {**LINUX["app"]["linux"], "location": f"/opt/{number}"}},
                                              "requires": {"app": True}})
        wrong = []

        def ask(number: int) -> None:
            for _ in range(25):
                if self.gate.availability(f"s{number}").path != f"/opt/{number}":
                    wrong.append(number)

        threads = [threading.Thread(target=ask, args=(number,)) for number in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])

    def test_the_process_has_one_shared_gate(self) -> None:
        self.assertIs(shared(), shared())


class Tokens(unittest.TestCase):
    def test_a_token_comes_only_through_a_redactor_that_took_it(self) -> None:
        taken = []
        for redactor, expected in ((None, None), (lambda secret: False, None), (lambda s: not taken.append(s), TOKEN)):
            gate = Gate(host=Paper(), redactor=redactor)
            gate.register("acme", RUNNING)
            endpoint = gate.endpoint("acme")
            self.assertIsInstance(endpoint, Endpoint)
            self.assertEqual(endpoint.url, "http://127.0.0.1:5000/mcp")
            self.assertEqual(endpoint.token and endpoint.token.reveal(), expected)
        self.assertEqual(taken, [TOKEN])

    def test_a_token_prints_and_pickles_nothing(self) -> None:
        gate = Gate(host=Paper(), redactor=lambda secret: True)
        gate.register("acme", RUNNING)
        endpoint = gate.endpoint("acme")
        for text in (repr(endpoint), str(endpoint.token), f"{endpoint.token}", f"{endpoint.token!r:>20}"):
            self.assertNotIn(TOKEN, text)
        with self.assertRaises(TypeError):
            pickle.dumps(endpoint.token)
        self.assertEqual(copy.deepcopy(endpoint).token, endpoint.token)

    def test_no_endpoint_has_a_reason(self) -> None:
        gate = Gate(host=Paper())
        gate.register("acme", LINUX)
        self.assertEqual(gate.endpoint("acme"), EndpointUnavailable("no-liveness"))


class OnPaper(unittest.TestCase):
    def test_a_transcript_answers_for_a_machine(self) -> None:
        gate = Gate(
            host=Replay(
                [
                    '{"interface": "environment", "function": "os", "arguments": [], "answer": "linux"}',
                    '{"interface": "filesystem", "function": "stat", "arguments": ["/opt/acme/acme"],'
                    ' "fault": {"code": "denied", "detail": ""}}',
                ]
            )
        )
        gate.register("acme", LINUX)
        self.assertEqual(gate.availability("acme").reason, "access-denied")


if __name__ == "__main__":
    unittest.main()
