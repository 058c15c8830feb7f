"""Types of the component, read once.

`wasmtime` asks its library for the type of a function, and of every record in it, again at each call: for a record of six
fields that costs more than the call itself. Here the same objects keep what they were told.
"""

from __future__ import annotations

from typing import Any, List, Optional, Tuple

from wasmtime import Store
from wasmtime.component import Func, ListType, OptionType, RecordType, ResultType, ValType, VariantType

__all__ = ["with_known_signature"]


class _Signature:
    """What a call reads of a function's type."""

    def __init__(self, params: List[Tuple[str, ValType]], result: Optional[ValType]) -> None:
        self.params = params
        self.result = result


class _KnownRecord(RecordType):
    fields: List[Tuple[str, ValType]] = []


class _KnownList(ListType):
    element: Optional[ValType] = None  # type: ignore[assignment]


class _KnownOption(OptionType):
    payload: Optional[ValType] = None  # type: ignore[assignment]


class _KnownResult(ResultType):
    ok: Optional[ValType] = None
    err: Optional[ValType] = None


class _KnownVariant(VariantType):
    cases: List[Tuple[str, Optional[ValType]]] = []


def with_known_signature(function: Func, store: Store) -> Func:
    """The same function, whose type is not read again."""
    kind = function.type(store)
    params = [(name, _known(param)) for name, param in kind.params]
    signature = _Signature(params, _known(kind.result) if kind.result else None)
    setattr(function, "type", lambda _store: signature)
    return function


def _known(kind: Any) -> Any:
    if isinstance(kind, RecordType):
        return _keep(kind, _KnownRecord, fields=[(name, _known(field)) for name, field in kind.fields])
    if isinstance(kind, ListType):
        return _keep(kind, _KnownList, element=_known(kind.element))
    if isinstance(kind, OptionType):
        return _keep(kind, _KnownOption, payload=_known(kind.payload))
    if isinstance(kind, ResultType):
        return _keep(kind, _KnownResult, ok=kind.ok and _known(kind.ok), err=kind.err and _known(kind.err))
    if isinstance(kind, VariantType):
        return _keep(kind, _KnownVariant, cases=[(name, payload and _known(payload)) for name, payload in kind.cases])
    return kind


def _keep(kind: Any, known: type, **answers: Any) -> Any:
    # The object keeps its pointer into the library; only where its answers come from changes.
    kind.__class__ = known
    kind.__dict__.update(answers)
    return kind
