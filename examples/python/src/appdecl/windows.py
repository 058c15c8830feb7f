"""What Windows alone says: files that others may use meanwhile, processes, the session and the registry."""

from __future__ import annotations

import ctypes
import os
import sys
from ctypes import wintypes
from typing import List, Tuple

assert sys.platform == "win32"

import msvcrt
import winreg

from .faults import asked, fault, is_unicode
from .host import Fault, Hive, ProcessStatus, Subkey, Value, View, Win32Session

__all__ = ["may_execute", "native", "open_file", "ownership", "process", "session", "subkeys"]

_UNINSTALL = "software\\microsoft\\windows\\currentversion\\uninstall"

_kernel = ctypes.WinDLL("kernel32", use_last_error=True)
_kernel.CreateFileW.restype = _kernel.OpenProcess.restype = wintypes.HANDLE


def native(path: str) -> str:
    """The path as the system takes it literally; `refused` where it is relative or names a network or a device."""
    segments = path.replace("/", "\\").split("\\")
    drive = segments[0]
    if len(segments) < 2 or len(drive) != 2 or not drive[0].isascii() or not drive[0].isalpha() or drive[1] != ":":
        raise Fault("refused", "the path does not begin with a drive such as `C:\\`")
    if ".." in segments or ":" in path[2:]:
        raise Fault("refused", "the path climbs, or holds a `:` after its drive: that names a stream, not a file")
    rest = [segment for segment in segments[1:] if segment not in ("", ".")]
    return "\\\\?\\" + "\\".join([drive, *rest]) + ("" if rest and segments[-1] else "\\")


def open_file(path: str) -> int:
    """Opens so that every other program may read, write, rename and delete the file meanwhile."""
    generic_read, share_all, open_existing = 0x80000000, 7, 3
    # FILE_FLAG_BACKUP_SEMANTICS, SECURITY_SQOS_PRESENT with SECURITY_ANONYMOUS.
    flags = 0x02000000 | 0x00100000
    handle = _kernel.CreateFileW(path, generic_read, share_all, None, open_existing, flags, None)
    if handle == wintypes.HANDLE(-1).value:
        raise fault(ctypes.WinError(ctypes.get_last_error()))
    return msvcrt.open_osfhandle(handle, os.O_RDONLY | os.O_BINARY)


def may_execute(_path: str) -> bool:
    return False


def ownership(_status: os.stat_result) -> Tuple[None, None, None]:
    return None, None, None


def process(pid: int) -> ProcessStatus:
    handle = wintypes.HANDLE(_kernel.OpenProcess(0x1000 | 0x100000, False, pid))
    if not handle:
        if ctypes.get_last_error() == 87:
            return ProcessStatus("absent")
        raise fault(ctypes.WinError(ctypes.get_last_error()))
    try:
        # Numbers are multiples of four, and the system rounds down.
        if _kernel.GetProcessId(handle) != pid:
            return ProcessStatus("absent")
        # The exit code does not tell: a process may end with the word for "still active".
        ended = _kernel.WaitForSingleObject(handle, 0) == 0
        times = [wintypes.FILETIME() for _ in range(4)]
        known = _kernel.GetProcessTimes(handle, *map(ctypes.byref, times))
        # Steps of 100 ns since 1601.
        steps = (times[0].dwHighDateTime << 32 | times[0].dwLowDateTime) - 116_444_736_000_000_000
        return ProcessStatus("ended" if ended else "running", steps // 10_000 if known and steps >= 0 else None)
    finally:
        _kernel.CloseHandle(handle)


def session() -> Win32Session:
    number = wintypes.DWORD()
    known = _kernel.ProcessIdToSessionId(os.getpid(), ctypes.byref(number))
    console = _kernel.WTSGetActiveConsoleSessionId() & 0xFFFFFFFF
    user = ctypes.WinDLL("user32")
    user.GetProcessWindowStation.restype = wintypes.HANDLE
    return Win32Session(
        process_session=number.value if known else None,
        console_session=None if console == 0xFFFFFFFF else console,
        window_station=bool(user.GetProcessWindowStation()),
    )


def subkeys(hive: Hive, view: View, key: str, values: List[str]) -> List[Subkey]:
    if key.lower() != _UNINSTALL:
        raise Fault("refused", "this host answers for the uninstall entries alone")
    emulated = wintypes.BOOL()
    _kernel.IsWow64Process(wintypes.HANDLE(-1), ctypes.byref(emulated))
    if view == "bits32" and sys.maxsize < 1 << 32 and not emulated:
        raise Fault("absent", "a 32-bit Windows has one view")
    root = winreg.HKEY_LOCAL_MACHINE if hive == "local-machine" else winreg.HKEY_CURRENT_USER
    access = winreg.KEY_READ | (winreg.KEY_WOW64_64KEY if view == "bits64" else winreg.KEY_WOW64_32KEY)
    found: List[Subkey] = []
    with asked(winreg.OpenKey, root, key, 0, access) as parent:
        while True:
            try:
                name = winreg.EnumKey(parent, len(found))
            except OSError as error:
                if error.winerror == 259:
                    return found
                raise fault(error) from None
            if len(found) >= 16_384:
                raise Fault("too-large", "there are more than 16384 keys")
            try:
                with asked(winreg.OpenKey, parent, name, 0, access) as opened:
                    held = [_value(opened, value) for value in values]
            except Fault as why:
                held = [Value("unreadable", why)] * len(values)
            found.append(Subkey(name.encode("utf-16", "surrogatepass").decode("utf-16", "replace"), held))


def _value(key: winreg.HKEYType, name: str) -> Value:
    try:
        value, kind = winreg.QueryValueEx(key, name)
    except OSError as error:
        return Value("missing") if error.winerror == 2 else Value("unreadable", fault(error))
    if kind in (winreg.REG_SZ, winreg.REG_EXPAND_SZ) and is_unicode(value or ""):
        return Value("text" if kind == winreg.REG_SZ else "expandable-text", value or "")
    return Value("number", value) if kind in (winreg.REG_DWORD, winreg.REG_QWORD) else Value("other")
