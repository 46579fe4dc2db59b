"""Functions that are not surely pure, each in a way that some program shows, and honest ones.

`sound/wrong.txt` has small modules whose function `f` is not surely pure, some with the program
that makes it so; `sound/honest.txt` those that are; `sound/open.txt` honest ones of which the text
leaves something open.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from effects_lab import is_sure, report

FOLDER = Path(__file__).parent / "sound"


def table(name: str) -> dict[str, tuple[str, str | None]]:
    """The modules of a file by name, each with the program that uses it, if there is one."""
    found: dict[str, tuple[str, str | None]] = {}
    for part in (FOLDER / f"{name}.txt").read_text().split("=== ")[1:]:
        title, _, text = part.partition("\n")
        work, _, main = text.partition("--- main\n")
        found[title] = work, main or None
    return found


WRONG, HONEST, OPEN = table("wrong"), table("honest"), table("open")


@pytest.mark.parametrize("name", WRONG)
def test_none_is_surely_pure(name: str) -> None:
    work, main = WRONG[name]
    modules: dict[str, Any] = {"__main__": main} if main else {}
    assert report(work, **modules).verdict != "pure"


@pytest.mark.parametrize("name", HONEST)
def test_honest_functions_are_pure(name: str) -> None:
    found = report(HONEST[name][0])
    assert is_sure(found), (found.reasons, found.warnings)


@pytest.mark.parametrize("name", OPEN)
def test_honest_functions_are_not_accused(name: str) -> None:
    found = report(OPEN[name][0])
    assert (found.warnings, found.verdict) == ([], "unknown")
