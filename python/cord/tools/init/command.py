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
from cord.tools.init.plain import Plain
from cord.tools.init.refusal import Refused, Undecided
from cord.tools.trials.copies import scratch_folder
from cord.tools.trials.trials import standard_input

if TYPE_CHECKING:
    from typing import Any

    from cord.plan.program import Program
    from cord.tools.init.evidence import Evidence
    from cord.tools.init.writing import Written


# The exit codes where no plan is written.
NONE_PAYS = 1
UNDECIDED = 3


def init(program: Program, args: list[str], *, as_data: bool) -> int:
    """Find the plan that pays for a program, and write it beside the program.

    Args:
        program: The program.
        args: Its own arguments.
        as_data: Whether to print JSON.

    Returns:
        The exit code: 0 if a plan was written, 1 if none pays, 3 if the machine was too busy to
        tell.

    Raises:
        CordError: There is a plan already, none can be written, or the working directory is too
            large to be copied.
    """
    path = os.path.join(program.plan_folder, FILE_NAME)
    if os.path.lexists(path):
        raise CordError(
            f"{path} is there already, and cord init overwrites nothing",
            f"cord compare {program.name} measures it; to begin anew, move it away",
        )
    terminal = sys.stdin is not None and sys.stdin.isatty()
    with scratch_folder("init") as scratch:
        _require_room(program.plan_folder)
        try:
            plain = Plain(program, args, standard_input(), scratch, say, terminal=terminal)
            written = find(plain)
        except Refused as refused:
            if as_data:
                print(json.dumps(refused_as_json(program, refused), indent=2))
            else:
                print(f"{program.name}: no plan is written. {refused.reason}")
                for paragraph in refused.more:
                    print()
                    print(_filled(paragraph))
            return UNDECIDED if isinstance(refused, Undecided) else NONE_PAYS
    _write(path, written.text)
    if as_data:
        print(json.dumps(as_json(program, path, written, plain.busy), indent=2))
        return 0
    print(f"{program.name}: {written.summary}")
    print(f"\n{path}:\n")
    print(textwrap.indent(written.text, "    "), end="")
    print(f"\nNow: cord run {plain.command}")
    return 0


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
            "replicas": table.replicas,
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


def say(line: str) -> None:
    """Tell the user how far it is."""
    sys.stderr.write(f"cord init: {line}\n")
    sys.stderr.flush()


def _filled(paragraph: str) -> str:
    lines = paragraph.splitlines()
    return "\n".join(textwrap.fill(line, 96, subsequent_indent="  ") for line in lines)
