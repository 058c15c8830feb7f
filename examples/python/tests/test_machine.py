"""The real host on this machine: Linux and macOS."""

import os
import shutil
import stat
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path
from unittest import mock

from appdecl import Endpoint, Fault, Gate, Machine

WINDOWS = sys.platform == "win32"


class Folder(unittest.TestCase):
    def setUp(self):
        self.folder = Path(os.path.realpath(tempfile.mkdtemp()))
        self.addCleanup(shutil.rmtree, self.folder)
        self.machine = Machine()

    def file(self, name, content=b"", mode=0o600):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        path.chmod(mode)
        return str(path)


@unittest.skipIf(WINDOWS, "files, pipes and modes are those of Linux and macOS")
class OnDisk(Folder):
    def assert_fault(self, code, question, *arguments):
        with self.assertRaises(Fault) as found:
            question(*map(str, arguments))
        self.assertEqual(found.exception.code, code)

    def test_files_folders_links_and_pipes_are_told_apart(self):
        os.mkfifo(self.folder / "pipe")
        (self.folder / "link").symlink_to(self.file("program", mode=0o700))
        (self.folder / "nowhere").symlink_to("gone")
        (self.folder / "loop").symlink_to("loop")
        for name, kind, executable in (("program", "file", True), ("link", "file", True), ("pipe", "other", False),
                                       (".", "folder", False)):
            node = self.machine.stat(f"{self.folder}/{name}")
            self.assertEqual((node.kind, node.executable), (kind, executable), name)
        self.assertFalse(self.machine.stat(self.file("plain")).executable)
        self.assert_fault("absent", self.machine.stat, self.folder / "nowhere")
        self.assert_fault("absent", self.machine.stat, self.folder / "plain" / "below")
        self.assert_fault("io", self.machine.stat, self.folder / "loop")

    def test_paths_are_taken_literally(self):
        for path in ("relative", "", "~/x", f"{self.folder}/../x", f"{self.folder}/a\0b", f"{self.folder}/a\nb",
                     "/" + "x" * 4096):
            self.assert_fault("refused", self.machine.stat, path)
            self.assert_fault("refused", self.machine.runtime_file, path)

    def test_names_of_a_folder_are_given_without_it(self):
        for name in ("acme-1", "acme-2", "other"):
            self.file(name)
        Path(os.fsdecode(os.fsencode(self.folder) + b"/acme-\xff")).touch()
        self.assertLessEqual({"acme-1", "acme-2"}, set(self.machine.list(str(self.folder), "acme-")))
        self.assertEqual(set(self.machine.list(str(self.folder), "")), {"acme-1", "acme-2", "other"})
        self.assert_fault("not-regular", self.machine.list, self.folder / "other", "")
        self.assert_fault("absent", self.machine.list, self.folder / "gone", "")

    def test_a_property_list_is_read_up_to_a_mebibyte(self):
        self.file("A.app/Contents/Info.plist", b"x" * (1 << 20))
        self.assertEqual(len(self.machine.plist(f"{self.folder}/A.app")), 1 << 20)
        self.file("B.app/Contents/Info.plist", b"x" * ((1 << 20) + 1))
        self.assert_fault("too-large", self.machine.plist, self.folder / "B.app")
        (self.folder / "C.app/Contents").mkdir(parents=True)
        os.mkfifo(self.folder / "C.app/Contents/Info.plist")
        self.assert_fault("not-regular", self.machine.plist, self.folder / "C.app")

    def test_ranges_of_programs_alone_are_read(self):
        program = self.file("a.exe", b"MZ0123456789")
        self.assertEqual(self.machine.pe(program, 2, 4), b"0123")
        self.assertEqual(self.machine.pe(program, 10, 400), b"89")
        self.assertEqual(self.machine.pe(program, 1 << 40, 4), b"")
        self.assertEqual(self.machine.pe(program, (1 << 64) - 1, 4), b"")
        with self.assertRaises(Fault) as found:
            self.machine.pe(self.file("secret", b"not a program"), 0, 4)
        self.assertEqual(found.exception.code, "refused")

    def test_a_runtime_file_is_read_with_what_is_known_of_it(self):
        path = self.file("run.json", b"{}", 0o640)
        os.utime(path, ns=(0, 1_500_999_999))
        contents = self.machine.runtime_file(path)
        self.assertEqual((contents.bytes, contents.size, contents.modified), (b"{}", 2, 1_500))
        self.assertEqual((contents.owner, contents.mode), ("this-user", 0o640))
        self.assertNotIn("{}", repr(contents))
        self.assertEqual(self.machine.runtime_file(self.file("full", b"x" * 65_536)).size, 65_536)
        large = self.machine.runtime_file(self.file("large", b"x" * 70_000))
        self.assertEqual((large.size, large.bytes), (70_000, b""))

    def test_a_pipe_or_a_folder_is_no_runtime_file_and_blocks_nobody(self):
        os.mkfifo(self.folder / "pipe")
        self.assert_fault("not-regular", self.machine.runtime_file, self.folder / "pipe")
        self.assert_fault("not-regular", self.machine.runtime_file, self.folder)
        self.assert_fault("not-regular", self.machine.runtime_file, "/dev/null")
        self.assert_fault("absent", self.machine.runtime_file, self.folder / "gone")

    @unittest.skipIf(hasattr(os, "geteuid") and os.geteuid() == 0, "the superuser may read everything")
    def test_a_file_that_may_not_be_read_is_denied(self):
        self.assert_fault("denied", self.machine.runtime_file, self.file("closed", b"{}", 0o000))

    def test_variables_are_given_as_they_stand(self):
        with mock.patch.dict(os.environb, {b"APPDECL_A": b" x ", b"APPDECL_B": b"", b"APPDECL_C": b"\xff"}):
            self.assertEqual(self.machine.variable("APPDECL_A"), " x ")
            self.assertEqual(self.machine.variable("APPDECL_B"), "")
            self.assert_fault("unsupported", self.machine.variable, "APPDECL_C")
            for name in ("APPDECL_D", "appdecl_a", "", "A=B", "A\0B"):
                self.assert_fault("absent", self.machine.variable, name)

    def test_there_is_no_registry(self):
        self.assert_fault("unsupported", self.machine.subkeys, "local-machine", "bits64", "SOFTWARE", "")


