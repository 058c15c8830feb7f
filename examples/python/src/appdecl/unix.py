"""What Linux and macOS have in common."""

from __future__ import annotations

import os
import stat
import sys
from typing import List, Tuple

assert sys.platform != "win32"

from .faults import asked, fault
from .host import Fault, Hive, Principal, ProcessState, ProcessStatus, Subkey, View

__all__ = ["ABSENT", "may_execute", "native", "open_file", "ownership", "signalled", "subkeys"]

ABSENT = ProcessStatus("absent")


def native(path: str) -> str:
    """The path as the system takes it literally; `refused` where it is relative."""
    if not path.startswith("/") or ".." in path.split("/"):
        raise Fault("refused", "the path does not begin with `/`, or climbs")
    return path


def open_file(path: str) -> int:
    """Opens for reading, without waiting for anybody."""
    return asked(os.open, path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)


def may_execute(path: str) -> bool:
    return os.access(path, os.X_OK, effective_ids=os.access in os.supports_effective_ids)


def ownership(status: os.stat_result) -> Tuple[Principal | None, Principal | None, int | None]:
    """Owner, group and mode."""
    owner = _principal(status.st_uid, (os.geteuid(), os.getuid()))
    return owner, _principal(status.st_gid, (os.getegid(), os.getgid())), stat.S_IMODE(status.st_mode)


def subkeys(_hive: Hive, _view: View, _key: str, _values: List[str]) -> List[Subkey]:
    raise Fault("unsupported", "there is a registry on Windows alone")


def signalled(pid: int, where_it_is: ProcessState) -> ProcessStatus:
    """Signal 0 sends nothing: it tells a process that is hidden from one that is not there."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return ABSENT
    except OSError as error:
        raise fault(error) from None
    return ProcessStatus(where_it_is)


def _principal(number: int, own: Tuple[int, int]) -> Principal:
    if number in own:
        return "this-user"
    return "root" if number == 0 else "other"
