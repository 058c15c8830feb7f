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
            self._answers[_question(entry["interface"], entry["function"], entry["arguments"])] = entry

    def _answer(self, interface: str, function: str, *arguments: Any) -> Any:
        question = _question(interface, function, arguments)
        if question not in self._answers:
            raise HostError(f"the transcript does not hold the answer to {question}")
        entry = self._answers[question]
        if "fault" in entry:
            raise Fault(**entry["fault"])
        return entry["answer"]

    def os(self) -> OsFamily:
        system: OsFamily = self._answer("environment", "os")
        return system

    def variable(self, name: str) -> str:
        value: str = self._answer("environment", "variable", name)
        return value

    def stat(self, path: str) -> Node:
        return Node(**self._answer("filesystem", "stat", path))

    def list(self, folder: str, prefix: str) -> List[str]:
        names: List[str] = self._answer("filesystem", "list", folder, prefix)
        return names

    def plist(self, bundle: str) -> bytes:
        return base64.b64decode(self._answer("plist", "read", bundle))

    def pe(self, path: str, offset: int, length: int) -> bytes:
        return base64.b64decode(self._answer("pe", "read-at", path, str(offset), length))

    def subkeys(self, hive: Hive, view: View, key: str, values: List[str]) -> List[Subkey]:
        found = self._answer("registry", "subkeys", hive, view, key, values)
        return [Subkey(subkey["name"], [_value(value) for value in subkey["values"]]) for subkey in found]

    def runtime_file(self, path: str) -> Contents:
        found = self._answer("runtime-file", "read", path)
        known = {"size": int(found["size"]), "bytes": base64.b64decode(found["bytes"])}
        return Contents(**found | known | {"modified": _number(found["modified"])})

    def process(self, pid: int) -> ProcessStatus:
        found = self._answer("process", "status", pid)
        return ProcessStatus(found["state"], _number(found["started"]))

    def session(self) -> SessionFacts:
        kind, found = _variant(self._answer("session", "current"))
        facts = {name.replace("-", "_"): fact for name, fact in (found or {}).items()}
        kinds: dict[str, Any] = {"win32": Win32Session, "linux": LinuxSession, "darwin": DarwinSession}
        session: SessionFacts = kinds[kind](**facts)
        return session


def _question(interface: str, function: str, arguments: Any) -> str:
    return f"{interface}.{function}{json.dumps(list(arguments), ensure_ascii=False)}"


def _variant(written: Any) -> tuple[Any, Any]:
    """A variant is its name, or an object of one member."""
    return (written, None) if isinstance(written, str) else next(iter(written.items()))


def _value(written: Any) -> Value:
    tag, value = _variant(written)
    if tag == "unreadable":
        return Value(tag, Fault(**value))
    return Value(tag, int(value) if tag == "number" else value)


def _number(written: str | None) -> int | None:
    return None if written is None else int(written)
