"""The tutorial's pictures show what its commands print today, where that is the same each time."""

from __future__ import annotations

import html
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import pytest
from pages import DOCS, sort_blocks

TUTORIAL = (DOCS / "tutorial.md").read_text()
SAME_EACH_TIME = ["check", "explain", "impure"]
PIECE = re.compile(r'<text x="[\d.]+" y="(\d+)"[^>]*>([^<]*)</text>')


def shown(picture: Path) -> list[str]:
    """The lines of a picture below the command."""
    rows: dict[int, str] = defaultdict(str)
    for y, text in PIECE.findall(picture.read_text()):
        rows[int(y)] += html.unescape(text)
    return [rows[y] for y in sorted(rows)][1:]


@pytest.mark.parametrize("name", SAME_EACH_TIME)
def test_a_picture_shows_what_is_printed(name: str, tmp_path: Path) -> None:
    for file, text in sort_blocks(TUTORIAL)[0].items():
        (tmp_path / file).write_text(text)
    [command] = re.findall(rf"!\[(.*)\]\(pictures/{name}\.svg\)", TUTORIAL)
    said = subprocess.run(
        command.replace("cord ", f"{sys.executable} -m cord "),
        cwd=tmp_path,
        shell=True,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert shown(DOCS / "pictures" / f"{name}.svg") == [line for line in said.splitlines() if line]


def test_every_picture_is_drawn_by_a_command() -> None:
    drawn = set(re.findall(r"\]\(pictures/([\w.-]+)\)", TUTORIAL))
    assert drawn == {path.name for path in (DOCS / "pictures").iterdir()}
