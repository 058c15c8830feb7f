"""May a tool be offered on this machine, and if not, why and what now?

The rules are in a WebAssembly component that is the same in every language. This package loads it, answers its questions
about the machine, and decides nothing itself. Begin with `Gate`, or with `Package` for a whole package.
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
from .errors import AppdeclError, ComponentError, HostError, InvalidDeclaration, PackageError, VersionMismatch
from .gate import Declaration, Gate, shared
from .host import Fault, Host
from .machine import Machine
from .package import Package
from .redaction import RedactingFilter
from .replay import Replay
from .report import Boundary, Finding, PackageServer, PackageSkill, Refusal, Report, Variable

__all__ = [
    "AppSummary",
    "AppdeclError",
    "Availability",
    "Boundary",
    "Check",
    "ComponentError",
    "Declaration",
    "Diagnostic",
    "Endpoint",
    "EndpointUnavailable",
    "Fault",
    "Finding",
    "Gate",
    "Host",
    "HostError",
    "InvalidDeclaration",
    "Machine",
    "Package",
    "PackageError",
    "PackageServer",
    "PackageSkill",
    "RedactingFilter",
    "Refusal",
    "Registration",
    "Replay",
    "Report",
    "SkillDecision",
    "Status",
    "Token",
    "Variable",
    "VersionMismatch",
    "shared",
]
