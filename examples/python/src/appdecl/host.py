"""The questions that the component asks, as a host in Python answers them.

A host answers what the operating system or the disk holds and gives it no meaning. Where there is no answer it raises
`Fault`. `docs/hosts.md` says question by question what to answer and what not to decide.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import List, Literal, Protocol, Union

__all__ = [
    "Contents",
    "DarwinSession",
    "Fault",
    "FaultCode",
    "Hive",
    "Host",
    "LinuxSession",
    "Node",
    "NodeKind",
    "OsFamily",
    "Principal",
    "ProcessState",
    "ProcessStatus",
    "SessionFacts",
    "Subkey",
    "Value",
    "ValueTag",
    "View",
    "Win32Session",
]

FaultCode = Literal["absent", "denied", "locked", "not-regular", "too-large", "refused", "unsupported", "io"]
OsFamily = Literal["win32", "darwin", "linux"]
NodeKind = Literal["file", "folder", "other"]
Hive = Literal["local-machine", "current-user"]
View = Literal["bits64", "bits32"]
Principal = Literal["this-user", "root", "other"]
ProcessState = Literal["running", "zombie", "ended", "absent"]
ValueTag = Literal["missing", "text", "expandable-text", "number", "other", "unreadable"]

Bytes = bytes


class Fault(Exception):
    """Why a question has no answer: a fact about the machine, and no error of the host."""

    def __init__(self, code: FaultCode, detail: str = "") -> None:
        super().__init__(f"{code}: {detail}")
        self.code: FaultCode = code
        self.detail = detail
        """For people and traces. Holds no content of a file."""


@dataclass(frozen=True, slots=True)
class Node:
    """What is known of a path without opening it."""

    kind: NodeKind
    executable: bool
    """Whether this user may execute it; false on win32."""


@dataclass(frozen=True, slots=True)
class Value:
    """A registry value: `text` and `expandable-text` with a `str`, `number` with an `int`, `unreadable` with a `Fault`."""

    tag: ValueTag
    value: Union[str, int, Fault, None] = None


@dataclass(frozen=True, slots=True)
class Subkey:
    """One registry key below the one asked about."""

    name: str
    values: list[Value]
    """In the order asked."""


@dataclass(frozen=True, slots=True, repr=False)
class Contents:
    """A runtime file. Its bytes may hold a token: the type prints none of it."""

    size: int
    bytes: Bytes
    """The whole content where `size` is at most 65,536; empty beyond that."""
    modified: int | None = None
    """In milliseconds since 1970, rounded down."""
    owner: Principal | None = None
    group: Principal | None = None
    mode: int | None = None
    """The low twelve bits of `st_mode`."""


@dataclass(frozen=True, slots=True)
class ProcessStatus:
    """How a process number stands."""

    state: ProcessState
    started: int | None = None
    """In milliseconds since 1970; none where the system does not say."""


@dataclass(frozen=True, slots=True)
class Win32Session:
    """The facts about a session on Windows."""

    process_session: int | None
    console_session: int | None
    window_station: bool


@dataclass(frozen=True, slots=True)
class LinuxSession:
    """The facts about a session on Linux."""

    audit_session: int | None
    """As the kernel writes it: 4294967295 means unset."""
    runtime_folder_readable: bool


@dataclass(frozen=True, slots=True)
class DarwinSession:
    """macOS tells nothing."""


SessionFacts = Union[Win32Session, LinuxSession, DarwinSession]


class Host(Protocol):
    """A machine, real or on paper. Every method may raise `Fault`, except `os`."""

    def os(self) -> OsFamily:
        """Which system this is."""

    def variable(self, name: str) -> str:
        """One environment variable, exactly as it stands."""

    def stat(self, path: str) -> Node:
        """What a path leads to, links followed."""

    def list(self, folder: str, prefix: str) -> List[str]:
        """The names in a folder. Names that do not begin with `prefix` may be left out."""

    def plist(self, bundle: str) -> bytes:
        """The bytes of `<bundle>/Contents/Info.plist`."""

    def pe(self, path: str, offset: int, length: int) -> bytes:
        """Up to `length` bytes at `offset` of a file that begins with `MZ`."""

    def subkeys(self, hive: Hive, view: View, key: str, values: List[str]) -> List[Subkey]:
        """The keys directly below a registry key, each with the named values."""

    def runtime_file(self, path: str) -> Contents:
        """The runtime file at a path."""

    def process(self, pid: int) -> ProcessStatus:
        """The process with a number between 1 and 2147483647."""

    def session(self) -> SessionFacts:
        """The session that this process runs in."""
