"""The parts of the host that belong to Windows and macOS, on fakes of what those systems offer to Python."""

import contextlib
import ctypes
import errno
import importlib
import os
import struct
import sys
import types
import unittest
from unittest import mock

from appdecl import Fault, Gate, Machine
from appdecl.host import DarwinSession, ProcessStatus, Value, Win32Session

from paper import WINDOWS

UNINSTALL = "SOFTWARE\\Microsoft\\Windows\\CurrentVersion\\Uninstall"
# Windows' own kinds of values (winnt.h).
REG_SZ, REG_EXPAND_SZ, REG_BINARY, REG_DWORD, REG_MULTI_SZ, REG_QWORD = 1, 2, 3, 4, 7, 11
EPOCH = 116_444_736_000_000_000


def windows_error(number):
    error = OSError(errno.EIO, f"Windows says {number}")
    error.winerror = number
    return error


@contextlib.contextmanager
def system(platform, name, **fakes):
    """A module of another system, loaded with fakes of the modules and functions that only that system has."""
    modules = {name: fake for name, fake in fakes.items() if isinstance(fake, types.ModuleType)}
    functions = {name: fake for name, fake in fakes.items() if name not in modules}
    with contextlib.ExitStack() as stack:
        stack.enter_context(mock.patch.object(sys, "platform", platform))
        stack.enter_context(mock.patch.dict(sys.modules, modules))
        for function, fake in functions.items():
            stack.enter_context(mock.patch.object(ctypes, function, fake, create=True))
        sys.modules.pop(f"appdecl.{name}", None)
        loaded = importlib.import_module(f"appdecl.{name}")
        stack.callback(sys.modules.pop, f"appdecl.{name}", None)
        stack.enter_context(mock.patch("appdecl.machine.system", loaded))
        yield loaded


class Key:
    """A registry key: values as kind and content, keys below it, or the error that opening it ends with."""

    def __init__(self, values=None, below=None, error=None):
        self.values, self.below, self.error = values or {}, below or {}, error

    def __enter__(self):
        return self

    def __exit__(self, *_):
        return None


class Registry(types.ModuleType):
    """`winreg`, with one tree for each hive and view."""

    HKEY_LOCAL_MACHINE, HKEY_CURRENT_USER = "HKLM", "HKCU"
    KEY_READ, KEY_WOW64_64KEY, KEY_WOW64_32KEY = 0x20019, 0x100, 0x200
    HKEYType = Key

    def __init__(self, **trees):
        super().__init__("winreg")
        for name, number in (("REG_SZ", REG_SZ), ("REG_EXPAND_SZ", REG_EXPAND_SZ), ("REG_DWORD", REG_DWORD),
                             ("REG_QWORD", REG_QWORD)):
            setattr(self, name, number)
        self.trees = trees

    def OpenKey(self, parent, name, reserved, access):
        if isinstance(parent, str):
            assert name == UNINSTALL and reserved == 0 and access & self.KEY_READ == self.KEY_READ
            found = self.trees.get(f"{parent}{'64' if access & self.KEY_WOW64_64KEY else '32'}")
        else:
            found = parent.below.get(name)
        if found is None:
            raise windows_error(2)
        if found.error:
            raise windows_error(found.error)
        return found

    def EnumKey(self, key, index):
        names = list(key.below)
        if index >= len(names):
            raise windows_error(key.values.get("after the last", 259))
        return names[index]

    def QueryValueEx(self, key, name):
        kind, content = key.values.get(name, (None, None))
        if kind is None:
            raise windows_error(2)
        if isinstance(content, OSError):
            raise content
        return content, kind


