"""The file that is written: the plan, and beside each line why it stands there."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cord.tools.init.proposal import Table, as_file
from cord.tools.init.refusal import duration, number_of, size

if TYPE_CHECKING:
    from cord.tools.init.evidence import Evidence
    from cord.tools.init.gain import Gained
    from cord.tools.init.plain import Plain


@dataclass(frozen=True, slots=True)
class Written:
    """What is written, and what is said of it.

    Attributes:
        text: The file.
        summary: What it gains, in a sentence.
        gained: What it gains.
        known: What is known of its functions, by their full names.
    """

    text: str
    summary: str
    gained: Gained
    known: dict[str, Evidence]


def written(plain: Plain, gained: Gained, known: dict[str, Evidence], seconds: float) -> Written:
    """The file for a plan.

    Args:
        plain: The program.
        gained: The plan, and what it has gained.
        known: What is known of its functions.
        seconds: How long the profiled run took.
    """
    cores = len(os.sched_getaffinity(0))
    summary = (
        f"{duration(gained.plain)} in plain Python, {duration(gained.cord)} under the plan: "
        f"{gained.speedup:.2f} times as fast"
    )
    how = f"medians of {gained.rounds} runs each, taken in turns, on {number_of(cores, 'core')}"
    same = "stdout, the last line of stderr, the exit status and the files were the same"
    if plain.steady.unsteady:
        lines = number_of(plain.steady.lines(), "line")
        same += f", but for the numbers in {lines}, which differ from run to run of plain Python"
    heading = [
        f"Written by cord init for: {plain.command}",
        f"On {time.strftime('%Y-%m-%d')}: {summary} ({how}). In all runs {same}.",
    ]
    for table, without in zip(gained.tables, gained.without, strict=True):
        _note(table, without, gained, known, seconds)
    return Written(as_file(heading, gained.tables), summary, gained, known)


def _note(
    table: Table,
    without: float | None,
    gained: Gained,
    known: dict[str, Evidence],
    seconds: float,
) -> None:
    share = sum(one.seconds for one in table.functions) / seconds
    evidence = {one.function.name: known[one.function.full] for one in table.functions}
    gain = f"{gained.speedup:.2f} times as fast as plain Python"
    if without is not None:
        times = f"{without / gained.cord:.2f} times as fast"
        gain = f"{times} as without this table ({duration(without)})"
    table.notes[""] = f"{min(share, 1):.0%} of the program's time; {gain}"
    table.notes["replicas"] = "it waits more than it computes: more may gain more"
    table.notes["threads"] = "it waits more than it computes: more may gain more"
    table.notes["pure"] = _purity(evidence)
    words = sorted({word for one in evidence.values() for word in one.accepted})
    table.notes["repeatable"] = (
        f"your word (--accept {','.join(words)}): calls may be early, again, or in vain"
    )
    said = [(name, _calls(one)) for name, one in evidence.items()]
    table.notes["only"] = _each_named(said)
    if table.inside:
        table.notes["inside"] = "calls that the module makes itself, too"


def _purity(functions: dict[str, Evidence]) -> str:
    """What speaks for the functions of a table being pure, by their names."""
    alike: dict[str, list[str]] = {}
    for name, one in functions.items():
        first = "surely pure by its text" if one.sure else _doubted(one)
        alike.setdefault(first, []).append(name)
    said = []
    for first, names in alike.items():
        said.append((", ".join(names), first))
    again = max(one.again for one in functions.values())
    made = f"; {number_of(again, 'call')}, made again in another process, gave the same"
    return _each_named(said) + (made if again else "")


def _each_named(said: list[tuple[str, str]]) -> str:
    """What is said of functions, with their names if it is not the same of all."""
    if len(said) == 1:
        return said[0][1]
    return "; ".join(f"{name}: {text}" for name, text in said)


def _doubted(evidence: Evidence) -> str:
    return f"looks pure, but {evidence.doubts[0]}" if evidence.doubts else "looks pure"


def _calls(evidence: Evidence) -> str:
    return (
        f"{number_of(evidence.calls, 'call')} of {duration(evidence.each)}, "
        f"{size(evidence.sent)} there, {size(evidence.came)} back"
    )
