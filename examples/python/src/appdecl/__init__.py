"""May a tool be offered on this machine, and if not, why and what now?

The rules are in a WebAssembly component that is the same in every language. This package loads it, answers its questions
about the machine, and decides nothing itself. Begin with `Gate`.
"""

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
from .errors import AppdeclError, ComponentError, HostError, InvalidDeclaration, VersionMismatch
from .gate import Declaration, Gate, shared
from .host import Fault, Host
from .machine import Machine
from .redaction import RedactingFilter
from .replay import Replay

__all__ = [
    "AppSummary",
    "AppdeclError",
    "Availability",
    "Check",
    "ComponentError",
    "Declaration",
    "Diagnostic",
    "Endpoint",
    "EndpointUnavailable",
    "Fault",
    "Gate",
    "Host",
    "HostError",
    "InvalidDeclaration",
    "Machine",
    "RedactingFilter",
    "Registration",
    "Replay",
    "SkillDecision",
    "Status",
    "Token",
    "VersionMismatch",
    "shared",
]
