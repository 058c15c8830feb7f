"""The import side of the component: a host's answers become values of the component model, checked and bounded.

What a host of strangers gives is judged here: a wrong type ends the call, too much of it is `too-large`. The runtime
itself would cut numbers to their size in silence.
"""

from __future__ import annotations

import threading
from typing import Any, Callable, Iterable

from wasmtime import WasmtimeError
from wasmtime.component import Record, Variant

from .errors import HostError
from .host import (
    Contents,
    DarwinSession,
    Fault,
    Host,
    LinuxSession,
    Node,
    OsFamily,
    ProcessStatus,
    SessionFacts,
    Subkey,
    Value,
    Win32Session,
)

__all__ = ["Imports", "INTERFACES", "record"]

# The bounds of the contract: wit/host says them with each question.
_MAX_VARIABLE = 128 * 1024
_MAX_NAMES = 65_536
_MAX_PLIST = 1024 * 1024
_MAX_RANGE = 65_536
_MAX_RUNTIME_FILE = 65_536
_MAX_SUBKEYS = 16_384
_MAX_VALUE = 32_768
_MAX_LIST_TEXT = 8 * 1024 * 1024
_MAX_DETAIL = 1024

_CODES = frozenset({"absent", "denied", "locked", "not-regular", "too-large", "refused", "unsupported", "io"})
_SYSTEMS = frozenset({"win32", "darwin", "linux"})
_KINDS = frozenset({"file", "folder", "other"})
_PRINCIPALS = frozenset({"this-user", "root", "other"})
_STATES = frozenset({"running", "zombie", "ended", "absent"})

# The runtime takes the two arms of a result apart by the type of the value; where both are records they carry their name.
_TAGGED = frozenset({("filesystem", "stat"), ("runtime-file", "read"), ("process", "status")})

INTERFACES: dict[str, tuple[str, ...]] = {
    "environment": ("os", "variable"),
    "filesystem": ("stat", "list"),
    "plist": ("read",),
    "pe": ("read-at",),
    "registry": ("subkeys",),
    "runtime-file": ("read",),
    "process": ("status",),
    "session": ("current",),
    "secrets": ("redact",),
}
"""Every question of the contract, by interface."""


