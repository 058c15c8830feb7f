"""The gate: the list of declarations, and what may be offered on this machine."""

from __future__ import annotations

import json
import logging
import threading
from os import PathLike
from pathlib import Path
from typing import Any, Callable, Mapping, NamedTuple, Sequence

from wasmtime import WasmtimeError
from wasmtime.component import Record

from .answers import (
    AppSummary,
    Availability,
    Check,
    Diagnostic,
    Endpoint,
    EndpointUnavailable,
    Registration,
    SkillDecision,
    Status,
    Token,
)
from .component import load, packaged
from .contract import INTERFACES, Imports
from .errors import ComponentError, HostError, InvalidDeclaration, reason
from .host import Host, OsFamily
from .instance import Instance
from .machine import Machine

__all__ = ["Declaration", "Gate", "shared"]

Declaration = str | Mapping[str, Any]
"""A declaration: JSON text, or the mapping that such text stands for."""

_log = logging.getLogger(__name__)


class _Registered(NamedTuple):
    declaration: str
    label: str
    display_name: str | None


class Gate:
    """A list of declarations on one component instance. May be used from many threads; calls wait for each other.

        gate = Gate()
        gate.register("acme", {"app": {"linux": {"presence": "executable", "location": "/usr/bin/acme"}},
                               "requires": {"app": True}})
        print(gate.availability("acme"))

    `component` is a path to the component, else the one that comes with this package. `host` answers its questions, else
    the machine this runs on. `redactor` takes a token before it is returned and says whether from now on no output will
    carry it; without one no token is ever returned. `cache` keeps the compiled component beside the component.
    `answer_within` ends a call whose host does not answer in so many seconds; the price is a thread for each question.

    Every method may raise `HostError` or `ComponentError`. After that the next call runs on a new instance with the same
    declarations.
    """

    def __init__(
        self,
        component: str | PathLike[str] | None = None,
        host: Host | None = None,
        redactor: Callable[[str], bool] | None = None,
        *,
        cache: bool = True,
        answer_within: float | None = None,
    ) -> None:
        self._loaded = load(packaged("appdecl") if component is None else Path(component), "gate", INTERFACES, cache=cache)
        self._imports = Imports(Machine() if host is None else host, redactor, answer_within)
        self._registered: dict[str, _Registered] = {}
        self._lock = threading.RLock()
        self._busy = False
        self._instance: Instance | None = None

    def diagnose(self, declaration: Declaration, label: str = "declaration") -> list[Diagnostic]:
        """All faults of a declaration in the order of the document; empty where it is valid."""
        return _diagnostics(self._call("diagnose", _json(declaration), label))

    def register(
        self, server: str, declaration: Declaration, *, label: str | None = None, display_name: str | None = None
    ) -> None:
        """Registers a declaration under a server's name in place of one that stood there.

        `label` is the caller's name for where it came from; every message starts with it. Raises `InvalidDeclaration`,
        and the old one still stands.
        """
        registered = _Registered(_json(declaration), server if label is None else label, display_name)
        with self._lock:
            faults = self._call("register", server, *registered)
            if faults:
                raise InvalidDeclaration(_diagnostics(faults))
            self._registered[server] = registered

    def unregister(self, server: str) -> bool:
        """Removes one server; false where it was not registered."""
        with self._lock:
            removed: bool = self._call("unregister", server)
            self._registered.pop(server, None)
            return removed

    def lookup(self, server: str) -> Registration | None:
        """The declaration of one server."""
        found = self._call("lookup", server)
        return found and Registration(found.server, getattr(found, "display-name"), found.declaration)

    def servers(self) -> list[str]:
        """The names of all registered servers, sorted."""
        names: list[str] = self._call("servers")
        return names

    def clear(self) -> None:
        """Removes everything."""
        with self._lock:
            self._call("clear")
            self._registered.clear()

    def availability(self, server: str) -> Availability | None:
        """The availability of a registered server on this machine, now; none where it is not registered."""
        return _availability(self._call("availability-of", server))

    def evaluate(self, declaration: Declaration, label: str = "declaration") -> Availability:
        """The availability of a declaration that is not registered. Raises `InvalidDeclaration`."""
        found = self._call("evaluate", _json(declaration), label)
        if isinstance(found, list):
            raise InvalidDeclaration(_diagnostics(found))
        availability = _availability(found)
        assert availability is not None
        return availability

    def endpoint(self, server: str) -> Endpoint | EndpointUnavailable:
        """Where the application behind a server listens, read anew at every call."""
        found = self._call("endpoint-of", server)
        if found.tag == "err":
            return EndpointUnavailable(found.payload.reason)
        token = found.payload.token
        return Endpoint(found.payload.url, None if token is None else Token(token))

    def status(self, server: str, connected: bool = False) -> Status | None:
        """Why a server is not offered or not connected; none where it is offerable and connected."""
        return _status(self._call("status-of", server, connected))

    def listing(self, server: str, tools: int, connected: bool = False) -> str | None:
        """One line for a listing, `NAME (N tools unavailable: MESSAGE)`; none where the server is offered."""
        if not 0 <= tools < 1 << 32:
            raise ValueError("`tools` is a count of at most 32 bits")
        line: str | None = self._call("listing", server, tools, connected)
        return line

    def server_offered(self, server: str, connected: bool) -> bool:
        """Whether a server's tools may be shown. A fault during the evaluation is logged, and is no."""
        try:
            offered: bool = self._call("server-offered", server, connected)
            return offered
        except (HostError, ComponentError) as error:
            _log.warning("server `%s` is not offered: %s", server, error)
            return False

    def skill_offered(self, requires_apps: Sequence[str]) -> SkillDecision:
        """Whether a skill that names these applications may be shown. A fault is logged, and is no."""
        try:
            found = self._call("skill-offered", list(requires_apps))
            return SkillDecision(found.offered, getattr(found, "decided-by"))
        except (HostError, ComponentError) as error:
            _log.warning("a skill is not offered: %s", error)
            return SkillDecision(False, None)

    def explain(self, server: str, connected: bool = False) -> str | None:
        """How the status of a server came about, as JSON text; none where it is not registered."""
        text: str | None = self._call("explain", server, connected)
        return text

    def check(self, server: str, connected: bool = False) -> Check | None:
        """Availability, status and how they came about; none where the server is not registered."""
        with self._lock:
            availability = self.availability(server)
            trace = self.explain(server, connected)
            if availability is None or trace is None:
                return None
            return Check(availability, self.status(server, connected), json.loads(trace))

    def os(self) -> OsFamily:
        """The system that the host answers for."""
        with self._lock:
            return self._imports.os()

    def version_at_least(self, found: str, minimum: str) -> bool:
        """Whether `found` is a version that is at least `minimum`. Unreadable is never at least anything."""
        answer: bool = self._call("version-at-least", found, minimum)
        return answer

    def _call(self, name: str, *arguments: Any) -> Any:
        with self._lock:
            if self._busy:
                raise HostError("a host can not ask the gate that is asking it")
            self._busy = True
            done = False
            try:
                instance = self._living()
                answer = instance.call(name, arguments)
                done = True
                return answer
            except (WasmtimeError, TypeError) as error:
                failure, self._imports.failure = self._imports.failure, None
                if failure is not None:
                    raise failure
                if isinstance(error, TypeError):
                    raise
                raise ComponentError(f"the component ended `{name}`: {reason(error)}") from error
            finally:
                self._busy = False
                self._imports.failure = None
                if not done:
                    # An instance that was left in the middle of a call can not be entered again.
                    self._instance = None

    def _living(self) -> Instance:
        if self._instance is None:
            instance = Instance(self._loaded, self._imports.function)
            for server, registered in self._registered.items():
                instance.call("register", (server, *registered))
            self._instance = instance
        return self._instance


