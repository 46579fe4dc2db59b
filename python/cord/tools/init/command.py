"""The command: the steps from a plain run to the file, or to why there is none."""

from __future__ import annotations

import os
import sys
import textwrap
from typing import TYPE_CHECKING

from cord.errors import CordError
from cord.plan.read import FILE_NAME
from cord.tools.init.finding import find
from cord.tools.init.plain import Plain
from cord.tools.init.refusal import Refused
from cord.tools.trials.copies import scratch_folder
from cord.tools.trials.trials import standard_input

if TYPE_CHECKING:
    from cord.plan.program import Program


def init(program: Program, args: list[str]) -> int:
    """Find the plan that pays for a program, and write it beside the program.

    Args:
        program: The program.
        args: Its own arguments.

    Returns:
        The exit code: 0 if a plan was written, 1 if none pays.

    Raises:
        CordError: There is a plan already, or the working directory is too large to be copied.
    """
    path = os.path.join(program.plan_folder, FILE_NAME)
    if os.path.lexists(path):
        raise CordError(
            f"{path} is there already, and cord init overwrites nothing",
            f"cord compare {program.name} measures it; to begin anew, move it away",
        )
    terminal = sys.stdin is not None and sys.stdin.isatty()
    with scratch_folder("init") as scratch:
        try:
            plain = Plain(program, args, standard_input(), scratch, say, terminal=terminal)
            written = find(plain)
        except Refused as refused:
            print(f"{program.name}: no plan is written. {refused.reason}")
            for paragraph in refused.more:
                print()
                print(_filled(paragraph))
            return 1
    _write(path, written.text)
    print(f"{program.name}: {written.summary}")
    print(f"\n{path}:\n")
    print(textwrap.indent(written.text, "    "), end="")
    print(f"\nNow: cord run {plain.command}")
    return 0


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
