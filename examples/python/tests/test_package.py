"""Packages: what is read of a folder, and what a folder of strangers can not do."""

import json
import os
import shutil
import sys
import tempfile
import time
import unittest
from pathlib import Path
from unittest import mock

from appdecl import ComponentError, Gate, HostError, Package, PackageError, VersionMismatch
from appdecl.component import packaged

from paper import LINUX, Paper
from test_hostile_hosts import broken

MANIFEST = {
    "$schema": "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json",
    "name": "acme",
    "extensions": {"com.nousresearch.hermes": {"servers": {"acme": LINUX}}},
}
SERVERS = {
    "$schema": "https://agent-plugins.org/schemas/1.0.0/mcp.schema.json",
    "mcpServers": {"acme": {"type": "stdio", "command": "acme"}},
}


class Folder(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        self.write("plugin.json", json.dumps(MANIFEST))
        self.write("mcp.json", json.dumps(SERVERS))

    def write(self, name, content):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)

    def codes(self):
        return [(found.code, found.file) for found in Package.open(self.folder).validate().findings]


class Reports(Folder):
    def test_a_good_package_is_listed_with_what_may_be_used(self):
        report = Package.open(self.folder).validate()
        self.assertEqual((report.format, report.name, report.rejected, report.findings), ("portable", "acme", False, ()))
        (server,) = report.servers
        self.assertEqual((server.name, server.transport), ("acme", "stdio"))
        self.assertEqual(json.loads(server.declaration), LINUX)

    def test_a_declaration_of_the_report_can_be_registered(self):
        (server,) = Package.open(self.folder).validate().servers
        gate = Gate(host=Paper())
        gate.register(server.name, server.declaration)
        self.assertTrue(gate.server_offered("acme", True))

    def test_one_format_can_be_asked_for(self):
        report = Package.open(self.folder, "static_repository").validate()
        self.assertEqual((report.format, report.formats, report.rejected), ("static_repository", ("portable",), True))

    def test_a_folder_that_is_no_package_has_no_report(self):
        (self.folder / "plugin.json").unlink()
        with self.assertRaisesRegex(PackageError, "no plugin.json"):
            Package.open(self.folder)
        for path in (self.folder / "gone", self.folder / "mcp.json", "a\0b"):
            with self.assertRaises(PackageError):
                Package.open(path)

    def test_a_folder_that_is_no_package_is_not_listed_below_its_top_which_could_take_as_long_as_a_disk_is_large(self):
        (self.folder / "plugin.json").unlink()
        self.write("photos/2019/cat.txt", "meow")
        with mock.patch("os.scandir", wraps=os.scandir) as scandir:
            with self.assertRaisesRegex(PackageError, "no plugin.json"):
                Package.open(self.folder)
        self.assertEqual(scandir.call_count, 1)


class InstallGate(Folder):
    def reasons(self, platforms=(), **answers):
        refusals = Package.open(self.folder).install_gate(Gate(host=Paper(**answers)), platforms)
        return [(refusal.reason, refusal.server) for refusal in refusals]

    def test_all_that_speaks_against_installing_is_told_together(self):
        self.assertEqual(self.reasons(), [])
        self.assertEqual(self.reasons(["linux"]), [])
        absent = {"stat": lambda path: Paper().plist("")}
        refused = self.reasons(["windows"], **absent)
        self.assertIn(("platform_mismatch", None), refused)
        self.assertIn(("missing_app", "acme"), refused)

    def test_the_machine_is_the_one_that_the_gate_asks(self):
        self.assertEqual(self.reasons(["macos"], os=lambda: "win32"),
                         [("platform_mismatch", None), ("unsupported_os", "acme")])

    def test_nothing_is_registered(self):
        gate = Gate(host=Paper())
        Package.open(self.folder).install_gate(gate)
        self.assertEqual(gate.servers(), [])

    def test_a_host_that_breaks_its_contract_is_an_error_and_the_gate_goes_on(self):
        answers = [broken(RuntimeError("out of order"))]
        gate = Gate(host=Paper(stat=lambda path: (answers.pop() if answers else Paper().stat)(path)))
        package = Package.open(self.folder)
        with self.assertRaisesRegex(HostError, "out of order"):
            package.install_gate(gate)
        self.assertEqual(package.install_gate(gate), [])
        for wrong in (lambda: "beos", lambda: 7, broken(OSError("x"))):
            with self.assertRaisesRegex(HostError, "environment.os"):
                package.install_gate(Gate(host=Paper(os=wrong)))


