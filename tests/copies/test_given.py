"""What functions of the project give in place of values, and what an earlier run has shown."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from program_case import Case, Observed, run_plain, run_script
from spans import most_at_once, read_spans

TOLD_RUN = str(Path(__file__).parent / "told_run.py")
PLAN = """\
[report]
warn = false

[remote.work]
replicas = 8
repeatable = true
only = ["step", "label", "cost", "say"]
"""
WORK = """\
import os
import time
from pathlib import Path

def _nap():
    start = time.monotonic()
    time.sleep(float(os.environ["NAP"]))
    name = f"{os.getpid()}.{time.monotonic_ns()}"
    Path(os.environ["SPANS"], name).write_text(f"{start} {time.monotonic()}\\n")

def step(x):
    _nap()
    return x * 2 % 101

def cost(x):
    _nap()
    return (x - 0.7) ** 2

def label(x):
    _nap()
    return "even" if x % 2 == 0 else "odd"

def say(x, kind):
    _nap()
    return f"{x} is {kind}"

def exact(x):
    return x * 2 % 101

def coarse(x):
    return (x - 0.71) ** 2

def kind(x):
    return "even" if x % 2 == 0 else "odd"

def raising(x):
    raise ValueError(x)
"""
# who calls the method, the text of the program does not show
MAIN = """\
import cmd
import work

class Shell(cmd.Cmd):
    x, low, high = 3, 0.0, 1.0

    def do_step(self, text):
        self.x = work.step(self.x)
        print(text, self.x)

    def do_narrow(self, text):
        third = (self.high - self.low) / 3
        if work.cost(self.low + third) < work.cost(self.high - third):
            self.high -= third
        else:
            self.low += third
        print(text, self.low, self.high)

    def do_label(self, text):
        kind = work.label(self.x)
        self.x += 3 if kind == "even" else 4
        print(text, work.say(self.x, kind))

shell = Shell()
for n in range(COUNT):
    shell.onecmd(f"WHAT {n}")
"""
# Slices of this text see all calls, and that each needs the one before.
LOOP = """\
import work

x = 3
for n in range(24):
    x = work.step(x)
    print(n, x)
"""
GUESSES = {
    "loop": ("step", "exact", 24),
    "step": ("step", "exact", 24),
    "narrow": ("cost", "coarse", 14),
    "label": ("label", "kind", 14),
}


def case_of(what: str, guess: str | None = None) -> Case:
    function, by, count = GUESSES[what]
    plan = PLAN if guess == "" else f"{PLAN}\n[remote.work.functions.{function}]\n"
    plan += "" if guess == "" else f'guess = "work.{guess or by}"\n'
    main = LOOP if what == "loop" else MAIN.replace("WHAT", what).replace("COUNT", str(count))
    return Case(what, what, {}, {"cord.toml": plan, "work.py": WORK, "main.py": main})


class Runs:
    """One program, run once with plain Python and several times with Cord."""

    def __init__(self, case: Case, folder: Path, nap: float) -> None:
        self._case, self._folder, self._nap = case, folder, nap
        case.write(folder / "program")
        self.plain = run_plain(case, folder / "program", self._environment("plain"))

    def _environment(self, name: str) -> dict[str, str]:
        spans = self._folder / name
        spans.mkdir()
        return {"SPANS": str(spans), "NAP": str(self._nap), "PYTHONDONTWRITEBYTECODE": ""}

    def run(self, name: str) -> tuple[int, dict[str, tuple[int, int]]]:
        """How many calls ran at one time, and how often guesses were right and wrong."""
        told = self._folder / f"{name}.json"
        environment = self._environment(name)
        cord = run_script(
            self._case, self._folder / "program", [TOLD_RUN, "planned", str(told)], environment
        )
        assert seen(cord) == seen(self.plain)
        *_, guesses = json.loads(told.read_text())
        return most_at_once(read_spans(self._folder / name)), guesses


def seen(ran: Observed) -> tuple[Any, ...]:
    return ran.stdout, ran.stderr, ran.code


@pytest.mark.parametrize("what", GUESSES)
def test_calls_overlap_that_need_what_was_guessed(what: str, tmp_path: Path) -> None:
    _, by, _ = GUESSES[what]
    found = []
    for nap in (0.03, 0.15):  # others' load delays copies
        runs = Runs(case_of(what), tmp_path / str(nap), nap)
        at_once, guesses = runs.run("cord")
        found.append((at_once, guesses))
        right, wrong = guesses.get(f"work.{by}", (0, 0))
        is_good = (right == 0 < wrong) if what == "narrow" else (right > wrong == 0)
        if at_once >= 4 and is_good:
            return
    raise AssertionError(found)


def test_where_nothing_is_guessed_there_is_nothing_to_tell(tmp_path: Path) -> None:
    _, guesses = Runs(case_of("step", "raising"), tmp_path, 0.02).run("cord")
    assert guesses == {}


def test_later_runs_know_the_way_of_the_first(tmp_path: Path) -> None:
    """Each step needs to know how the one before it was decided, and nothing is guessed."""
    found = []
    for nap in (0.03, 0.15):
        runs = Runs(case_of("narrow", ""), tmp_path / str(nap), nap)
        first, *_, last = (runs.run(str(number))[0] for number in range(4))
        found.append((first, last))
        if last >= 6:
            return
    raise AssertionError(found)
