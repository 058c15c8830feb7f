"""Loading the component: its version is judged, and its compiled code is kept beside it."""

from __future__ import annotations

import hashlib
import importlib.metadata
import os
import platform
import stat
import sys
import tempfile
from pathlib import Path
from typing import Mapping

from wasmtime import Config, Engine, WasmtimeError
from wasmtime.component import Component

from .errors import ComponentError, VersionMismatch

__all__ = ["CONTRACT", "Loaded", "load", "packaged"]

CONTRACT = "0.1.0"
"""The version of the WIT packages that this package is written for."""

Answered = Mapping[str, "tuple[str, ...]"]
"""The questions that are answered, by interface."""

_DIGEST = hashlib.sha256().digest_size


class Loaded:
    """A compiled component, and the names under which it exports and imports the contract's interfaces."""

    def __init__(self, engine: Engine, component: Component, interface: str, answered: Answered) -> None:
        self.engine = engine
        self.component = component
        kind = component.type
        self.exported = _exported(list(kind.exports(engine)), interface)
        self.imports = _imports(list(kind.imports(engine)), answered)


def packaged(name: str) -> Path:
    """A component that comes with this package."""
    return Path(__file__).with_name(f"{name}.wasm")


def load(path: Path, interface: str, answered: Answered, *, cache: bool) -> Loaded:
    """Reads, judges and compiles a component, or takes its compiled code from beside it.

    `interface` is the one of `appdecl:gate` that it is wanted for, `answered` are the questions it may ask.

    Raises `ComponentError` where the file can not be read or is no component, `VersionMismatch` where it speaks another
    version of the contract.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise ComponentError(f"the component can not be read: {error}") from error
    config = Config()
    config.consume_fuel = True
    engine = Engine(config)
    kept = _place(path, hashlib.sha256(content).hexdigest()) if cache else None
    component = _read(engine, kept) if kept else None
    if component is None:
        try:
            component = Component(engine, content)
        except WasmtimeError as error:
            raise ComponentError(f"`{path}` is no component that can be compiled: {error}") from error
        if kept:
            _write(kept, component)
    return Loaded(engine, component, interface, answered)


def _exported(exports: list[str], interface: str) -> str:
    found = [name for name in exports if name.startswith(f"appdecl:gate/{interface}@")]
    for name in found:
        if _same_track(name.rpartition("@")[2]):
            return name
    versions = ", ".join(name.rpartition("@")[2] for name in found)
    if not versions:
        raise VersionMismatch(f"the component exports no `appdecl:gate/{interface}`; version {CONTRACT} was expected")
    raise VersionMismatch(f"the component is of version {versions} of `appdecl:gate`; version {CONTRACT} was expected")


def _imports(names: list[str], answered: Answered) -> dict[str, tuple[str, tuple[str, ...]]]:
    """The interfaces that are asked, each with its name in the component and its questions; refuses others."""
    known = {}
    for name in names:
        base, _, version = name.partition("@")
        package, _, interface = base.partition("/")
        if package != "appdecl:host" or interface not in {**answered, "types": ()}:
            raise VersionMismatch(f"the component asks `{name}`, which this package does not answer")
        if not _same_track(version):
            raise VersionMismatch(f"the component asks version {version} of `{base}`; version {CONTRACT} is answered")
        if interface in answered:
            known[interface] = (name, answered[interface])
    return known


def _same_track(version: str) -> bool:
    """Whether two versions differ in their last number alone: such versions only add."""
    return version.rpartition(".")[0] == CONTRACT.rpartition(".")[0]


def _place(component: Path, digest: str) -> Path | None:
    """Where compiled code is kept: named by all that it depends on."""
    runtime = importlib.metadata.version("wasmtime")
    name = f"{component.stem}-{digest[:32]}-wasmtime-{runtime}-{sys.platform}-{platform.machine()}.cwasm"
    if sys.platform != "win32":
        return component.with_name(name)
    # Who may write beside the component can not be told from a mode there; this folder is the user's own.
    local = os.environ.get("LOCALAPPDATA")
    return Path(local, "appdecl", name) if local else None


def _read(engine: Engine, path: Path) -> Component | None:
    """Compiled code that nobody else can have written; it is run as it is, so anything in doubt is compiled anew."""
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0))
        with open(descriptor, "rb") as file:
            if not _is_ours(os.fstat(descriptor)):
                return None
            content = file.read()
        digest, code = content[:_DIGEST], content[_DIGEST:]
        if hashlib.sha256(code).digest() != digest:
            return None
        return Component.deserialize(engine, code)
    except (OSError, WasmtimeError):
        return None


def _is_ours(status: os.stat_result) -> bool:
    if not stat.S_ISREG(status.st_mode):
        return False
    if sys.platform == "win32":
        return True
    return status.st_uid in (0, os.geteuid()) and not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def _write(path: Path, component: Component) -> None:
    """Keeps compiled code in one step, or not at all: a folder that can not be written is no error."""
    try:
        if sys.platform == "win32":
            path.parent.mkdir(exist_ok=True)
        code = bytes(component.serialize())
        descriptor, staged = tempfile.mkstemp(prefix=".appdecl-", dir=path.parent)
    except (OSError, WasmtimeError):
        return
    try:
        with open(descriptor, "wb") as file:
            file.write(hashlib.sha256(code).digest() + code)
        os.replace(staged, path)
    except OSError:
        Path(staged).unlink(missing_ok=True)
