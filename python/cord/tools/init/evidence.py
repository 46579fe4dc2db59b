"""Whether functions are pure: what their text says, and what calls give that are made again."""

from __future__ import annotations

import json
import os
import pickle
import subprocess
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from cord.tools.init.profiler import PROJECT
from cord.tools.init.watched import LATE_CALLS, OUTSIDE
from cord.tools.purity import analysed
from cord.tools.sources import parsed
from cord.tools.verify.alike import encoded
from cord.tools.verify.calls import Call
from cord.tools.verify.main_script import MAIN
from cord.tools.verify.probe import CHANGES, EFFECT, ELSEWHERE, READS, UNSTEADY

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cord.plan.program import Program
    from cord.tools.init.choice import Candidate
    from cord.tools.trials.differences import Shown
    from cord.tools.trials.trials import Trials

_SEEN = {
    OUTSIDE: "it {what}",
    CHANGES: "it changes its arguments, called at {place}",
    UNSTEADY: "the call at {place}, made once more with the same arguments, gives something else",
    ELSEWHERE: "the call at {place} gives something else in a process that has nothing of the "
    "program but the arguments",
    READS: "the call at {place} {what}",
    EFFECT: "calls such as the one at {place} {what}",
}
_NOTHING = encoded(None)


@dataclass(slots=True)
class Evidence:
    """What is known of a function.

    Attributes:
        against: Why it may not be declared pure, in words; "" if nothing speaks against it.
        hint: What to do about that, or "".
        sure: Whether its text says that it is pure.
        doubts: What the text leaves open, in words.
        calls: How many calls were counted.
        again: How many of them were made again, and gave the same.
        sent: The mean size of the arguments of a call, in bytes.
        came: The mean size of its result.
        each: How long one took, in seconds, without a profiler.
        cost: What it takes to encode and decode them, in seconds for a call.
    """

    against: str = ""
    hint: str = ""
    sure: bool = False
    doubts: list[str] = field(default_factory=list)
    calls: int = 0
    again: int = 0
    sent: float = 0.0
    came: float = 0.0
    each: float = 0.0
    cost: float = 0.0


def read(program: Program, found: Iterable[Candidate]) -> dict[str, Evidence]:
    """What the text says of functions, by their full names."""
    known: dict[str, Evidence] = {}
    # a library is read only for its own functions: for the project's it is known from tables
    for is_own in (True, False):
        remote: dict[str, list[str]] = {}
        for one in found:
            if (one.function.place == PROJECT) is is_own:
                remote.setdefault(one.function.module, []).append(one.function.name)
        if remote:
            known.update(_read(program, remote))
    return known


def _read(program: Program, remote: dict[str, list[str]]) -> dict[str, Evidence]:
    known: dict[str, Evidence] = {}
    findings, _ = analysed(program, parsed(program.path), remote)
    for module, names in remote.items():
        for name in names:
            report = findings.report(module, name, declared=True)
            evidence = known[f"{module}.{name}"] = Evidence(sure=report.verdict == "pure")
            evidence.doubts = report.reasons
            if report.warnings:
                first = report.warnings[0]
                place = f"{os.path.basename(findings.path(first.module))}:{first.line}"
                said = first.text.replace(" is declared pure, but", "")
                evidence.against, evidence.hint = f"{place}: {said}", first.hint
            elif report.verdict == "impure":
                evidence.against = "; ".join(report.reasons[:2])
    return known


def watch(
    trials: Trials,
    request: dict[str, Any],
    scratch: str,
    found: list[Candidate],
    known: dict[str, Evidence],
    patience: float,
    late: float,
    longest: float,
) -> Shown | None:
    """Run the program with functions watched, make calls again, and note what comes of it.

    Args:
        trials: How it is run.
        request: The program, as `run_main` wants it.
        scratch: A folder for what the runs write.
        found: The functions.
        known: What is known of them, by their full names; more is noted there.
        patience: How many seconds making calls again may take.
        late: By how many seconds calls come late, all together.
        longest: How many seconds each run may take.

    Returns:
        What the watched run has shown; None if it took longer than it may.
    """
    paths = {name: os.path.join(scratch, name) for name in _WRITTEN}
    calls_late = min(LATE_CALLS, max(1, sum(one.calls for one in found)))
    about = {
        "remote": _remote(found),
        "assumed": [],
        "main": [one.function.name for one in found if one.function.module == MAIN],
        "patience": patience,
        "all": False,
        "late": late / calls_late,
    }
    path = os.path.join(scratch, "watched")
    with open(path, "w", encoding="utf-8") as file:
        json.dump({**request, **about, **paths}, file)
    shown = None
    with suppress(subprocess.TimeoutExpired):
        shown = trials.run(["-m", "cord.tools.init.watched", path], longest)
        trials.run(["-m", "cord.tools.verify.replay", path], longest)
    elsewhere = _from_file(paths["elsewhere"], None)
    findings = _from_file(paths["findings"], []) + (elsewhere or {"findings": []})["findings"]
    counts, calls = _calls(paths["calls"])
    costs = _from_file(paths["costs"], {})
    again = {} if elsewhere is None else elsewhere["of_each"]
    for full, evidence in known.items():
        own = {one["kind"]: one for one in reversed(findings) if one["function"] == full}
        against = [words.format(**own[kind]) for kind, words in _SEEN.items() if kind in own]
        evidence.against = against[0] if against else ""
        _note_calls(evidence, counts.get(full, 0), calls.get(full, []))
        evidence.cost = costs.get(full, 0.0)
        evidence.again = again.get(full, 0)
    return shown


_WRITTEN = ("findings", "costs", "calls", "elsewhere")


def _remote(found: list[Candidate]) -> dict[str, Any]:
    remote: dict[str, Any] = {}
    for one in found:
        empty = {"only": [], "pure": True, "functions": {}, "inside": False}
        module = remote.setdefault(one.function.module, empty)
        module["only"].append(one.function.name)
        module["inside"] |= one.inside
    return remote


def _note_calls(evidence: Evidence, count: int, calls: list[Call]) -> None:
    evidence.calls = count
    if not calls:
        if count:
            against = "its arguments or results cannot travel to another process"
        else:
            against = "" if evidence.sure else "no call of it could be watched"
        evidence.against = evidence.against or against
        return
    number = len(calls)
    evidence.sent = sum(len(call.head) for call in calls) / number
    evidence.came = sum(len(call.result) for call in calls) / number
    evidence.each = sum(call.seconds for call in calls) / number
    if not (evidence.against or evidence.sure) and all(call.result == _NOTHING for call in calls):
        evidence.against = "it gives nothing back, so it is called for what it does"


def _from_file(path: str, missing: Any) -> Any:
    try:
        with open(path, encoding="utf-8") as file:
            return json.load(file)
    except (OSError, ValueError):
        return missing


def _calls(path: str) -> tuple[dict[str, int], dict[str, list[Call]]]:
    try:
        with open(path, "rb") as file:
            counts, calls, *_ = pickle.load(file)
    except (OSError, EOFError, pickle.UnpicklingError):
        return {}, {}
    return counts, calls
