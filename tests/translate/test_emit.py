"""What scouts issue is what the program then calls."""

from __future__ import annotations

import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest
from foreseen_calls import ALL, ROWS, Row
from translator_lab import run

HEAD = "from work import f, g, h\n"


def indented(text: str) -> str:
    """The same program inside a function, where its names are locals."""
    body = "".join(f"    {line}\n" for line in text.splitlines())
    return f"def main():\n{body}main()\n"


def program(row: Row) -> str:
    return textwrap.dedent(row.text)


# Where the interpreter keeps comprehensions within the code around them, its frame does not show
# what they hide: variables of a function of the same name, and all that a class body has.
HIDDEN = {"names inside hide those outside": (3, 12), "a class body": (3, 13)}


def shown(rows: list[Row]) -> list[Any]:
    """These rows, but for those of which too little is shown by this Python."""
    return [
        pytest.param(row, id=row.about)
        for row in rows
        if sys.version_info < HIDDEN.get(row.about, (4,))
    ]


@pytest.mark.parametrize("row", shown(ROWS))
def test_a_scout_issues_what_the_program_will_call(row: Row, tmp_path: Path) -> None:
    lab = run(tmp_path, HEAD + program(row), start=row.start)
    expected = " ".join(lab.afterwards) if row.rest == ALL else row.rest
    assert " ".join(lab.issued) == expected


@pytest.mark.parametrize("row", shown([row for row in ROWS if "def " not in row.text]))
def test_inside_a_function_too(row: Row, tmp_path: Path) -> None:
    lab = run(tmp_path, HEAD + indented(program(row)), start=row.start)
    expected = " ".join(lab.afterwards) if row.rest == ALL else row.rest
    assert " ".join(lab.issued) == expected
