"""The command: runs the program under many settings, and writes the best of them into the plan."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from contextlib import suppress
from statistics import fmean
from typing import TYPE_CHECKING

from cord.errors import CordError
from cord.plan.words import BASE
from cord.tools.trace.reading import Trace
from cord.tools.trials.copies import scratch_folder
from cord.tools.trials.differences import differences
from cord.tools.trials.trials import Trials, standard_input
from cord.tools.tune import writing
from cord.tools.tune.facts import facts_of
from cord.tools.tune.race import Search
from cord.tools.tune.space import axes

if TYPE_CHECKING:
    from typing import Any, TextIO

    from cord.plan.model import Plan
    from cord.plan.program import Program
    from cord.tools.trials.differences import Shown
    from cord.tools.tune.race import Found
    from cord.tools.tune.space import Choice


# Other programs that keep fewer cores busy are not worth a word; those that keep such a part of
# them busy make times say little.
_LITTLE = 0.1
_MUCH = 0.25


def tune(
    plan: Plan,
    variants: list[str],
    program: Program,
    args: list[str],
    settings: list[str],
    *,
    budget: float,
    as_data: bool,
) -> int:
    """Find the settings under which a program is fastest, and add them to its plan as a variant.

    Args:
        plan: The plan.
        variants: The names of the variants that its file has.
        program: The program.
        args: Its own arguments.
        settings: The settings given with `--set`.
        budget: How many seconds that may take.
        as_data: Whether to print what was found as JSON.

    Returns:
        The exit code: 0, also where the plan is best as it is.

    Raises:
        CordError: The plan has such a variant already, or cannot be written; or the program fails,
            or shows something else under Cord or from run to run.
    """
    if writing.NAME in variants:
        raise CordError(
            f"{plan.path} has [variants.{writing.NAME}] already, and nothing is overwritten",
            "remove it, or give it another name",
        )
    if not os.access(plan.path, os.W_OK):
        raise CordError(f"{plan.path} cannot be written: Permission denied")
    until = time.monotonic() + budget
    with scratch_folder("tune") as scratch:
        runs = _Runs(Trials(program, args, plan.path, settings, standard_input(), scratch), scratch)
        reference, facts = runs.first(_parameters(plan, program))
        cores = len(os.sched_getaffinity(0))
        space = axes(list(plan.remote.values()), facts, cores)
        search = Search(runs.run, time.monotonic, until, reference.seconds)
        found = search.search(space)
    _tell(found, runs)
    heading = _heading(found, runs, [program.name, *args], cores) if found.choice else []
    if found.choice:
        _add(plan.path, writing.variant(found, heading))
    if as_data:
        print(json.dumps(_as_json(found, runs, plan.path, cores), indent=2))
    else:
        _print(found, plan.path, program.name)
    return 0


class _Runs:
    """Runs of the program, each looked at and told of.

    Args:
        trials: Runs it.
        scratch: A folder for what the runs need.
    """

    def __init__(self, trials: Trials, scratch: str) -> None:
        self._trials = trials
        self._trace = os.path.join(scratch, "run.trace")
        self._told: TextIO | None = sys.stderr
        self._reference: Shown | None = None
        self.others: list[float] = []
        self.unlike: list[Choice] = []

    @property
    def busy(self) -> float:
        """How many cores other programs kept busy on average, as far as that is known."""
        return fmean(self.others) if self.others else 0.0

    def first(self, parameters: dict[str, tuple[str, ...]]) -> tuple[Shown, Any]:
        """The first runs: what the program shows, and what its calls are like."""
        plain = self._trials.plain()
        if plain.status:
            last = f": {plain.last_line}" if plain.last_line else ""
            raise CordError(
                f"in plain Python the program ends with exit status {plain.status}{last}",
                "cord tune needs a program that runs to its end",
            )
        self._reference = plain
        self._say("plain Python", plain.seconds)
        traced = self._trials.cord(BASE, "--trace", self._trace)
        found = differences(plain, traced)
        if found:
            raise CordError(
                f"{found[0].where} is not the same in plain Python and under the plan",
                "cord verify tells what differs, and why",
            )
        self._say("the plan as it is", traced.seconds)
        return traced, facts_of(Trace.read(self._trace), parameters)

    def run(self, choice: Choice, longest: float | None) -> float | None:
        """Run it under a choice: how long that took, if it showed what plain Python shows."""
        options = [word for key, value in choice for word in ("--set", _setting(key, value))]
        try:
            shown = self._trials.cord(BASE, *options, longest=longest)
        except subprocess.TimeoutExpired:
            self._say(_words(choice), None)
            return None
        assert self._reference is not None
        if shown.others is not None:
            self.others.append(shown.others)
        # a line of Cord's on stderr is a complaint about the choice
        complains = shown.stderr.count(b"\ncord: ") > self._reference.stderr.count(b"\ncord: ")
        if differences(self._reference, shown) or complains or shown.stderr.startswith(b"cord: "):
            self.unlike.append(choice)
            self._say(f"{_words(choice)}: not the same, or complained of", None)
            return None
        self._say(_words(choice), shown.seconds)
        return shown.seconds

    def _say(self, what: str, seconds: float | None) -> None:
        if self._told is not None:
            took = "given up" if seconds is None else f"{seconds:.3f} s"
            with suppress(OSError):
                self._told.write(f"{took:>10}  {what}\n")
                self._told.flush()


def _parameters(plan: Plan, program: Program) -> dict[str, tuple[str, ...]]:
    """The parameters of the remote functions, by module."""
    from cord.tools.names import source_of

    found = {}
    for remote in plan.remote.values():
        names: dict[str, None] = {}
        path = source_of(remote, program)
        if path:
            with suppress(SyntaxError, OSError):
                outline = program.outlines.of(path)
                for function in outline.remote_functions(remote):
                    names |= dict.fromkeys(outline.parameters.get(function, ()))
        found[remote.module] = tuple(names)
    return found


def _setting(key: str, value: object) -> str:
    return f"{key}={json.dumps(value)}"


def _words(choice: Choice) -> str:
    return ", ".join(_setting(key, value) for key, value in choice) or "the plan as it is"


def _add(path: str, text: str) -> None:
    try:
        with open(path, encoding="utf-8") as file:
            ends = file.read()[-1:]
        with open(path, "a", encoding="utf-8") as file:
            file.write(("" if ends in ("", "\n") else "\n") + text)
    except OSError as error:
        raise CordError(f"{path} cannot be written: {error.strerror}\n\n{text}") from None


def _heading(found: Found, runs: _Runs, words: list[str], cores: int) -> list[str]:
    from datetime import UTC, datetime
    from shlex import join

    today = datetime.now(UTC).date().isoformat()
    return [
        f"Found by cord tune on {today}, for {join(words)}:",
        f"{writing.gain(found)}.",
        f"{found.tried} ways were tried in {found.runs} runs, on {_cores(cores)}{_shared(runs)}.",
    ]


def _cores(count: int) -> str:
    return f"{count} core{'' if count == 1 else 's'}"


def _shared(runs: _Runs) -> str:
    """That others used the cores, too, if that is worth a word."""
    if runs.busy < _LITTLE:
        return ""
    return f", of which other programs kept {runs.busy:.1f} busy"


def _tell(found: Found, runs: _Runs) -> None:
    if sys.stderr is not None and runs.busy > _MUCH * len(os.sched_getaffinity(0)):
        sys.stderr.write(
            f"cord: other programs kept {runs.busy:.1f} cores busy meanwhile; run it again when "
            "the machine is quiet\n"
        )
    if sys.stderr is not None and not found.is_whole:
        sys.stderr.write("cord: the time was over before all was tried; --budget gives more\n")


def _print(found: Found, path: str, name: str) -> None:
    if not found.tried:
        why = "nothing else is to be tried" if found.is_whole else "there was no time for others"
        print(f"{path} stays as it is: {why}.")
        return
    if not found.choice:
        print(f"{path} is best as it is, of {found.tried} other ways that were tried.")
        return
    print(f"{writing.gain(found)}")
    for key, value in found.choice:
        print(f"  {_setting(key, value)}")
    print(f"It stands in {path} now: cord run --variant {writing.NAME} {name}")


def _as_json(found: Found, runs: _Runs, path: str, cores: int) -> dict[str, Any]:
    return {
        "plan": path,
        "choice": dict(found.choice),
        "variant": writing.NAME if found.choice else None,
        "before": found.before,
        "after": found.after,
        "steps": [
            {
                "what": step.axis,
                "choice": dict(step.choice),
                "before": step.before,
                "after": step.after,
            }
            for step in found.steps
        ],
        "tried": found.tried,
        "runs": found.runs,
        "whole": found.is_whole,
        "unlike": [dict(choice) for choice in runs.unlike],
        "others": runs.busy if runs.others else None,
        "cores": cores,
    }
