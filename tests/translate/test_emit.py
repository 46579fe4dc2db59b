"""What scouts issue is what the program then calls."""

from __future__ import annotations

import textwrap
from pathlib import Path

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


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.about)
def test_a_scout_issues_what_the_program_will_call(row: Row, tmp_path: Path) -> None:
    lab = run(tmp_path, HEAD + program(row), start=row.start)
    expected = " ".join(lab.afterwards) if row.rest == ALL else row.rest
    assert " ".join(lab.issued) == expected


@pytest.mark.parametrize(
    "row", [row for row in ROWS if "def " not in row.text], ids=lambda row: row.about
)
def test_inside_a_function_too(row: Row, tmp_path: Path) -> None:
    lab = run(tmp_path, HEAD + indented(program(row)), start=row.start)
    expected = " ".join(lab.afterwards) if row.rest == ALL else row.rest
    assert " ".join(lab.issued) == expected
