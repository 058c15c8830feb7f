"""The machine that this program runs on: Linux, macOS or Windows.

Nothing here is a rule, and nothing is written, started or signalled. Each answer is read anew.
"""

from __future__ import annotations

import ctypes
import errno
import os
import stat
import struct
import sys
import time
from typing import Any, BinaryIO, Callable, List

from .host import (
    Contents,
    DarwinSession,
    Fault,
    FaultCode,
    Hive,
    LinuxSession,
    Node,
    OsFamily,
    Principal,
    ProcessState,
    ProcessStatus,
    SessionFacts,
    Subkey,
    Value,
    View,
    Win32Session,
)

__all__ = ["Machine"]

_ABSENT = ProcessStatus("absent")
_UNINSTALL = "software\\microsoft\\windows\\currentversion\\uninstall"


class Machine:
    """Answers of the real machine, as this process sees it."""

    def os(self) -> OsFamily:
        if sys.platform in ("win32", "darwin", "linux"):
            return sys.platform  # type: ignore[return-value]
        raise NotImplementedError(f"appdecl knows win32, darwin and linux, and this is {sys.platform}")

    def variable(self, name: str) -> str:
        # Names with `=` would be answers to a question nobody asked: Windows keeps a folder under `=C:`.
        if not name or "=" in name or name not in os.environ:
            raise Fault("absent", "the variable is not set")
        value = os.environ[name]
        if not _is_unicode(value):
            raise Fault("unsupported", "the value is not Unicode text")
        return value

    def stat(self, path: str) -> Node:
        status = _asked(os.stat, _native(path))
        if stat.S_ISREG(status.st_mode):
            return Node("file", sys.platform != "win32" and _may_execute(path))
        return Node("folder" if stat.S_ISDIR(status.st_mode) else "other", False)

    def list(self, folder: str, prefix: str) -> List[str]:
        native = _native(folder)
        if not stat.S_ISDIR(_asked(os.stat, native).st_mode):
            raise Fault("not-regular", "this is not a folder")
        names = []
        with _asked(os.scandir, native) as entries:
            for entry in entries:
                # On systems where case does not count the component sorts it out: the prefix is a hint.
                if sys.platform == "linux" and not entry.name.startswith(prefix):
                    continue
                if _is_unicode(entry.name):
                    names.append(entry.name)
                if len(names) > 65_536:
                    raise Fault("too-large", "the folder holds more than 65536 such names")
        return names

    def plist(self, bundle: str) -> bytes:
        separator = "\\" if sys.platform == "win32" else "/"
        with _opened(f"{bundle.rstrip(separator)}{separator}Contents{separator}Info.plist") as file:
            content: bytes = _asked(file.read, 1024 * 1024 + 1)
        if len(content) > 1024 * 1024:
            raise Fault("too-large", "Info.plist is larger than 1 MiB")
        return content

    def pe(self, path: str, offset: int, length: int) -> bytes:
        with _opened(path) as file:
            if _asked(file.read, 2) != b"MZ":
                raise Fault("refused", "the file does not begin with `MZ`")
            if offset >= 1 << 63:
                return b""
            _asked(file.seek, offset)
            content: bytes = _asked(file.read, min(length, 65_536))
            return content

    def subkeys(self, hive: Hive, view: View, key: str, values: List[str]) -> List[Subkey]:
        if sys.platform == "win32":
            if key.lower() != _UNINSTALL:
                raise Fault("refused", "this host answers for the uninstall entries alone")
            return _windows_subkeys(hive, view, key, values)
        raise Fault("unsupported", "there is a registry on Windows alone")

    def runtime_file(self, path: str) -> Contents:
        with _opened(path) as file:
            status = os.fstat(file.fileno())
            content: bytes = _asked(file.read, 65_537)
        large = len(content) > 65_536
        modified = status.st_mtime_ns // 1_000_000
        judged = sys.platform != "win32"
        return Contents(
            size=max(status.st_size, 65_537) if large else len(content),
            bytes=b"" if large else content,
            modified=max(modified, 0),
            owner=_principal(status.st_uid, "uid") if judged else None,
            group=_principal(status.st_gid, "gid") if judged else None,
            mode=stat.S_IMODE(status.st_mode) if judged else None,
        )

    def process(self, pid: int) -> ProcessStatus:
        if sys.platform == "win32":
            return _windows_process(pid)
        return _darwin_process(pid) if sys.platform == "darwin" else _linux_process(pid)

    def session(self) -> SessionFacts:
        if sys.platform == "win32":
            return _windows_session()
        if sys.platform == "darwin":
            return DarwinSession()
        try:
            with open("/proc/self/sessionid", "rb") as file:
                audit = int(file.read(32))
        except (OSError, ValueError):
            audit = None
        try:
            os.scandir(f"/run/user/{os.geteuid()}").close()
            return LinuxSession(audit, True)
        except OSError:
            return LinuxSession(audit, False)