_shared: Gate | None = None
_shared_lock = threading.Lock()


def shared() -> Gate:
    """The one gate of this process, made at the first call: for a harness whose parts do not know each other."""
    global _shared
    with _shared_lock:
        if _shared is None:
            _shared = Gate()
        return _shared


def _json(declaration: Declaration) -> str:
    return declaration if isinstance(declaration, str) else json.dumps(declaration, ensure_ascii=False)


def _word(word: str) -> Any:
    """A state as the specification spells it; WIT has no `_`."""
    return word.replace("-", "_")


def _diagnostics(found: list[Record]) -> list[Diagnostic]:
    return [Diagnostic(**fault.__dict__) for fault in found]


def _availability(found: Any) -> Availability | None:
    if found is None:
        return None
    return Availability(
        state=_word(found.state),
        version=found.version,
        path=found.path,
        min_version=getattr(found, "min-version"),
        offerable=found.offerable,
        reason=found.reason,
    )


def _status(found: Any) -> Status | None:
    if found is None:
        return None
    app = found.app
    return Status(
        server=found.server,
        app=AppSummary(app.name, app.version, app.path, getattr(app, "min-version")),
        state=_word(found.state),
        message=found.message,
        user_action=getattr(found, "user-action"),
        retry=_word(found.retry),
    )