class Kernel(mock.Mock):
    """`kernel32`: processes by number, each as what ctypes would fill in."""

    def __init__(self, processes=(), error=0, **names):
        super().__init__()
        self.processes, self.error, self.closed = dict(processes), error, []
        self.OpenProcess = mock.Mock(side_effect=lambda access, inherit, pid: pid & ~3 if pid & ~3 in self.processes else None)
        self.GetProcessId = mock.Mock(side_effect=lambda handle: handle.value)
        self.WaitForSingleObject = mock.Mock(side_effect=lambda handle, _: 0 if self.processes[handle.value][0] else 258)
        self.GetProcessTimes = mock.Mock(side_effect=self.times)
        self.CloseHandle = mock.Mock(side_effect=lambda handle: self.closed.append(handle.value))
        self.IsWow64Process = mock.Mock(return_value=1)
        for name, answer in names.items():
            setattr(self, name, mock.Mock(return_value=answer))

    def times(self, handle, created, *_others):
        steps = self.processes[handle.value][1]
        if steps is None:
            return 0
        created._obj.dwHighDateTime, created._obj.dwLowDateTime = steps >> 32, steps & 0xFFFFFFFF
        return 1


@contextlib.contextmanager
def windows(registry=None, kernel=None, user=None):
    kernel = kernel or Kernel()
    libraries = {"kernel32": kernel, "user32": user or mock.Mock()}
    with system(
        "win32", "windows",
        winreg=registry or Registry(), msvcrt=types.ModuleType("msvcrt"),
        WinDLL=lambda name, **_: libraries[name],
        WinError=windows_error,
        get_last_error=lambda: kernel.error,
    ) as loaded:
        yield loaded


class Faults(unittest.TestCase):
    def assert_fault(self, code, ask, *arguments):
        with self.assertRaises(Fault) as found:
            ask(*arguments)
        self.assertEqual(found.exception.code, code)


class WindowsRegistry(Faults):
    NAMES = ["DisplayName", "DisplayVersion", "InstallLocation", "SystemComponent"]

    def ask(self, registry, hive="local-machine", view="bits64", key=UNINSTALL):
        with windows(registry):
            return Machine().subkeys(hive, view, key, self.NAMES)

    def test_values_are_given_as_they_stand_in_the_order_asked(self):
        acme = Key({
            "DisplayName": (REG_SZ, "Acme 2"), "DisplayVersion": (REG_SZ, None),
            "InstallLocation": (REG_EXPAND_SZ, "%ProgramFiles%\\Acme"), "SystemComponent": (REG_DWORD, 1),
        })
        (found,) = self.ask(Registry(HKLM64=Key(below={"Acme": acme})))
        self.assertEqual(found.name, "Acme")
        self.assertEqual(found.values, [Value("text", "Acme 2"), Value("text", ""),
                                        Value("expandable-text", "%ProgramFiles%\\Acme"), Value("number", 1)])

    def test_other_kinds_and_text_that_is_none_are_named_as_such(self):
        odd = Key({"DisplayName": (REG_SZ, "a\ud800"), "DisplayVersion": (REG_BINARY, b"x"),
                   "InstallLocation": (REG_MULTI_SZ, ["a"]), "SystemComponent": (REG_QWORD, 1 << 40)})
        (found,) = self.ask(Registry(HKLM64=Key(below={"a\ud800": odd})))
        self.assertEqual(found.name, "a\ufffd")
        self.assertEqual(found.values, [Value("other"), Value("other"), Value("other"), Value("number", 1 << 40)])

    def test_what_is_denied_is_skipped_alone(self):
        below = {
            "closed": Key(error=5),
            "partly": Key({"DisplayName": (REG_SZ, windows_error(5))}),
            "open": Key({"DisplayName": (REG_SZ, "Open")}),
        }
        closed, partly, open_ = self.ask(Registry(HKLM64=Key(below=below)))
        self.assertEqual([(value.tag, value.value.code) for value in closed.values], [("unreadable", "denied")] * 4)
        self.assertEqual((partly.values[0].tag, partly.values[0].value.code), ("unreadable", "denied"))
        self.assertEqual(partly.values[1:], [Value("missing")] * 3)
        self.assertEqual(open_.values[0], Value("text", "Open"))

    def test_each_hive_and_view_is_its_own(self):
        registry = Registry(HKLM64=Key(below={"a": Key()}), HKLM32=Key(below={"b": Key()}), HKCU64=Key(below={"c": Key()}))
        asked = (("local-machine", "bits64"), ("local-machine", "bits32"), ("current-user", "bits64"))
        self.assertEqual([[key.name for key in self.ask(registry, *place)] for place in asked], [["a"], ["b"], ["c"]])
        self.assert_fault("absent", self.ask, registry, "current-user", "bits32")

    def test_no_other_key_is_opened(self):
        registry = mock.Mock(wraps=Registry(), spec=Registry)
        self.assert_fault("refused", self.ask, Registry(), "local-machine", "bits64", "SOFTWARE\\Microsoft")
        registry.OpenKey.assert_not_called()

    def test_a_scan_that_breaks_off_is_a_fault_and_so_are_too_many_keys(self):
        self.assert_fault("io", self.ask, Registry(HKLM64=Key(values={"after the last": 6})))
        self.assert_fault("denied", self.ask, Registry(HKLM64=Key(error=5)))
        many = {f"key {index}": Key() for index in range(16_385)}
        self.assert_fault("too-large", self.ask, Registry(HKLM64=Key(below=many)))

    def test_a_version_comes_from_the_registry_through_the_component(self):
        values = {"DisplayName": (REG_SZ, "Acme"), "DisplayVersion": (REG_SZ, "2.5"),
                  "InstallLocation": (REG_SZ, "C:\\Acme")}
        registry = Registry(HKLM64=Key(below={"Acme": Key(values)}), HKLM32=Key(), HKCU64=Key())
        regular = os.stat(__file__)
        with windows(registry), mock.patch("os.stat", return_value=regular):
            gate = Gate()
            gate.register("acme", WINDOWS)
            found = gate.availability("acme")
        self.assertEqual((found.state, found.version, found.path), ("available", "2.5", "C:\\Acme\\acme.exe"))


