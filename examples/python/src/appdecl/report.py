"""What there is to say about a package, as plain frozen data. Words are those of the specification: `static_repository`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

__all__ = ["Boundary", "Finding", "Format", "PackageServer", "PackageSkill", "Refusal", "RefusalReason", "Report", "Variable"]

Format = Literal["portable", "static_repository"]
RefusalReason = Literal[
    "package_fault", "platform_mismatch", "unsupported_os", "missing_app", "version_too_old", "not_evaluated"
]


@dataclass(frozen=True, slots=True)
class Boundary:
    """What a finding takes down."""

    kind: Literal["package", "servers", "skills", "server", "skill", "nothing"]
    """The whole package, all servers, all skills, one server, one skill, or nothing."""
    name: str | None = None
    """The name of the one server, or of the folder of the one skill."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong with a package."""

    severity: Literal["error", "warning"]
    """`warning` for what is reported and ignored."""
    code: str
    """A stable kebab-case code, such as `orphan-declaration`."""
    section: str
    """The section of the rules that has this one, such as `9.1`."""
    file: str
    """The file, by its path in the package with `/` between the names; empty where it is none in particular."""
    pointer: str | None
    """A JSON pointer (RFC 6901) into the file or its front matter. This or `line` is always there."""
    line: int | None
    """The line, from 1."""
    column: int | None
    """The column in bytes, from 1."""
    boundary: Boundary
    message: str
    """One line: the file, the dotted member, what is wrong, what was found, what is accepted."""
    help: str | None
    """What to do, where that is not plain from the message."""


@dataclass(frozen=True, slots=True)
class PackageServer:
    """A server that may be used."""

    name: str
    transport: str
    """`stdio`, `streamable-http`, `sse` or `http`."""
    declaration: str | None
    """Its declaration as JSON text, ready for `Gate.register`, where it has one."""


@dataclass(frozen=True, slots=True)
class PackageSkill:
    """A skill that may be used, as far as its form goes; `Gate.skill_offered` says whether it is offered."""

    name: str
    folder: str
    """The folder itself, by its path in the package."""
    requires_apps: tuple[str, ...]
    """The servers whose applications it requires."""


@dataclass(frozen=True, slots=True)
class Variable:
    """An environment variable that loading a static repository plugin reads."""

    name: str
    file: str
    """The document that refers to it."""
    pointer: str
    """The first place there, as a JSON pointer."""


@dataclass(frozen=True, slots=True)
class Report:
    """What a package is, what is wrong with it, and what of it may be used."""

    format: Format
    """The format it was judged by."""
    formats: tuple[Format, ...]
    """All formats that the folder holds."""
    name: str | None
    """The package's name, where it has a good one."""
    version: str | None
    """The version it gives itself, as it stands."""
    rejected: bool
    """Whether a fault takes the whole package down. `servers` and `skills` are empty then."""
    findings: tuple[Finding, ...]
    """What is wrong, file by file; at most 1,000."""
    errors: int
    """How many errors there are, listed or not."""
    warnings: int
    """How many warnings there are, listed or not."""
    servers: tuple[PackageServer, ...]
    """The servers that may be used, by name."""
    skills: tuple[PackageSkill, ...]
    """The skills that may be used, by folder."""
    variables: tuple[Variable, ...]
    """The environment variables that loading reads, by name; none in a portable plugin."""
    left_out: tuple[str, ...]
    """Paths that are not copied when the package is installed."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """One reason against installing a package."""

    reason: RefusalReason
    server: str | None
    """The server it is about, where it is about one."""
    message: str
    """One sentence of fact."""


def read_report(found: Any) -> Report:
    """A report of the component."""
    return Report(
        **_members(found)
        | {
            "format": _word(found.format),
            "formats": tuple(map(_word, found.formats)),
            "findings": tuple(_finding(finding) for finding in found.findings),
            "servers": tuple(PackageServer(**_members(server)) for server in found.servers),
            "skills": tuple(_skill(skill) for skill in found.skills),
            "variables": tuple(Variable(**_members(variable)) for variable in found.variables),
            "left_out": tuple(getattr(found, "left-out")),
        }
    )


def read_refusal(found: Any) -> Refusal:
    """A refusal of the component."""
    return Refusal(**_members(found) | {"reason": _word(found.reason)})


def _finding(found: Any) -> Finding:
    # The whole package is called so in the WIT alone, where `package` is a word of the language.
    boundary = Boundary(found.boundary.tag.removeprefix("whole-"), found.boundary.payload)
    return Finding(**_members(found) | {"boundary": boundary})


def _skill(found: Any) -> PackageSkill:
    members = _members(found)
    return PackageSkill(**members | {"requires_apps": tuple(members["requires_apps"])})


def _members(found: Any) -> dict[str, Any]:
    return {name.replace("-", "_"): value for name, value in found.__dict__.items()}


def _word(word: str) -> Any:
    return word.replace("-", "_")
