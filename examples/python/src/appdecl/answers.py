"""The answers, as plain frozen data. Words are those of the specification: `missing_app`, `after_user_action`."""

from __future__ import annotations

import hmac
from dataclasses import dataclass
from typing import Any, Literal, NoReturn

__all__ = [
    "AppSummary",
    "Availability",
    "Check",
    "Diagnostic",
    "Endpoint",
    "EndpointUnavailable",
    "Registration",
    "Retry",
    "SkillDecision",
    "State",
    "Status",
    "StatusState",
    "Token",
]

State = Literal[
    "available", "installed_not_running", "missing_app", "version_too_old", "unsupported_os", "no_requirements"
]
StatusState = Literal[
    "unsupported_os",
    "missing_app",
    "version_too_old",
    "no_interactive_session",
    "app_not_running",
    "endpoint_unavailable",
    "not_connected",
]
Retry = Literal["after_user_action", "never_here"]


class Token:
    """A secret that does not print itself.

    `str`, `repr`, `format` and a log line show `Token(***)`; it can not be pickled. `reveal` gives the text.
    """

    __slots__ = ("_secret",)

    def __init__(self, secret: str) -> None:
        self._secret = secret

    def reveal(self) -> str:
        """The secret itself, for the one request that needs it."""
        return self._secret

    def __repr__(self) -> str:
        return "Token(***)"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Token):
            return NotImplemented
        return hmac.compare_digest(self._secret.encode(), other._secret.encode())

    def __hash__(self) -> int:
        return hash(Token)

    def __copy__(self) -> Token:
        return self

    def __deepcopy__(self, memo: object) -> Token:
        return self

    def __reduce__(self) -> NoReturn:
        raise TypeError("a token is not written anywhere: call `reveal` where it is needed")


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One fault of a declaration."""

    severity: Literal["error", "warning"]
    code: str
    """A stable kebab-case code such as `path-not-rooted`."""
    pointer: str
    """A JSON pointer (RFC 6901) into the declaration. May name a member that is missing."""
    message: str
    """One line: the label, the dotted field, what is wrong, what was found and what is accepted."""
    help: str | None
    """What to do, where that is not plain from the message."""


@dataclass(frozen=True, slots=True)
class Availability:
    """What a declaration and this machine come to."""

    state: State
    version: str | None
    """The version found, trimmed and otherwise as its source spells it."""
    path: str | None
    """Where the application was found or looked for."""
    min_version: str | None
    """The version that the declaration asks for."""
    offerable: bool
    """Whether the tools may be shown."""
    reason: str | None
    """A stable code that tells apart what shares a state, such as `access-denied`."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where a running application listens."""

    url: str
    """`http://HOST:PORT/PATH` on a loopback host."""
    token: Token | None
    """The token to send; none without a redactor that took it."""


@dataclass(frozen=True, slots=True)
class EndpointUnavailable:
    """Why there is no endpoint."""

    reason: str
    """A stable code such as `pid-not-alive`."""


@dataclass(frozen=True, slots=True)
class AppSummary:
    """The application behind a server, as far as it is known."""

    name: str
    """The display name, else the server's name."""
    version: str | None
    path: str | None
    min_version: str | None


@dataclass(frozen=True, slots=True)
class Status:
    """Why a server is not offered or not connected, and what to do."""

    server: str
    app: AppSummary
    state: StatusState
    message: str
    """One sentence of fact."""
    user_action: str
    """One sentence of what to do."""
    retry: Retry
    """Whether trying again can help."""


@dataclass(frozen=True, slots=True)
class SkillDecision:
    """Whether a skill may be shown."""

    offered: bool
    decided_by: str | None
    """The first name that hides the skill. None where it is offered, and where the evaluation itself failed."""


@dataclass(frozen=True, slots=True)
class Registration:
    """A server as it was registered."""

    server: str
    display_name: str | None
    declaration: str
    """JSON text, as it was given."""


@dataclass(frozen=True, slots=True)
class Check:
    """All that is known of a server, and how it came about."""

    availability: Availability
    status: Status | None
    """None where the server is offerable and connected."""
    trace: dict[str, Any]
    """What `explain` tells: every place, question and answer, in the order they happened."""