class WindowsProcesses(Faults):
    def ask(self, pid, kernel):
        with windows(kernel=kernel):
            return Machine().process(pid)

    def test_a_process_runs_until_its_handle_is_signalled(self):
        kernel = Kernel({4: (False, EPOCH + 12_345_6789), 8: (True, EPOCH), 12: (False, None), 16: (False, 5)})
        self.assertEqual(self.ask(4, kernel), ProcessStatus("running", 12_345))
        self.assertEqual(self.ask(8, kernel), ProcessStatus("ended", 0))
        self.assertEqual(self.ask(12, kernel), ProcessStatus("running", None))
        self.assertEqual(self.ask(16, kernel), ProcessStatus("running", None), "before 1970")
        self.assertEqual(kernel.closed, [4, 8, 12, 16])

    def test_a_number_that_the_system_rounds_down_is_no_process(self):
        kernel = Kernel({4240: (False, EPOCH)}, error=87)
        self.assertEqual(self.ask(4243, kernel), ProcessStatus("absent"))
        self.assertEqual(kernel.closed, [4240])
        self.assertEqual(self.ask(4244, kernel), ProcessStatus("absent"))

    def test_a_process_that_may_not_be_asked_is_denied(self):
        self.assert_fault("denied", self.ask, 4, Kernel(error=5))

    def test_a_session_is_told_in_raw_numbers(self):
        def filled(_pid, number):
            number._obj.value = 3
            return 1

        kernel = Kernel(WTSGetActiveConsoleSessionId=-1)
        kernel.ProcessIdToSessionId = mock.Mock(side_effect=filled)
        user = mock.Mock(GetProcessWindowStation=mock.Mock(return_value=0x40))
        with windows(kernel=kernel, user=user):
            self.assertEqual(Machine().session(), Win32Session(3, None, True))
        kernel = Kernel(WTSGetActiveConsoleSessionId=1, ProcessIdToSessionId=0)
        with windows(kernel=kernel, user=mock.Mock(GetProcessWindowStation=mock.Mock(return_value=None))):
            self.assertEqual(Machine().session(), Win32Session(None, 1, False))


