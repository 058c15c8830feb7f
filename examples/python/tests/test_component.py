"""Which component is loaded, and from where its compiled code comes."""

import os
import shutil
import stat
import sys
import tempfile
import unittest
from pathlib import Path

from appdecl import ComponentError, Gate, VersionMismatch
from appdecl.component import packaged

from paper import LINUX, Paper


class Folder(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        self.component = self.folder / "appdecl.wasm"
        shutil.copy(packaged("appdecl"), self.component)

    def state(self, **options):
        gate = Gate(self.component, Paper(), **options)
        gate.register("acme", LINUX)
        return gate.availability("acme").state

    def kept(self):
        return list(self.folder.glob("*.cwasm"))

    def rewrite(self, old, new):
        content = self.component.read_bytes()
        self.assertIn(old, content)
        self.component.write_bytes(content.replace(old, new))


class Versions(Folder):
    def test_a_component_of_another_version_is_refused_with_both_versions(self):
        self.rewrite(b"@0.1.0", b"@0.2.0")
        with self.assertRaisesRegex(VersionMismatch, r"0\.2\.0.*0\.1\.0"):
            self.state()

    def test_a_component_that_asks_another_version_is_refused_with_both_versions(self):
        self.rewrite(b"appdecl:host/filesystem@0.1.0", b"appdecl:host/filesystem@0.9.0")
        with self.assertRaisesRegex(VersionMismatch, r"0\.9\.0.*filesystem.*0\.1\.0"):
            self.state()

    def test_a_later_component_that_only_adds_is_taken(self):
        self.rewrite(b"@0.1.0", b"@0.1.7")
        self.assertEqual(self.state(), "available")

    def test_a_question_that_is_not_answered_is_refused_by_name(self):
        self.rewrite(b"appdecl:host/filesystem@", b"appdecl:host/filesysten@")
        with self.assertRaisesRegex(VersionMismatch, "appdecl:host/filesysten@0.1.0"):
            self.state()

    def test_what_is_no_component_is_refused(self):
        for content in (b"", b"\0asm\x01\0\0\0", self.component.read_bytes()[:1000]):
            self.component.write_bytes(content)
            with self.assertRaises(ComponentError):
                self.state()
        self.component.unlink()
        with self.assertRaisesRegex(ComponentError, "appdecl.wasm"):
            self.state()


@unittest.skipIf(sys.platform == "win32", "modes of files are those of Linux and macOS")
class CompiledCode(Folder):
    def test_compiled_code_is_kept_beside_the_component_for_this_user_alone(self):
        self.assertEqual(self.state(), "available")
        (kept,) = self.kept()
        self.assertEqual(stat.S_IMODE(kept.stat().st_mode), 0o600)
        before = kept.stat()
        self.assertEqual(self.state(), "available")
        self.assertEqual(self.kept(), [kept])
        self.assertEqual(kept.stat().st_mtime_ns, before.st_mtime_ns)

    def test_code_that_others_may_write_is_not_run(self):
        self.state()
        (kept,) = self.kept()
        kept.chmod(0o666)
        before = kept.stat().st_ino
        self.assertEqual(self.state(), "available")
        self.assertNotEqual(kept.stat().st_ino, before, "it was compiled anew and put in its place")
        self.assertEqual(stat.S_IMODE(kept.stat().st_mode), 0o600)

    def test_a_link_to_code_is_not_followed(self):
        self.state()
        (kept,) = self.kept()
        moved = kept.rename(self.folder / "moved")
        kept.symlink_to(moved)
        self.assertEqual(self.state(), "available")
        self.assertFalse(kept.is_symlink())

    def test_code_that_was_damaged_is_compiled_anew(self):
        self.state()
        (kept,) = self.kept()
        whole = kept.read_bytes()
        for damaged in (whole[:-1], whole[:5000] + b"\xff" + whole[5001:]):
            kept.write_bytes(damaged)
            self.assertEqual(self.state(), "available")
            self.assertEqual(kept.read_bytes(), whole)

    def test_another_component_has_other_code(self):
        self.state()
        self.rewrite(b"@0.1.0", b"@0.1.7")
        self.state()
        self.assertEqual(len(self.kept()), 2)

    def test_nothing_is_kept_where_that_is_not_wanted(self):
        self.assertEqual(self.state(cache=False), "available")
        self.assertEqual(self.kept(), [])

    @unittest.skipIf(hasattr(os, "geteuid") and os.geteuid() == 0, "the superuser may write everywhere")
    def test_a_folder_that_can_not_be_written_is_no_hindrance(self):
        self.folder.chmod(0o500)
        self.addCleanup(self.folder.chmod, 0o700)
        self.assertEqual(self.state(), "available")


if __name__ == "__main__":
    unittest.main()
