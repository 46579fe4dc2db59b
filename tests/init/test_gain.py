"""Which of the plans that were tried is written, from times that are written down here."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import cycle
from pathlib import Path
from typing import Any, cast

import pytest

from cord.tools.init.choice import Candidate
from cord.tools.init.gain import ROUNDS, Gain
from cord.tools.init.plain import Plain
from cord.tools.init.profile import Function
from cord.tools.init.proposal import Table
from cord.tools.init.steady import Steady
from cord.tools.trials.differences import Shown


def table(module: str) -> Table:
    function = Function(module, "f", "", 1, "function", "project", 9, 9.0, 9.0)
    return Table(module, [Candidate(0, function, False, 9, 9.0)], 8)


class Trials:
    """Runs that take as long as is written down for what is remote."""

    def __init__(self, plan: Path, times: dict[str, list[float]], wrong: tuple[str, ...]) -> None:
        self._plan = plan
        self._times: dict[str, Iterator[float]] = {key: cycle(some) for key, some in times.items()}
        self._wrong = wrong

    def plain(self) -> Shown:
        return self._shown("")

    def cord(self, name: str, longest: float = 1.0) -> Shown:
        tables = self._plan.read_text().split("\n\n")
        mine = [one for one in tables if f"[variants.{name}." in one]
        return self._shown("".join(one.partition("remote.")[2][0] for one in mine))

    def _shown(self, modules: str) -> Shown:
        seconds = next(self._times[modules])
        return Shown(b"wrong" if modules in self._wrong else b"right", b"", 0, {}, seconds)


class Program:
    """What `Gain` asks of plain runs."""

    seconds = longest = 1.0

    def __init__(self, plan: Path, times: dict[str, list[float]], wrong: tuple[str, ...]) -> None:
        self.plan = str(plan)
        self.trials = Trials(plan, times, wrong)
        self.steady = Steady()
        self.shown = self.trials.plain()
        self.said: list[str] = []
        self.is_disturbed = False

    def note(self, shown: Shown) -> Shown:
        return shown

    def say(self, line: str) -> None:
        self.said.append(line)

    def learn(self, again: Shown) -> None:
        self.steady.learn(self.shown, again)


Make = Callable[..., tuple[Gain, Program]]


@pytest.fixture
def made(tmp_path: Path) -> Make:
    def make(wrong: tuple[str, ...] = (), **times: Any) -> tuple[Gain, Program]:
        known = {
            key.strip("_"): [one] if isinstance(one, float) else one for key, one in times.items()
        }
        program = Program(tmp_path / "cord.toml", known, wrong)
        return Gain(cast(Plain, program)), program

    return make


def modules(some: list[Table]) -> str:
    return "".join(one.module for one in some)


def test_the_plan_that_gains_most(made: Make) -> None:
    gain, program = made(_=1.0, a=0.6, b=0.3)
    best = gain.best([[table("a")], [table("b")]])
    assert (modules(best.tables), best.plain, best.cord, best.rounds) == ("b", 1.0, 0.3, ROUNDS)
    assert best.pays
    assert "round 1 of 3: with f in replicas: 0.30 s" in program.said


def test_of_two_that_are_much_the_same_the_first(made: Make) -> None:
    gain, _ = made(_=1.0, a=0.41, b=0.4)
    assert modules(gain.best([[table("a")], [table("b")]]).tables) == "a"


def test_a_plan_that_shows_something_else_is_none(made: Make) -> None:
    gain, _ = made(wrong=("b",), _=1.0, a=0.6, b=0.3)
    assert modules(gain.best([[table("a")], [table("b")]]).tables) == "a"
    wrong = gain.best([[table("b")]])
    assert wrong.unlike
    assert not wrong.pays


def test_a_table_that_gains_nothing_is_left_out(made: Make) -> None:
    gain, _ = made(_=1.0, ab=0.5, a=0.5, b=1.0)
    best = gain.best([[table("a"), table("b")]])
    assert (modules(best.tables), best.without) == ("a", [None])
    gain, _ = made(_=1.0, ab=0.5, a=0.7, b=0.8)
    best = gain.best([[table("a"), table("b")]])
    assert (modules(best.tables), best.without) == ("ab", [0.8, 0.7])


def test_times_that_overlap_are_taken_once_more(made: Make) -> None:
    gain, _ = made(_=[1.0, 0.8, 1.2], a=[0.9, 0.8, 1.1])
    best = gain.best([[table("a")]])
    assert best.rounds == 2 * ROUNDS
    assert not best.pays


def test_a_first_run_tells_what_differs(made: Make) -> None:
    gain, _ = made(wrong=("b",), _=1.0, a=0.6, b=0.3)
    right, wrong = gain.trial([[table("a")], [table("b")]])
    assert (right.seconds, right.unlike) == (0.6, [])
    assert [one.where for one in wrong.unlike] == ["stdout, line 1"]
