"""What Linux alone says: processes and the session."""

from __future__ import annotations

import os
import sys
import time

assert sys.platform != "darwin" and sys.platform != "win32"

from .faults import fault
from .host import LinuxSession, ProcessStatus
from .unix import ABSENT, may_execute, native, open_file, ownership, signalled, subkeys

__all__ = ["may_execute", "native", "open_file", "ownership", "process", "session", "subkeys"]


def process(pid: int) -> ProcessStatus:
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            line = file.read(4096)
        with open(f"/proc/{pid}/status", "rb") as file:
            group = next((row for row in file.read(4096).split(b"\n") if row.startswith(b"Tgid:")), b"Tgid: 0")
    except (FileNotFoundError, ProcessLookupError):
        return signalled(pid, "running")
    except OSError as error:
        raise fault(error) from None
    if int(group[5:]) != pid:
        return ABSENT
    # The name in brackets may hold anything: what comes after its last bracket counts (proc_pid_stat(5)).
    fields = line.rpartition(b")")[2].split()
    ended = fields[0] in (b"Z", b"X", b"x") and int(fields[17]) <= 1
    since_start = int(fields[19]) * 1000 // os.sysconf("SC_CLK_TCK")
    system_started = (time.time_ns() - time.clock_gettime_ns(time.CLOCK_BOOTTIME)) // 1_000_000
    return ProcessStatus("zombie" if ended else "running", system_started + since_start)


def session() -> LinuxSession:
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
