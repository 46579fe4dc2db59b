"""The tutorial shows what its commands print today, where that is the same each time."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from pages import DOCS, sort_blocks
from scripts import tutorial

TEXT = tutorial.PAGE.read_text()
BLOCKS = list(tutorial.BLOCK.finditer(TEXT))
SAME_EACH_TIME = [block for block in BLOCKS if re.match("cord (check|explain) ", block["command"])]


@pytest.mark.parametrize("block", SAME_EACH_TIME, ids=lambda block: block["command"])
def test_a_block_shows_what_is_printed(block: re.Match[str], tmp_path: Path) -> None:
    for file, text in sort_blocks(TEXT)[0].items():
        (tmp_path / file).write_text(text)
    first, command = block["first"] or "true", block["command"]
    said = subprocess.run(
        f"{first}; {command.replace('cord ', f'{sys.executable} -m cord ')} 2>/dev/null",
        cwd=tmp_path,
        shell=True,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert block["shown"] == said


def test_there_is_a_block_for_each_step() -> None:
    commands = [block["command"] for block in BLOCKS]
    kinds = ["check", "explain", "verify", "compare", "run --stats", "run --trace", "report"]
    assert [kind for kind in kinds if not any(f"cord {kind} " in one for one in commands)] == []
    assert len(SAME_EACH_TIME) == 3


def test_blocks_are_filled_where_they_stand() -> None:
    new = tutorial.BLOCK.sub(lambda block: tutorial.filled(block, "new\n"), TEXT)
    found = list(tutorial.BLOCK.finditer(new))
    assert [block["command"] for block in found] == [block["command"] for block in BLOCKS]
    assert [block["first"] for block in found] == [block["first"] for block in BLOCKS]
    assert {block["shown"] for block in found} == {"new\n"}
    same = tutorial.BLOCK.sub(lambda block: tutorial.filled(block, block["shown"]), TEXT)
    assert same == TEXT


def test_what_a_terminal_shows_is_text(tmp_path: Path) -> None:
    command = "tput setaf 2; echo green; tput sgr0; printf 'a\\rb\\n\\nend'"
    assert tutorial.typed(command, tmp_path) == "green\nb\n\nend\n"


def test_the_front_page_shows_the_same() -> None:
    shown = {block["command"]: block["shown"] for block in BLOCKS}
    front = {
        one["command"]: one["shown"] for one in tutorial.BLOCK.finditer(tutorial.FRONT.read_text())
    }
    both = shown.keys() & front.keys()
    assert both and all(front[command] == shown[command] for command in both)


def test_the_only_picture_is_that_of_a_page() -> None:
    drawn = set(re.findall(r"\]\(pictures/([\w.-]+)\)", TEXT))
    assert drawn == {path.name for path in (DOCS / "pictures").iterdir()}
