"""Answers a list of work, so that the answers of several hosts can be compared.

Reads one JSON object a line: `{"case": NAME, "calls": [[FUNCTION, ARGUMENT...]...], "transcript": [LINE...]}`. A case
without a transcript is asked of this machine. Writes one line for each, `{"case": NAME, "results": [...]}`. A result is
`{"ok": ANSWER}`, `{"invalid": [DIAGNOSTIC...]}`, `{"unavailable": REASON}`, or `{"error": true}` where the call had none.

Tokens are written as they are: this is for tests.
"""

from __future__ import annotations

import dataclasses
import json
import sys
from typing import Any

from appdecl import (
    AppdeclError,
    Boundary,
    EndpointUnavailable,
    Gate,
    InvalidDeclaration,
    Package,
    PackageError,
    Replay,
    Token,
)


def main() -> None:
    sys.stdin.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
    sys.stdout.reconfigure(encoding="utf-8", newline="\n")  # type: ignore[union-attr]
    gates = {}
    for line in sys.stdin:
        work = json.loads(line)
        transcript = work.get("transcript")
        # One gate answers for the machine; a machine on paper has one of its own.
        gate = gates.get("machine") if transcript is None else None
        if gate is None:
            gate = Gate(host=None if transcript is None else Replay(transcript), redactor=lambda secret: True)
            if transcript is None:
                gates["machine"] = gate
        results = [result(gate, *call) for call in work["calls"]]
        print(json.dumps({"case": work["case"], "results": results}, ensure_ascii=False, separators=(",", ":")))


def result(gate: Gate, function: str, *arguments: Any) -> dict[str, Any]:
    try:
        if function == "register":
            server, declaration, label, display_name = arguments
            return {"ok": gate.register(server, declaration, label=label, display_name=display_name)}
        if function == "validate":
            return {"ok": plain(Package.open(*arguments).validate())}
        if function == "install_gate":
            folder, platforms = arguments
            return {"ok": plain(Package.open(folder).install_gate(gate, platforms))}
        answer = getattr(gate, function)(*arguments)
    except InvalidDeclaration as error:
        return {"invalid": plain(list(error.diagnostics))}
    except PackageError:
        return {"error": True}
    except AppdeclError as error:
        print(f"{function}: {error}", file=sys.stderr)
        return {"error": True}
    if isinstance(answer, EndpointUnavailable):
        return {"unavailable": answer.reason}
    return {"ok": plain(answer)}


def plain(answer: Any) -> Any:
    if isinstance(answer, Token):
        return answer.reveal()
    if isinstance(answer, Boundary) and answer.name is None:
        return {"kind": answer.kind}
    if isinstance(answer, (list, tuple)):
        return [plain(item) for item in answer]
    if dataclasses.is_dataclass(answer):
        return {field.name: plain(getattr(answer, field.name)) for field in dataclasses.fields(answer)}
    return answer


if __name__ == "__main__":
    main()
