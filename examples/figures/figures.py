"""What a call costs in Python: `figures.py start` makes one, `figures.py` measures many. `run` prints the ratios."""

import json
import sys
import time

from appdecl import Gate, Machine

FILE = {"app": {system: {"presence": "executable", "location": sys.executable} for system in ("linux", "darwin")}}

gate = Gate()
gate.register("asks", {**FILE, "requires": {"app": True}})
gate.register("asks nothing", FILE)
assert gate.availability("asks").offerable


def microseconds(call, times=300, rounds=9):
    """The shortest of some rounds, for one call: what else the machine does can only add to a time."""
    measured = []
    for _ in range(rounds):
        begun = time.perf_counter()
        for _ in range(times):
            call()
        measured.append((time.perf_counter() - begun) / times * 1e6)
    return min(measured)


if sys.argv[1:] != ["start"]:
    machine = Machine()
    print(json.dumps({
        "call": microseconds(lambda: gate.availability("asks")),
        "record": microseconds(lambda: gate.availability("asks nothing")),
        "crossing": microseconds(lambda: gate.version_at_least("1", "2")),
        "stat": microseconds(lambda: machine.stat(sys.executable)),
    }))
