"""The examples of the contract: `cord explain` says what the pages say, and runs are alike."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from pages import DOCS, Example, read_examples

from cord.cli.main import run_command
from cord.tools.explain.command import LAST, WIDTH

if TYPE_CHECKING:
    from conftest import Project

CONTRACT = DOCS / "semantics.md"
PAGES = sorted((DOCS / "semantics").glob("*.md"))
EXAMPLES = [example for page in PAGES for example in read_examples(page, first="work.py")]
RULE = re.compile(r"^## (Rule \d+: .*)$", re.MULTILINE)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.title)
def test_explain_says_what_the_page_says(
    example: Example, project: Callable[..., Project], capsys: pytest.CaptureFixture[str]
) -> None:
    program = project(example.files).folder / "main.py"
    assert run_command(["explain", str(program)]) == 0
    out, last = capsys.readouterr().out, textwrap.fill(LAST, WIDTH)
    assert out.endswith(f"\n\n{last}\n")
    assert out.removesuffix(f"{last}\n").strip() == example.shown["cord explain"].strip()


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


def test_every_rule_has_an_example_and_a_line_in_the_contract() -> None:
    rules = [rule for page in PAGES for rule in RULE.findall(page.read_text())]
    assert set(rules) <= {example.title for example in EXAMPLES}
    numbers = [int(re.findall(r"\d+", rule)[0]) for rule in rules]
    assert sorted(numbers) == list(range(1, len(numbers) + 1))
    named = re.findall(r"\[(Rule \d+: [^\]]*)\]", CONTRACT.read_text())
    assert sorted(named) == sorted(rules)
