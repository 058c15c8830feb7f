"""One instance of a component, in a store of its own and with a budget for each call."""

from __future__ import annotations

from typing import Any, Callable

from wasmtime import Store
from wasmtime.component import ExportIndex, Func, Linker

from .component import Loaded
from .errors import ComponentError
from .signature import with_known_signature

__all__ = ["Instance"]

_MEMORY = 256 * 1024 * 1024
# The largest declaration takes a hundredth of this, which is some seconds of computing.
_FUEL = 10_000_000_000


class Instance:
    """An instance and the functions it exports. `answer` gives the function behind a question."""

    def __init__(self, loaded: Loaded, answer: Callable[[str, str], Callable[..., Any]] | None = None) -> None:
        linker = Linker(loaded.engine)
        if answer is not None:
            with linker.root() as root:
                for interface, (name, functions) in loaded.imports.items():
                    with root.add_instance(name) as instance:
                        for function in functions:
                            instance.add_func(function, answer(interface, function))
        self._store = Store(loaded.engine)
        self._store.set_limits(memory_size=_MEMORY)
        self._store.set_fuel(_FUEL)
        self._instance = linker.instantiate(self._store, loaded.component)
        self._exported: ExportIndex | None = self._instance.get_export_index(self._store, loaded.exported)
        self._functions: dict[str, Func] = {}

    def call(self, name: str, arguments: tuple[Any, ...]) -> Any:
        """What an exported function answers. Raises what the runtime raises; the instance is of no use after that."""
        function = self._functions.get(name)
        if function is None:
            index = self._instance.get_export_index(self._store, name, self._exported)
            function = self._instance.get_func(self._store, index) if index else None
            if function is None:
                raise ComponentError(f"the component exports no `{name}`")
            function = self._functions[name] = with_known_signature(function, self._store)
        self._store.set_fuel(_FUEL)
        return function(self._store, *arguments)