def _native(path: str) -> str:
    """The path as the system takes it literally; `refused` where it is relative or names a network or a device."""
    windows = sys.platform == "win32"
    segments = (path.replace("/", "\\") if windows else path).split("\\" if windows else "/")
    control = any(character < " " or "\x7f" <= character <= "\x9f" for character in path)
    if len(path) > 4096 or control or ".." in segments:
        raise Fault("refused", "the path is too long, climbs, or holds a control character")
    if not windows:
        if not path.startswith("/"):
            raise Fault("refused", "the path does not begin with `/`")
        return path
    drive = segments[0]
    if len(segments) < 2 or len(drive) != 2 or not drive[0].isascii() or not drive[0].isalpha() or drive[1] != ":":
        raise Fault("refused", "the path does not begin with a drive such as `C:\\`")
    if ":" in path[2:]:
        raise Fault("refused", "the path holds a `:` after its drive: it names a stream, not a file")
    rest = [segment for segment in segments[1:] if segment not in ("", ".")]
    return "\\\\?\\" + "\\".join([drive, *rest]) + ("" if rest and segments[-1] else "\\")


def _opened(path: str) -> BinaryIO:
    """Opens a regular file for reading, without waiting for anybody."""
    native = _native(path)
    # To open a pipe or a device can already act on it.
    _expect_regular(_asked(os.stat, native))
    if sys.platform == "win32":
        descriptor = _windows_open(native)
    else:
        descriptor = _asked(os.open, native, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    file = open(descriptor, "rb")
    try:
        _expect_regular(os.fstat(descriptor))
    except BaseException:
        file.close()
        raise
    return file


def _expect_regular(status: os.stat_result) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise Fault("not-regular", "this is not a regular file")


def _asked(call: Callable[..., Any], *arguments: Any) -> Any:
    """What a call of the system answers, or the fault that its error stands for."""
    try:
        return call(*arguments)
    except OSError as error:
        raise _fault(error) from None


_CODES: dict[FaultCode, tuple[int, ...]] = {
    "absent": (errno.ENOENT, errno.ENOTDIR, errno.ENAMETOOLONG),
    "denied": (errno.EACCES, errno.EPERM),
    "locked": (errno.EAGAIN, errno.ETXTBSY, errno.EBUSY),
}
# https://learn.microsoft.com/windows/win32/debug/system-error-codes
_WINDOWS_CODES: dict[FaultCode, tuple[int, ...]] = {
    "absent": (2, 3, 15, 21, 53, 123, 161, 206, 267, 303, 1018),
    "denied": (5, 1314),
    "locked": (32, 33),
}


def _fault(error: OSError) -> Fault:
    number = getattr(error, "winerror", None)
    codes, number = (_CODES, error.errno) if number is None else (_WINDOWS_CODES, number)
    for code, numbers in codes.items():
        if number in numbers:
            return Fault(code, error.strerror or "")
    return Fault("io", error.strerror or "")


def _may_execute(native: str | bytes) -> bool:
    return os.access(native, os.X_OK, effective_ids=os.access in os.supports_effective_ids)


def _principal(number: int, kind: str) -> Principal:
    own = (os.geteuid(), os.getuid()) if kind == "uid" else (os.getegid(), os.getgid())
    if number in own:
        return "this-user"
    return "root" if number == 0 else "other"


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _linux_process(pid: int) -> ProcessStatus:
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            line = file.read(4096)
        with open(f"/proc/{pid}/status", "rb") as file:
            group = next((row for row in file.read(4096).split(b"\n") if row.startswith(b"Tgid:")), b"Tgid: 0")
    except (FileNotFoundError, ProcessLookupError):
        return _signalled(pid, "running")
    except OSError as error:
        raise _fault(error) from None
    if int(group[5:]) != pid:
        return _ABSENT
    # The name in brackets may hold anything: what comes after its last bracket counts (proc_pid_stat(5)).
    fields = line.rpartition(b")")[2].split()
    ended = fields[0] in (b"Z", b"X", b"x") and int(fields[17]) <= 1
    since_start = int(fields[19]) * 1000 // os.sysconf("SC_CLK_TCK")
    system_started = (time.time_ns() - time.clock_gettime_ns(time.CLOCK_BOOTTIME)) // 1_000_000
    return ProcessStatus("zombie" if ended else "running", system_started + since_start)


def _signalled(pid: int, where_it_is: ProcessState) -> ProcessStatus:
    """Signal 0 sends nothing: it tells a process that is hidden from one that is not there."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return _ABSENT
    except OSError as error:
        raise _fault(error) from None
    return ProcessStatus(where_it_is)


def _darwin_process(pid: int) -> ProcessStatus:
    """`proc_pidinfo` with `PROC_PIDTBSDINFO`, which fills a `proc_bsdinfo` (<sys/proc_info.h>) of 136 bytes."""
    library = ctypes.CDLL("/usr/lib/libproc.dylib", use_errno=True)
    info = ctypes.create_string_buffer(136)
    if library.proc_pidinfo(pid, 3, ctypes.c_uint64(1), info, 136) < 136:
        if ctypes.get_errno() == errno.ESRCH:
            # It succeeds for a process that has ended and was not waited for.
            return _signalled(pid, "zombie")
        raise _fault(OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno())))
    _flags, state, _exit, number = struct.unpack_from("=4I", info, 0)
    seconds, micros = struct.unpack_from("=2Q", info, 120)
    if number != pid:
        return _ABSENT
    return ProcessStatus("zombie" if state == 5 else "running", seconds * 1000 + micros // 1000 if seconds else None)


if sys.platform == "win32":
    import msvcrt
    import winreg
    from ctypes import wintypes

    _kernel = ctypes.WinDLL("kernel32", use_last_error=True)
    _kernel.CreateFileW.restype = _kernel.OpenProcess.restype = wintypes.HANDLE

    def _windows_open(native: str) -> int:
        """Opens so that every other program may read, write, rename and delete the file meanwhile."""
        generic_read, share_all, open_existing = 0x80000000, 7, 3
        # FILE_FLAG_BACKUP_SEMANTICS, SECURITY_SQOS_PRESENT with SECURITY_ANONYMOUS.
        flags = 0x02000000 | 0x00100000
        handle = _kernel.CreateFileW(native, generic_read, share_all, None, open_existing, flags, None)
        if handle == wintypes.HANDLE(-1).value:
            raise _fault(ctypes.WinError(ctypes.get_last_error()))
        return msvcrt.open_osfhandle(handle, os.O_RDONLY | os.O_BINARY)

    def _windows_process(pid: int) -> ProcessStatus:
        handle = wintypes.HANDLE(_kernel.OpenProcess(0x1000 | 0x100000, False, pid))
        if not handle:
            if ctypes.get_last_error() == 87:
                return _ABSENT
            raise _fault(ctypes.WinError(ctypes.get_last_error()))
        try:
            # Numbers are multiples of four, and the system rounds down.
            if _kernel.GetProcessId(handle) != pid:
                return _ABSENT
            # The exit code does not tell: a process may end with the word for "still active".
            ended = _kernel.WaitForSingleObject(handle, 0) == 0
            times = [wintypes.FILETIME() for _ in range(4)]
            known = _kernel.GetProcessTimes(handle, *map(ctypes.byref, times))
            # Steps of 100 ns since 1601.
            steps = (times[0].dwHighDateTime << 32 | times[0].dwLowDateTime) - 116_444_736_000_000_000
            return ProcessStatus("ended" if ended else "running", steps // 10_000 if known and steps >= 0 else None)
        finally:
            _kernel.CloseHandle(handle)

    def _windows_session() -> SessionFacts:
        session = wintypes.DWORD()
        known = _kernel.ProcessIdToSessionId(os.getpid(), ctypes.byref(session))
        console = _kernel.WTSGetActiveConsoleSessionId() & 0xFFFFFFFF
        user = ctypes.WinDLL("user32")
        user.GetProcessWindowStation.restype = wintypes.HANDLE
        return Win32Session(
            process_session=session.value if known else None,
            console_session=None if console == 0xFFFFFFFF else console,
            window_station=bool(user.GetProcessWindowStation()),
        )

    def _windows_subkeys(hive: Hive, view: View, key: str, values: List[str]) -> List[Subkey]:
        emulated = wintypes.BOOL()
        _kernel.IsWow64Process(wintypes.HANDLE(-1), ctypes.byref(emulated))
        if view == "bits32" and sys.maxsize < 1 << 32 and not emulated:
            raise Fault("absent", "a 32-bit Windows has one view")
        root = winreg.HKEY_LOCAL_MACHINE if hive == "local-machine" else winreg.HKEY_CURRENT_USER
        access = winreg.KEY_READ | (winreg.KEY_WOW64_64KEY if view == "bits64" else winreg.KEY_WOW64_32KEY)
        subkeys: List[Subkey] = []
        with _asked(winreg.OpenKey, root, key, 0, access) as parent:
            while True:
                try:
                    name = winreg.EnumKey(parent, len(subkeys))
                except OSError as error:
                    if error.winerror == 259:
                        return subkeys
                    raise _fault(error) from None
                if len(subkeys) >= 16_384:
                    raise Fault("too-large", "there are more than 16384 keys")
                try:
                    with _asked(winreg.OpenKey, parent, name, 0, access) as opened:
                        found = [_windows_value(opened, value) for value in values]
                except Fault as fault:
                    found = [Value("unreadable", fault)] * len(values)
                subkeys.append(Subkey(name.encode("utf-16", "surrogatepass").decode("utf-16", "replace"), found))

    def _windows_value(key: winreg.HKEYType, name: str) -> Value:
        try:
            value, kind = winreg.QueryValueEx(key, name)
        except OSError as error:
            return Value("missing") if error.winerror == 2 else Value("unreadable", _fault(error))
        if kind in (winreg.REG_SZ, winreg.REG_EXPAND_SZ) and _is_unicode(value or ""):
            return Value("text" if kind == winreg.REG_SZ else "expandable-text", value or "")
        return Value("number", value) if kind in (winreg.REG_DWORD, winreg.REG_QWORD) else Value("other")