@unittest.skipIf(sys.platform == "win32", "links and pipes are those of Linux and macOS")
class Hostile(Folder):
    def replace(self, name, make):
        path = self.folder / name
        path.unlink()
        make(path)

    def test_a_pipe_is_not_opened(self):
        self.replace("plugin.json", os.mkfifo)
        self.assertEqual(self.codes(), [("wrong-kind", "plugin.json")])

    def test_what_a_link_out_of_the_package_leads_to_is_not_read(self):
        outside = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, outside)
        (outside / "plugin.json").write_text(json.dumps(MANIFEST))
        self.replace("plugin.json", lambda path: path.symlink_to(outside / "plugin.json"))
        with mock.patch("os.open", wraps=os.open) as opened:
            self.assertEqual(self.codes(), [("link-leads-outside", "plugin.json")])
        self.assertEqual([call.args[0] for call in opened.mock_calls if str(outside) in str(call.args[0])], [])

    def test_a_file_that_becomes_a_link_after_it_was_listed_is_not_followed(self):
        outside = self.folder.parent / f"{self.folder.name}.outside"
        outside.write_text(json.dumps(MANIFEST))
        self.addCleanup(outside.unlink)
        listed = os.scandir
        scanned = []

        def swap(path):
            entries = list(listed(path))
            for entry in entries:
                entry.stat(follow_symlinks=False)
            scanned.append(path)
            # What is at the top is listed once before everything is.
            if scanned.count(path) == 2:
                self.replace("plugin.json", lambda path: path.symlink_to(outside))
            return mock.MagicMock(__enter__=lambda _: iter(entries))

        with mock.patch("os.scandir", side_effect=swap):
            report = Package.open(self.folder).validate()
        self.assertTrue(report.rejected)
        self.assertIn("refused", report.findings[0].message)

    def test_a_folder_that_links_to_itself_ends(self):
        (self.folder / "self").symlink_to(".")
        (self.folder / "round").symlink_to("round")
        self.assertEqual(self.codes(), [("link-left-out", "round")])

    def test_a_file_of_five_gigabytes_is_not_read(self):
        (self.folder / "mcp.json").unlink()
        (self.folder / "mcp.json").touch()
        os.truncate(self.folder / "mcp.json", 5_000_000_000)
        begun = time.monotonic()
        self.assertEqual([file for _, file in self.codes()].count("mcp.json"), 1)
        self.assertLess(time.monotonic() - begun, 5)

    def test_names_that_are_no_text_are_shown_with_a_replacement(self):
        try:
            os.close(os.open(os.fsencode(self.folder) + b"/caf\xff", os.O_CREAT))
        except OSError:
            self.skipTest("this file system takes Unicode alone")
        (file,) = [file for code, file in self.codes()]
        self.assertEqual(file, "caf\ufffd")

    def test_a_folder_that_may_not_be_looked_at_is_named(self):
        with mock.patch("os.scandir", side_effect=PermissionError(13, "Permission denied")):
            with self.assertRaisesRegex(PackageError, "can not be read: Permission denied"):
                Package.open(self.folder)

    def test_manifests_and_skills_are_read_up_to_a_bound(self):
        size = sum((self.folder / name).stat().st_size for name in ("plugin.json", "mcp.json"))
        with mock.patch("appdecl.package._MOST_READ", size + 1):
            self.assertEqual(self.codes(), [])
        with mock.patch("appdecl.package._MOST_READ", size):
            with self.assertRaisesRegex(PackageError, "bytes together"):
                self.codes()

    def test_at_most_so_many_entries_are_listed(self):
        with mock.patch("appdecl.folder._MOST_ENTRIES", 1):
            report = Package.open(self.folder).validate()
        self.assertEqual([found.code for found in report.findings], ["too-many-files"])


class Versions(Folder):
    def open_with(self, *changes):
        component = self.folder / "rules.wasm"
        content = packaged("appdecl-packages").read_bytes()
        for old, new in changes:
            self.assertIn(old, content)
            content = content.replace(old, new)
        component.write_bytes(content)
        return Package.open(self.folder, component=component, cache=False)

    def test_a_component_of_another_version_is_refused_with_both_versions(self):
        self.assertEqual(self.open_with().validate().name, "acme")
        with self.assertRaisesRegex(VersionMismatch, r"0\.2\.0.*0\.1\.0"):
            self.open_with((b"@0.1.0", b"@0.2.0"))

    def test_a_component_that_asks_the_machine_is_not_the_one_for_packages(self):
        with self.assertRaisesRegex(VersionMismatch, "gate/packages"):
            Package.open(self.folder, component=packaged("appdecl"))

    def test_what_is_no_component_is_refused(self):
        with self.assertRaises(ComponentError):
            Package.open(self.folder, component=self.folder / "mcp.json")


if __name__ == "__main__":
    unittest.main()