class WindowsFiles(Faults):
    def test_paths_are_handed_over_in_their_literal_form(self):
        with windows() as loaded:
            for path, native in (
                ("C:\\Acme\\acme.exe", "\\\\?\\C:\\Acme\\acme.exe"), ("c:/a/./NUL", "\\\\?\\c:\\a\\NUL"),
                ("C:\\a. ", "\\\\?\\C:\\a. "), ("C:\\", "\\\\?\\C:\\"), ("C:\\a\\", "\\\\?\\C:\\a\\"),
            ):
                self.assertEqual(loaded.native(path), native)

    def test_networks_devices_streams_and_relative_paths_are_refused(self):
        with windows():
            for path in ("\\\\server\\share\\x", "//server/x", "\\\\?\\C:\\x", "\\\\.\\pipe\\x", "C:x", "C:", "x", "\\x",
                         "C:\\a:stream", "C:\\a\\..\\b", "C:/a/../b", "1:\\x", "\u00c4:\\x", "C:\\a\nb"):
                self.assert_fault("refused", Machine().stat, path)

    def test_a_file_that_is_held_is_locked(self):
        kernel = Kernel(CreateFileW=ctypes.c_void_p(-1).value, error=32)
        with windows(kernel=kernel), mock.patch("os.stat", return_value=os.stat(__file__)):
            self.assert_fault("locked", Machine().runtime_file, "C:\\run.json")
        (path, access, share, *_), _ = kernel.CreateFileW.call_args
        self.assertEqual((path, access, share), ("\\\\?\\C:\\run.json", 0x80000000, 7))

    def test_a_runtime_file_has_no_owner_there(self):
        descriptor = os.open(__file__, os.O_RDONLY)
        with windows(kernel=Kernel(CreateFileW=7)) as loaded, mock.patch("os.stat", return_value=os.stat(__file__)):
            with mock.patch.object(os, "O_BINARY", 0, create=True):
                loaded.msvcrt.open_osfhandle = mock.Mock(return_value=descriptor)
                found = Machine().runtime_file("C:\\run.json")
        self.assertEqual((found.owner, found.group, found.mode), (None, None, None))
        self.assertEqual(found.size, os.stat(__file__).st_size)

    def test_nothing_is_executable_there(self):
        with windows(), mock.patch("os.stat", return_value=os.stat(sys.executable)):
            self.assertEqual(Machine().stat("C:\\python.exe").executable, False)


@unittest.skipIf(os.name == "nt", "Windows has no owners and signals")
class Darwin(Faults):
    def ask(self, pid, filled=None, number=0):
        def proc_pidinfo(asked, flavour, argument, buffer, size):
            assert (asked, flavour, size) == (pid, 3, 136)
            if filled is None:
                return 0
            ctypes.memmove(buffer, filled, 136)
            return 136

        library = mock.Mock(proc_pidinfo=proc_pidinfo)
        with system("darwin", "darwin", CDLL=lambda *_, **__: library, get_errno=lambda: number):
            return Machine().process(pid)

    @staticmethod
    def info(pid, state=2, seconds=0, micros=0):
        return struct.pack("=4I104x2Q", 0, state, 0, pid, seconds, micros)

    def test_a_process_is_told_with_its_start(self):
        self.assertEqual(self.ask(42, self.info(42, seconds=1_700_000_000, micros=123_456)),
                         ProcessStatus("running", 1_700_000_000_123))
        self.assertEqual(self.ask(42, self.info(42)), ProcessStatus("running", None))

    def test_a_process_that_ended_is_a_zombie_until_it_was_waited_for(self):
        self.assertEqual(self.ask(42, self.info(42, state=5, seconds=1)), ProcessStatus("zombie", 1000))
        with mock.patch("os.kill"):
            self.assertEqual(self.ask(42, number=errno.ESRCH), ProcessStatus("zombie"))
        with mock.patch("os.kill", side_effect=ProcessLookupError):
            self.assertEqual(self.ask(42, number=errno.ESRCH), ProcessStatus("absent"))

    def test_another_process_is_not_mistaken_for_it(self):
        self.assertEqual(self.ask(42, self.info(43)), ProcessStatus("absent"))

    def test_a_process_that_may_not_be_asked_is_denied(self):
        self.assert_fault("denied", self.ask, 42, None, errno.EPERM)

    def test_a_session_has_no_facts(self):
        with system("darwin", "darwin"):
            self.assertEqual(Machine().session(), DarwinSession())
            self.assertEqual(Machine().os(), "darwin")
            self.assert_fault("unsupported", Machine().subkeys, "local-machine", "bits64", UNINSTALL, [])


if __name__ == "__main__":
    unittest.main()
