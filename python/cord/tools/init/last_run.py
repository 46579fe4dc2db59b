"""`cord init --from-last-run`: what a run without a plan has found becomes one. Runs nothing."""

from __future__ import annotations

import shlex
import sys
from typing import TYPE_CHECKING

from cord.plan.modules import find_module, search_path
from cord.plan.words import AUTO, WAITERS
from cord.tools.init.accepted import recall as recall_words
from cord.tools.init.choice import Candidate
from cord.tools.init.evidence import Evidence
from cord.tools.init.profile import MAIN, Function
from cord.tools.init.profiler import FUNCTION, PROJECT
from cord.tools.init.proposal import as_file, tables
from cord.tools.init.refusal import Refused
from cord.tools.unplanned.remembered import kept_of, recall

if TYPE_CHECKING:
    from cord.plan.program import Program
    from cord.tools.init.proposal import Table


def plan_of_last_run(program: Program, args: list[str]) -> tuple[str, str]:
    """What follows `cord run` to run the program, and the file.

    Args:
        program: The program.
        args: Its own arguments.

    Raises:
        Refused: The last run has found nothing, or is none of these files.
    """
    kept = kept_of(program)
    found = [_candidate(program, name, inside) for name, (_, inside) in recall(kept).items()]
    found = [one for one in found if _may_be_named(one)]
    waiting = {name for name, (waits, _) in recall(kept).items() if waits}
    said = [_candidate(program, name, True) for name in recall_words(kept)]
    words = [program.name] if program.module is None else ["-m", program.module]
    command = shlex.join([*words, *args])
    if not (found or said):
        nothing = "No run of it as its files are now has found a function that gains."
        if sys.dont_write_bytecode:
            nothing += (
                " Runs keep nothing where Python writes no bytecode (PYTHONDONTWRITEBYTECODE)."
            )
        raise Refused(
            nothing,
            [
                f"cord run {command} looks for some; at its end it names one that waits for the "
                f"network, if there is one. cord init {command} measures plans."
            ],
        )
    known = {one.function.full: Evidence(accepted={"network"}) for one in said}
    known.update((one.function.full, Evidence()) for one in found)
    made = tables(program, [*said, *found], known, AUTO)
    for table in made:
        _note(table, waiting)
    heading = [
        f"Written by cord init --from-last-run for: {command}",
        "Nothing was measured for it: cord compare does that.",
    ]
    return command, as_file(heading, made)


def _may_be_named(one: Candidate) -> bool:
    """Not a method of the main script: without a plan it is remote, and no plan can name it."""
    return one.function.module != MAIN or "." not in one.function.name


def _note(table: Table, waiting: set[str]) -> None:
    if table.repeatable:
        table.replicas, table.threads = WAITERS, True
        table.notes["repeatable"] = "your word: --repeatable"
    elif any(one.function.full in waiting for one in table.functions):
        table.replicas = WAITERS
    table.notes["replicas"] = table.notes["threads"] = "it waits more than it computes"
    table.notes["pure"] = "nothing in its text speaks against it, nor did a run"


def _candidate(program: Program, full: str, inside: bool) -> Candidate:
    """A function, as a profile would have it."""
    module, _, name = full.rpartition(".")
    path = search_path(program)
    while module != MAIN and "." in module and find_module(module, path) is None:
        module, _, owner = module.rpartition(".")
        name = f"{owner}.{name}"
    return Candidate(0, Function(module, name, "", 0, FUNCTION, PROJECT, 0, 0, 0), inside, 0, 0)
