"""The examples of docs/semantics.md: `cord explain` says what the page says, and runs are alike.

A block with `file=NAME` is a file of an example, which ends with what is shown of it; the
introduction's files belong to every example that does not have its own.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest

from cord.cli.main import run_command
from cord.tools.explain.command import LAST, WIDTH

if TYPE_CHECKING:
    from conftest import Project

PAGE = Path(__file__).resolve().parents[2] / "docs" / "semantics.md"
BLOCK = re.compile(r"^```\w+ (\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PROGRAM = re.compile(r"^(?=```python file=work\.py$)", re.MULTILINE)
SECTION = re.compile(r"^## (?:\d+\. )?(.*)$", re.MULTILINE)


class Example(NamedTuple):
    """A program of a section, and what the page says of it."""

    title: str
    files: dict[str, str]
    shown: dict[str, str]


def read_examples(page: str) -> list[Example]:
    """The examples of a page, in their order."""
    introduction, *rest = SECTION.split(page)
    common = sort_blocks(introduction)[0]
    examples = []
    for title, text in zip(rest[::2], rest[1::2], strict=True):
        parts = [part for part in PROGRAM.split(text) if "file=" in part]
        for number, part in enumerate(parts):
            files, shown = sort_blocks(part)
            name = title if number == 0 else f"{title} ({number + 1})"
            examples.append(Example(name, {**common, **files}, shown))
    return examples


def sort_blocks(text: str) -> tuple[dict[str, str], dict[str, str]]:
    """Files by name, and what is shown by kind."""
    files, shown = {}, {}
    for name, body in BLOCK.findall(text):
        if name.startswith("file="):
            files[name.removeprefix("file=")] = body
        else:
            shown[name] = body
    return files, shown


EXAMPLES = read_examples(PAGE.read_text())


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.title)
def test_explain_says_what_the_page_says(
    example: Example, project: Callable[..., Project], capsys: pytest.CaptureFixture[str]
) -> None:
    program = project(example.files).folder / "main.py"
    assert run_command(["explain", str(program)]) == 0
    out, last = capsys.readouterr().out, textwrap.fill(LAST, WIDTH)
    assert out.endswith(f"\n\n{last}\n")
    assert out.removesuffix(f"{last}\n").strip() == example.shown["explain"].strip()


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.title)
def test_runs_are_alike(example: Example, project: Callable[..., Project]) -> None:
    made = project(example.files)
    plain = made.run("main.py", cord=False)
    cord = made.run("main.py")
    assert (cord.stdout, cord.stderr, cord.returncode) == (
        plain.stdout,
        plain.stderr,
        plain.returncode,
    )
    stderr = plain.stderr.replace(f"{made.folder}/", "")
    assert without_carets(stderr) == without_carets(example.shown.get("stderr", ""))


def without_carets(text: str) -> list[str]:
    """A traceback's lines but those under the source, which versions of Python draw differently."""
    return [line for line in text.splitlines() if line.strip(" ~^")]


def test_every_rule_has_an_example() -> None:
    rules = re.findall(r"^## \d+\. (.*)$", PAGE.read_text(), re.MULTILINE)
    assert [example.title for example in EXAMPLES if example.title in rules] == rules