@unittest.skipIf(WINDOWS, "zombies are of Linux and macOS")
class Processes(unittest.TestCase):
    def test_this_process_runs_and_has_started_before_now(self):
        status = Machine().process(os.getpid())
        self.assertEqual(status.state, "running")
        self.assertLess(abs(time.time() * 1000 - status.started), 24 * 3_600_000)

    def test_a_process_that_ended_is_a_zombie_until_its_parent_looks_and_absent_then(self):
        child = subprocess.Popen([sys.executable, "-c", ""], stdin=subprocess.DEVNULL)
        # Waits for the end without taking it away.
        os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
        self.assertEqual(Machine().process(child.pid).state, "zombie")
        child.wait()
        self.assertEqual(Machine().process(child.pid).state, "absent")

    def test_the_session_is_that_of_this_system(self):
        self.assertIn(type(Machine().session()).__name__, {"LinuxSession", "DarwinSession"})


@unittest.skipUnless(sys.platform == "linux", "a declaration for Linux")
class Live(Folder):
    def test_a_command_is_found_on_the_path_and_its_endpoint_in_its_runtime_file(self):
        program = self.file("bin/acme", b"#!/bin/sh\n", 0o700)
        self.file("other/acme", b"", 0o600)
        run = self.file("run.json", b'{"pid": %d, "http": "http://localhost:81/x"}' % os.getpid())
        gate = Gate()
        gate.register("acme", {
            "app": {"linux": {"presence": "executable", "location": [{"kind": "command", "name": "acme"}],
                              "liveness": {"kind": "server_json", "path": run}}},
            "requires": {"app": True},
        })
        with mock.patch.dict(os.environ, {"PATH": f"relative:{self.folder}/other:{self.folder}/bin"}):
            self.assertEqual(gate.availability("acme").path, program)
        self.assertEqual(gate.endpoint("acme"), Endpoint("http://localhost:81/mcp", None))
        os.chmod(run, stat.S_IMODE(os.stat(run).st_mode) | 0o002)
        self.assertEqual(gate.endpoint("acme").reason, "untrusted")


if __name__ == "__main__":
    unittest.main()
