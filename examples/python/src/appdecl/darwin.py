"""What macOS alone says: processes. It tells nothing of sessions."""

from __future__ import annotations

import ctypes
import errno
import os
import struct
import sys

assert sys.platform == "darwin"

from .faults import fault
from .host import DarwinSession, ProcessStatus
from .unix import ABSENT, may_execute, native, open_file, ownership, signalled, subkeys

__all__ = ["may_execute", "native", "open_file", "ownership", "process", "session", "subkeys"]


def process(pid: int) -> ProcessStatus:
    """`proc_pidinfo` with `PROC_PIDTBSDINFO`, which fills a `proc_bsdinfo` (<sys/proc_info.h>) of 136 bytes."""
    library = ctypes.CDLL("/usr/lib/libproc.dylib", use_errno=True)
    info = ctypes.create_string_buffer(136)
    if library.proc_pidinfo(pid, 3, ctypes.c_uint64(1), info, 136) < 136:
        number = ctypes.get_errno()
        if number == errno.ESRCH:
            # It succeeds for a process that has ended and was not waited for.
            return signalled(pid, "zombie")
        raise fault(OSError(number, os.strerror(number)))
    _flags, state, _exit, found = struct.unpack_from("=4I", info, 0)
    seconds, micros = struct.unpack_from("=2Q", info, 120)
    if found != pid:
        return ABSENT
    return ProcessStatus("zombie" if state == 5 else "running", seconds * 1000 + micros // 1000 if seconds else None)


def session() -> DarwinSession:
    return DarwinSession()
