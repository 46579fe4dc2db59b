"""Whether functions are pure: their text, what their calls do, and what runs say of them."""

from __future__ import annotations

import json
import os
import subprocess
from contextlib import suppress
from dataclasses import dataclass, field
from statistics import fmean
from typing import TYPE_CHECKING, Any

from cord.knowledge import rows
from cord.plan.modules import is_installed
from cord.tools.init.profile import MAIN
from cord.tools.init.profiler import PROJECT
from cord.tools.init.watched import LATE_CALLS, NETWORK, WRITES
from cord.tools.purity import analysed
from cord.tools.sources import parsed

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cord.effects.findings import Finding, Findings, Report
    from cord.plan.program import Program
    from cord.tools.init.choice import Candidate
    from cord.tools.init.plain import Plain
    from cord.tools.trials.differences import Shown


# What only the user knows to do no harm, as `--accept` names it, by the kind of the effect.
ASKED = {rows.NETWORK: "network", rows.WRITES_FILES: "files"}
# What such a function may do besides: pause for any time, and note how long something took.
_BESIDE = frozenset({*ASKED, rows.CLOCK, rows.RANDOM})
_OUTSIDE = {NETWORK: "network", WRITES: "files"}


@dataclass(slots=True)
class Evidence:
    """What is known of a function.

    Attributes:
        against: Why it may not be declared pure, in words; "" if nothing speaks against it.
        kind: Of what kind the effect is that speaks against it, if the text tells.
        asks: What the user would have to accept, as `--accept` names it, for that to be no reason.
        accepted: What the user has accepted.
        hint: What to do about that, or "".
        sure: Whether its text says that it is pure.
        doubts: What the text leaves open, in words.
        calls: How many calls were counted.
        again: How many calls of its module's functions were made again in other processes, and
            have given the same.
        sent: The mean size of the arguments of a call, in bytes.
        came: The mean size of its result.
        each: How long one took, in seconds, without a profiler.
        cost: What it takes to encode and decode them, in seconds for a call.
    """

    against: str = ""
    kind: str = ""
    asks: set[str] = field(default_factory=set)
    accepted: set[str] = field(default_factory=set)
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
            known[f"{module}.{name}"] = _weighed(findings, report)
    return known


def _weighed(findings: Findings, report: Report) -> Evidence:
    """What a report says against a function, but for what a run sees in time.

    What is found inside of installed packages is no reason: a run tells whether it counts.
    """
    evidence = Evidence(sure=report.verdict == "pure", doubts=report.reasons)
    found = [
        one
        for one in report.warnings
        if one.kind in report.against and not is_installed(findings.path(one.module))
    ]
    asked = [one for one in found if one.kind in ASKED]
    if asked:
        found = [one for one in found if one.kind not in _BESIDE]
    if found or asked:
        _speak_against(evidence, findings, (found or asked)[0])
    if not found:
        evidence.asks = {ASKED[one.kind] for one in asked}
    return evidence


def _speak_against(evidence: Evidence, findings: Findings, first: Finding) -> None:
    place = f"{os.path.basename(findings.path(first.module))}:{first.line}"
    said = first.text.replace(" is declared pure, but", "")
    evidence.against, evidence.kind = f"{place}: {said}", first.kind
    evidence.hint = "" if first.kind in ASKED else first.hint


def watch(plain: Plain, found: list[Candidate], known: dict[str, Evidence], late: float) -> None:
    """Run the program with functions watched, and note what comes of it.

    Args:
        plain: The program; it learns what depends on the time.
        found: The functions.
        known: What is known of them, by their full names; more is noted there.
        late: By how many seconds calls come late, all together.
    """
    path = os.path.join(plain.scratch, "seen")
    functions = [one.function for one in found]
    about = {
        "functions": [(one.file, one.line, one.name, one.full) for one in functions],
        "late": late / min(LATE_CALLS, max(1, sum(one.calls for one in found))),
        "seen": path,
    }
    words = ["-m", "cord.tools.init.watched", plain.write("watched", {**plain.request(), **about})]
    shown: Shown | None = None
    with suppress(subprocess.TimeoutExpired):
        shown = plain.trials.run(words, 3 * plain.longest + late)
        plain.steady.learn(plain.shown, shown)
    try:
        with open(path, encoding="utf-8") as file:
            seen = json.load(file)
    except (OSError, ValueError):
        seen = {}
    for one in found:
        full = one.function.full
        _note(known[full], seen.get(full), one)


def _note(evidence: Evidence, seen: dict[str, Any] | None, one: Candidate) -> None:
    """Note what was seen of a function's calls."""
    if seen is None or not seen["calls"]:
        evidence.against = "" if evidence.sure else "no call of it could be watched"
        return
    evidence.calls, evidence.each = seen["calls"], one.each
    evidence.sent, evidence.came = _mean(seen["sent"]), _mean(seen["came"])
    evidence.cost = _mean(seen["cost"])
    asked = {_OUTSIDE[one] for one in seen["outside"] if one in _OUTSIDE} - evidence.accepted
    other = [said for one, said in seen["outside"].items() if one not in _OUTSIDE]
    if asked or other:
        evidence.asks = set() if other else asked
        evidence.against = f"it {other[0] if other else next(iter(seen['outside'].values()))}"
    elif not (evidence.sure or seen["gives"] or evidence.accepted):
        evidence.against = "it gives nothing back, so it is called for what it does"


def _mean(values: list[float]) -> float:
    return fmean(values) if values else 0.0


def learn(
    chosen: list[Candidate], known: dict[str, Evidence], said: dict[str, Any], script: str
) -> None:
    """Note what a run says of the functions that were remote in it.

    Args:
        chosen: The functions.
        known: What is known of them, by their full names; more is noted there.
        said: What `cord run --stats` has written of the run.
        script: What the plan calls the main script.
    """
    against = {one["function"]: one["text"] for one in said["findings"]}
    again = {one["module"]: one["again"] for one in said["waiting"]}
    for one in chosen:
        evidence, function = known[one.function.full], one.function
        is_main = function.module == MAIN
        name = function.name if is_main else function.full
        module = script if is_main else function.module
        if name in against:
            evidence.against = f"it {against[name]}"
        rows = [row for row in said["calls"] if row["function"] == function.full]
        served = sum(row["served"] for row in rows)
        if served:
            evidence.each = sum(row["service"] for row in rows) / served
        evidence.again = again.get(module, 0)
