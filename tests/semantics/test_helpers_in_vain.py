"""Few calls are in vain in a function that reads what a statement before it has changed."""

from __future__ import annotations

from pathlib import Path

from program_case import Case, run_cord, run_plain
from spans import lay_out, read_spans

PLAN = """\
[remote.work]
replicas = 8
callstyle = "async"
repeatable = true

[run]
copies = false
"""
MAIN = """\
import random

import work


class Swarm:
    def __init__(self):
        self.places = [random.random() for _ in range(8)]

    def move(self):  # a scout passes this by, and reads the places of the last turn
        self.places = [place + random.random() for place in self.places]

    def measure(self):
        self.values = [work.nap(place) for place in self.places]


random.seed(1)
swarm = Swarm()
for turn in range(12):
    swarm.move()
    swarm.measure()
    print(turn, min(swarm.values))
"""


def test_few_calls_are_in_vain(tmp_path: Path) -> None:
    case = Case("swarm", "swarm", {}, {"main.py": MAIN})
    made = {}
    for side, run in (("plain", run_plain), ("cord", run_cord)):
        program, environment = lay_out(case, tmp_path / side, PLAN, nap=0.02)
        made[side] = run(case, program, environment)
    assert (made["cord"].stdout, made["cord"].stderr) == (made["plain"].stdout, "")
    asked_for, sent = (len(read_spans(tmp_path / side / "spans")) for side in ("plain", "cord"))
    assert sent - asked_for <= 32, (asked_for, sent)
