"""Packages: folders that hold a portable plugin (`plugin.json`) or a static repository plugin (`.dsh-plugin`).

What they mean is decided in a component of its own, which asks nothing of the machine: here a folder is listed, and the
files that the component asks for are read.
"""

from __future__ import annotations

import functools
import os
from os import PathLike
from pathlib import Path
from typing import Any, Sequence

from wasmtime import WasmtimeError
from wasmtime.component import Record

from .component import Loaded, load, packaged
from .contract import record
from .errors import ComponentError, InvalidDeclaration, PackageError, reason
from .folder import Folder
from .gate import Gate
from .instance import Instance
from .report import Format, Refusal, Report, read_refusal, read_report

__all__ = ["Package"]

# Every set of contents leads to the next, and three are enough (wit/gate/packages.wit).
_MOST_ROUNDS = 3
# Far more than manifests and skills come to; `wasmtime` takes a hundred times the memory for bytes that go in.
_MOST_READ = 4 * 1024 * 1024


class Package:
    """A package that was read and judged. Made by `Package.open`."""

    def __init__(self, folder: str, rules: Loaded, judged: Record) -> None:
        self._folder = folder
        self._rules = rules
        self._judged = judged
        self._report = read_report(judged)

    @classmethod
    def open(
        cls,
        folder: str | PathLike[str],
        format: Format | None = None,
        *,
        component: str | PathLike[str] | None = None,
        cache: bool = True,
    ) -> Package:
        """Reads and judges the package in a folder, by the rules of one format where the folder holds both.

        Everything below it is listed, links not followed, up to 100,000 entries. Files are read where a rule needs them,
        from their beginning and within bounds. Nothing is executed or written, nothing outside the package is read, and
        nothing that is not a regular file is opened. `component` and `cache` are as for `Gate`, for the component
        `appdecl-packages.wasm`.

        Raises `PackageError` where there is no report at all; a faulty package has one. Raises `ComponentError` where the
        component can not be loaded or has no answer.
        """
        shown = os.fspath(folder)
        rules = _packaged(cache) if component is None else load(Path(component), "packages", {}, cache=cache)
        opened = Folder(shown)
        # A folder that is no package can be as large as a disk: what stands at its top tells the component already.
        top = opened.list(below=False)
        if _holds_nothing(_ask(rules, "inspect", top, [], None), top):
            raise _no_package(shown)
        listing: Any = opened.list()
        contents: list[Record] = []
        left = _MOST_READ
        for _ in range(_MOST_ROUNDS + 1):
            found = _ask(rules, "inspect", listing, contents, format and format.replace("_", "-"))
            if not isinstance(found, list):
                if _holds_nothing(found, listing):
                    raise _no_package(shown)
                return cls(shown, rules, found)
            for need in found:
                data = opened.read(need.path, min(need.limit, left))
                left -= len(data) if isinstance(data, bytes) else 0
                if left == 0:
                    raise PackageError(f"`{shown}` has manifests and skills of more than {_MOST_READ} bytes together")
                contents.append(record([("path", need.path), ("data", data)]))
        raise ComponentError("the component asks for more files again and again")

    def validate(self) -> Report:
        """What is wrong with the package, and what of it may be used."""
        return self._report

    def install_gate(self, gate: Gate, platforms: Sequence[str] = ()) -> list[Refusal]:
        """Everything that speaks against installing the package on the machine that `gate` asks, together.

        Empty where it may be installed. `platforms` is what a catalogue's entry says, such as `windows`; empty where there
        is none. Nothing is registered. Raises what `Gate.evaluate` raises, but for `InvalidDeclaration`: a server that can
        not be evaluated is a refusal.
        """
        evaluated = []
        for server in self._report.servers:
            if server.declaration is None:
                continue
            try:
                found = gate.evaluate(server.declaration, os.path.join(self._folder, "plugin.json"))
            except InvalidDeclaration:
                continue
            availability = record(
                [
                    ("state", found.state.replace("_", "-")),
                    ("version", found.version),
                    ("path", found.path),
                    ("min-version", found.min_version),
                    ("offerable", found.offerable),
                    ("reason", found.reason),
                ]
            )
            evaluated.append(record([("server", server.name), ("availability", availability)]))
        refusals = _ask(self._rules, "install-gate", self._judged, evaluated, list(platforms), gate.os())
        return [read_refusal(refusal) for refusal in refusals]


def _holds_nothing(found: Any, listing: Any) -> bool:
    """Whether the component found no package in all that was listed."""
    return not listing.truncated and not isinstance(found, list) and not found.formats


def _no_package(shown: str) -> PackageError:
    return PackageError(f"`{shown}` is no package: it has no plugin.json and no .dsh-plugin")


@functools.cache
def _packaged(cache: bool) -> Loaded:
    return load(packaged("appdecl-packages"), "packages", {}, cache=cache)


def _ask(rules: Loaded, name: str, *arguments: Any) -> Any:
    # A fresh instance for each question, so that no package leaves anything behind for the next.
    try:
        return Instance(rules).call(name, arguments)
    except WasmtimeError as error:
        raise ComponentError(f"the component ended `{name}`: {reason(error)}") from error
