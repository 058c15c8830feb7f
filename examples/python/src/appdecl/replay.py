"""A machine on paper: a host that answers from a transcript of questions and answers, and never looks at the real one."""

from __future__ import annotations

import base64
import json
from typing import Any, Iterable, List

from .errors import HostError
from .host import (
    Contents,
    DarwinSession,
    Fault,
    Hive,
    LinuxSession,
    Node,
    OsFamily,
    ProcessStatus,
    SessionFacts,
    Subkey,
    Value,
    View,
    Win32Session,
)

__all__ = ["Replay"]


class Replay:
    """Answers from the lines of a transcript, each a JSON object as `docs/hosts.md` describes it.

    A question that no line holds ends the call with a `HostError` that names it.
    """

    def __init__(self, lines: Iterable[str | dict[str, Any]]) -> None:
        self._answers = {}
        for line in lines:
            entry = json.loads(line) if isinstance(line, str) else line
            self._answers[_question(entry["interface"], entry["function"], entry["args"])] = entry

    def _ok(self, interface: str, function: str, *arguments: Any) -> Any:
        question = _question(interface, function, arguments)
        if question not in self._answers:
            raise HostError(f"the transcript does not hold the answer to {question}")
        entry = self._answers[question]
        if "fault" in entry:
            raise Fault(**entry["fault"])
        return entry["ok"]

    def os(self) -> OsFamily:
        system: OsFamily = self._ok("environment", "os")
        return system

    def variable(self, name: str) -> str:
        value: str = self._ok("environment", "variable", name)
        return value

    def stat(self, path: str) -> Node:
        return Node(**self._ok("filesystem", "stat", path))

    def list(self, folder: str, prefix: str) -> List[str]:
        names: List[str] = self._ok("filesystem", "list", folder, prefix)
        return names

    def plist(self, bundle: str) -> bytes:
        return base64.b64decode(self._ok("plist", "read", bundle))

    def pe(self, path: str, offset: int, length: int) -> bytes:
        return base64.b64decode(self._ok("pe", "read-at", path, offset, length))

    def subkeys(self, hive: Hive, view: View, key: str, values: List[str]) -> List[Subkey]:
        found = self._ok("registry", "subkeys", hive, view, key, values)
        return [Subkey(subkey["name"], [_value(**value) for value in subkey["values"]]) for subkey in found]

    def runtime_file(self, path: str) -> Contents:
        found = self._ok("runtime-file", "read", path)
        return Contents(**found | {"bytes": base64.b64decode(found["bytes"])})

    def process(self, pid: int) -> ProcessStatus:
        return ProcessStatus(**self._ok("process", "status", pid))

    def session(self) -> SessionFacts:
        found = self._ok("session", "current")
        facts = {name.replace("-", "_"): fact for name, fact in found.get("val", {}).items()}
        kinds: dict[str, Any] = {"win32": Win32Session, "linux": LinuxSession, "darwin": DarwinSession}
        session: SessionFacts = kinds[found["tag"]](**facts)
        return session


def _question(interface: str, function: str, arguments: Any) -> str:
    return f"{interface}.{function}{json.dumps(list(arguments), ensure_ascii=False)}"


def _value(tag: Any, val: Any = None) -> Value:
    return Value(tag, Fault(**val) if tag == "unreadable" else val)
