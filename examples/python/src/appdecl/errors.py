"""What can go wrong, apart from what is an answer.

That an application is missing or an endpoint is not there is an answer, and never one of these.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Sequence

if TYPE_CHECKING:
    from .answers import Diagnostic

__all__ = ["AppdeclError", "ComponentError", "HostError", "InvalidDeclaration", "PackageError", "VersionMismatch", "reason"]


class AppdeclError(Exception):
    """The base of all errors of this package."""


class InvalidDeclaration(AppdeclError):
    """A declaration was refused. A declaration that stood under the same name still stands."""

    diagnostics: tuple[Diagnostic, ...]
    """All faults, in the order of the document."""

    def __init__(self, diagnostics: Sequence[Diagnostic]) -> None:
        self.diagnostics = tuple(diagnostics)
        super().__init__("\n".join(diagnostic.message for diagnostic in self.diagnostics))


class HostError(AppdeclError):
    """A host broke its contract: it raised something else than a `Fault`, gave a wrong type, or did not answer in time.

    The call has no result. The next call runs on a new component instance with the same declarations.
    """


class ComponentError(AppdeclError):
    """The component could not be loaded, or it ended a call by a trap or a spent budget."""


class VersionMismatch(ComponentError):
    """The component speaks another version of the contract than this package, or asks what this package does not answer."""


class PackageError(AppdeclError):
    """There is no report about a package: no package is there, or it can not be read. A faulty package has a report."""


def reason(error: Exception) -> str:
    """Why the runtime ended a call, without the stack that comes before it."""
    lines = str(error).strip().splitlines()
    return lines[-1].strip() if lines else type(error).__name__