class Imports:
    """Answers the component's questions from a host."""

    failure: BaseException | None = None
    """What ended the last call; whoever takes it sets it to none."""

    def __init__(self, host: Host, redact: Callable[[str], bool] | None, answer_within: float | None) -> None:
        self._redact = redact
        self._answer_within = answer_within
        self._functions: dict[tuple[str, str], tuple[Callable[..., Any], Callable[..., Any]]] = {
            ("environment", "os"): (host.os, lambda os: _word(os, _SYSTEMS)),
            ("environment", "variable"): (host.variable, _variable),
            ("filesystem", "stat"): (host.stat, _node),
            ("filesystem", "list"): (host.list, _names),
            ("plist", "read"): (host.plist, _plist),
            ("pe", "read-at"): (host.pe, _range),
            ("registry", "subkeys"): (host.subkeys, _subkeys),
            ("runtime-file", "read"): (host.runtime_file, _contents),
            ("process", "status"): (host.process, _process),
            ("session", "current"): (host.session, _session),
            ("secrets", "redact"): (self._take_secret, lambda taken: _flag(taken)),
        }

    def os(self) -> OsFamily:
        """The system, asked without a component."""
        try:
            system: OsFamily = self.function("environment", "os")(None)
            return system
        except WasmtimeError:
            failure, self.failure = self.failure, None
            assert failure is not None
            raise failure from None

    def function(self, interface: str, name: str) -> Callable[..., Any]:
        """The function that the component calls by this name. It never raises what the runtime does not expect."""
        ask, lower = self._functions[interface, name]
        tagged = (interface, name) in _TAGGED

        def answer(_store: object, *arguments: Any) -> Any:
            try:
                value = lower(self._asked(ask, arguments))
                return Variant("ok", value) if tagged else value
            except Fault as fault:
                if name != "os" and interface != "secrets":
                    return Variant("err", _fault(fault)) if tagged else _fault(fault)
                self.failure = HostError(f"`{interface}.{name}` can not be answered by a fault")
            except HostError as error:
                self.failure = HostError(f"the host's answer to `{interface}.{name}`: {error}")
                self.failure.__cause__ = error.__cause__
            except Exception as error:
                # A secret may be among the arguments: words of a redactor are not passed on.
                words = "" if interface == "secrets" else f": {error}"
                self.failure = HostError(f"the host raised {type(error).__name__} at `{interface}.{name}`{words}")
                self.failure.__cause__ = None if interface == "secrets" else error
            except BaseException as error:
                # An interrupt by the user, which the runtime would lose.
                self.failure = error
            raise WasmtimeError("the host has no answer")

        return answer

    def _asked(self, ask: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
        if self._answer_within is None:
            return ask(*arguments)
        return _within(self._answer_within, ask, arguments)

    def _take_secret(self, secret: str) -> bool:
        return self._redact is not None and self._redact(secret)


def _within(seconds: float, ask: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
    """Asks on a thread of its own, which is left behind where it does not come back: Python has no way to end it."""
    outcome: list[Any] = []

    def run() -> None:
        try:
            outcome.append((True, ask(*arguments)))
        except BaseException as error:
            outcome.append((False, error))

    thread = threading.Thread(target=run, name="appdecl host", daemon=True)
    thread.start()
    thread.join(seconds)
    if not outcome:
        raise HostError(f"there was none within {seconds:g} s")
    answered, value = outcome[0]
    if not answered:
        raise value
    return value


def record(fields: Iterable[tuple[str, Any]]) -> Record:
    """A record of the component model: an object whose attributes have the names of the WIT."""
    made = Record()
    made.__dict__.update(fields)
    return made


def _fault(fault: Fault) -> Record:
    detail = _text(fault.detail)[:_MAX_DETAIL]
    return record([("code", _word(fault.code, _CODES)), ("detail", detail)])


def _too_large(what: str) -> Record:
    return _fault(Fault("too-large", what))


def _variable(value: Any) -> Any:
    # No character takes less than one byte, and text that is far too long is not encoded to learn that.
    if len(_text(value)) > _MAX_VARIABLE or len(value.encode()) > _MAX_VARIABLE:
        return _too_large("the value is larger than 128 KiB")
    return value


def _node(node: Any) -> Any:
    _expect(node, Node)
    return record([("kind", _word(node.kind, _KINDS)), ("executable", _flag(node.executable))])


def _names(names: Any) -> Any:
    _expect(names, list)
    if len(names) > _MAX_NAMES or sum(len(_text(name)) for name in names) > _MAX_LIST_TEXT:
        return _too_large("the folder holds more names than are handed over")
    return names


def _plist(content: Any) -> Any:
    return content if len(_bytes(content)) <= _MAX_PLIST else _too_large("Info.plist is larger than 1 MiB")


def _range(content: Any) -> Any:
    return content if len(_bytes(content)) <= _MAX_RANGE else _too_large("the host gave more than 65536 bytes")


def _subkeys(subkeys: Any) -> Any:
    _expect(subkeys, list)
    if len(subkeys) > _MAX_SUBKEYS:
        return _too_large("there are more than 16384 keys")
    size = 0
    records = []
    for subkey in subkeys:
        _expect(subkey, Subkey)
        values = [_value(value) for value in _expect(subkey.values, list)]
        size += len(_text(subkey.name)) + sum(len(v.payload) for v in values if isinstance(v.payload, str))
        records.append(record([("name", subkey.name), ("values", values)]))
    return records if size <= _MAX_LIST_TEXT else _too_large("the values are larger than 8 MiB")


def _value(value: Any) -> Variant:
    _expect(value, Value)
    match value.tag, value.value:
        case ("missing" | "other") as tag, None:
            return Variant(tag)
        case ("text" | "expandable-text") as tag, str() as text:
            if len(_text(text)) > _MAX_VALUE:
                return Variant("unreadable", _too_large("the value is larger than 64 KiB"))
            return Variant(tag, text)
        case "number", number:
            return Variant("number", _number(number, 64))
        case "unreadable", Fault() as fault:
            return Variant("unreadable", _fault(fault))
    raise HostError(f"a registry value `{value.tag}` does not go with {type(value.value).__name__}")


def _contents(contents: Any) -> Any:
    _expect(contents, Contents)
    size = max(_number(contents.size, 64), len(_bytes(contents.bytes)))
    return record(
        [
            ("size", size),
            ("bytes", contents.bytes if size <= _MAX_RUNTIME_FILE else b""),
            ("modified", None if contents.modified is None else _number(contents.modified, 64)),
            ("owner", None if contents.owner is None else _word(contents.owner, _PRINCIPALS)),
            ("group", None if contents.group is None else _word(contents.group, _PRINCIPALS)),
            ("mode", None if contents.mode is None else _number(contents.mode, 32) & 0o7777),
        ]
    )


def _process(status: Any) -> Any:
    _expect(status, ProcessStatus)
    started = None if status.started is None else _number(status.started, 64)
    return record([("state", _word(status.state, _STATES)), ("started", started)])


def _session(facts: SessionFacts) -> Any:
    match facts:
        case Win32Session(process, console, station):
            fields = [
                ("process-session", None if process is None else _number(process, 32)),
                ("console-session", None if console is None else _number(console, 32)),
                ("window-station", _flag(station)),
            ]
            return Variant("win32", record(fields))
        case LinuxSession(audit, readable):
            number = None if audit is None else _number(audit, 32)
            return Variant("linux", record([("audit-session", number), ("runtime-folder-readable", _flag(readable))]))
        case DarwinSession():
            return Variant("darwin")
    raise HostError(f"{type(facts).__name__} is no set of session facts")


def _expect(value: Any, kind: type) -> Any:
    if not isinstance(value, kind):
        raise HostError(f"it is of type {type(value).__name__}, expected {kind.__name__}")
    return value


def _text(value: Any) -> str:
    text: str = _expect(value, str)
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError:
            raise HostError("it is text with a lone surrogate, which is no Unicode text") from None
    return text


def _bytes(value: Any) -> bytes:
    content: bytes = _expect(value, bytes)
    return content


def _flag(value: Any) -> bool:
    flag: bool = _expect(value, bool)
    return flag


def _number(value: Any, bits: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < 1 << bits:
        raise HostError(f"a whole number from 0 to 2^{bits}-1 was expected, and {type(value).__name__} was found")
    return value


def _word(value: Any, words: frozenset[str]) -> str:
    if not isinstance(value, str) or value not in words:
        raise HostError(f"one of {', '.join(sorted(words))} was expected")
    return value
