"""The command: the steps from a plain run to the file, or to why there is none."""

from __future__ import annotations

import json
import os
import sys
import tempfile
import textwrap
from typing import TYPE_CHECKING

from cord.errors import CordError
from cord.plan.read import FILE_NAME
from cord.tools.init.finding import find
from cord.tools.init.last_run import plan_of_last_run
from cord.tools.init.plain import Plain
from cord.tools.init.refusal import Refused, Undecided
from cord.tools.trials.copies import scratch_folder
from cord.tools.trials.trials import standard_input

if TYPE_CHECKING:
    from collections.abc import Collection
    from typing import Any

    from cord.plan.program import Program
    from cord.tools.init.evidence import Evidence
    from cord.tools.init.writing import Written


# The exit codes where no plan is written.
NONE_PAYS = 1
UNDECIDED = 3


def init(program: Program, args: list[str], *, as_data: bool, accept: Collection[str] = ()) -> int:
    """Find the plan that pays for a program, and write it beside the program.

    Args:
        program: The program.
        args: Its own arguments.
        as_data: Whether to print JSON.
        accept: What the user has said to do no harm if it is done early, again, or in vain.

    Returns:
        The exit code: 0 if a plan was written, 1 if none pays, 3 if the machine was too busy to
        tell.

    Raises:
        CordError: There is a plan already, none can be written, or the working directory is too
            large to be copied.
    """
    path = _place(program)
    terminal = sys.stdin is not None and sys.stdin.isatty()
    with scratch_folder("init") as scratch:
        _require_room(program.plan_folder)
        try:
            stdin, ask = standard_input(), None
            if terminal and not as_data and sys.stderr.isatty():
                ask = _ask
            plain = Plain(
                program, args, stdin, scratch, say, terminal=terminal, accept=accept, ask=ask
            )
            written = find(plain)
        except Refused as refused:
            if as_data:
                print(json.dumps(refused_as_json(program, refused), indent=2))
            else:
                _tell(program, refused)
            return UNDECIDED if isinstance(refused, Undecided) else NONE_PAYS
    _write(path, written.text)
    if as_data:
        print(json.dumps(as_json(program, path, written, plain.busy), indent=2))
        return 0
    print(f"{program.name}: {written.summary}\n")
    _show(path, written.text, plain.command)
    return 0


def init_from_last_run(program: Program, args: list[str]) -> int:
    """Write what a run without a plan has found, as a plan.

    Args:
        program: The program.
        args: Its own arguments.

    Returns:
        The exit code: 0 if a plan was written, 1 if nothing was found.

    Raises:
        CordError: There is a plan already, or none can be written.
    """
    path = _place(program)
    try:
        command, text = plan_of_last_run(program, args)
    except Refused as refused:
        _tell(program, refused)
        return NONE_PAYS
    _write(path, text)
    _show(path, text, command)
    return 0


def _place(program: Program) -> str:
    """Where the plan is written."""
    path = os.path.join(program.plan_folder, FILE_NAME)
    if os.path.lexists(path):
        raise CordError(
            f"{path} is there already, and cord init overwrites nothing",
            f"cord compare {program.name} measures it; to begin anew, move it away",
        )
    return path


def _tell(program: Program, refused: Refused) -> None:
    print(f"{program.name}: no plan is written. {refused.reason}")
    for paragraph in refused.more:
        print()
        print(_filled(paragraph))


def _show(path: str, text: str, command: str) -> None:
    print(f"{path}:\n")
    print(textwrap.indent(text, "    "), end="")
    print(f"\nNow: cord run {command}")


_OF_PLAN = ("text", "plain", "cord", "speedup", "rounds", "others", "remote")


def refused_as_json(program: Program, refused: Refused) -> dict[str, Any]:
    """Why there is no plan, as data."""
    return {
        "program": program.name,
        "outcome": "undecided" if isinstance(refused, Undecided) else "refused",
        "plan": None,
        "reason": refused.reason,
        "more": refused.more,
        **dict.fromkeys(_OF_PLAN),
    }


def as_json(program: Program, path: str, written: Written, others: float) -> dict[str, Any]:
    """The plan that was written, as data."""
    gained = written.gained
    remote = [
        {
            "module": table.module,
            "replicas": 1 if table.threads else table.replicas,
            "threads": table.replicas if table.threads else 1,
            "resident": table.resident,
            "made_again": max(written.known[one.function.full].again for one in table.functions),
            "functions": [
                _function(one.function.name, written.known[one.function.full])
                for one in table.functions
            ],
        }
        for table in gained.tables
    ]
    told = (written.text, gained.plain, gained.cord, gained.speedup, gained.rounds, others, remote)
    return {
        "program": program.name,
        "outcome": "written",
        "plan": path,
        "reason": None,
        "more": None,
        **dict(zip(_OF_PLAN, told, strict=True)),
    }


def _function(name: str, known: Evidence) -> dict[str, Any]:
    return {
        "name": name,
        "calls": known.calls,
        "each": known.each,
        "sent": known.sent,
        "came": known.came,
        "surely_pure": known.sure,
    }


def _require_room(folder: str) -> None:
    """Find out before the runs that the file cannot be written after them."""
    try:
        with tempfile.TemporaryFile(dir=folder or "."):
            pass
    except OSError as error:
        raise CordError(
            f"no cord.toml can be written in {os.path.abspath(folder)}: {error.strerror}",
            "let cord init write there, or copy the program to a folder of your own",
        ) from None


def _write(path: str, text: str) -> None:
    try:
        with open(path, "x", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise CordError(f"{path} cannot be written: {error.strerror}") from None


def _ask(what: str) -> bool:
    """Ask the user whether something does no harm."""
    sys.stderr.write(
        f"cord init: {what}.\n"
        "  Does it do no harm if a call is made early, again, or in vain? [y/N] "
    )
    sys.stderr.flush()
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def say(line: str) -> None:
    """Tell the user how far it is."""
    sys.stderr.write(f"cord init: {line}\n")
    sys.stderr.flush()


def _filled(paragraph: str) -> str:
    lines = paragraph.splitlines()
    return "\n".join(textwrap.fill(line, 96, subsequent_indent="  ") for line in lines)
