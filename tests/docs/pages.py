"""Examples on pages of the documentation.

A block with `title="NAME.EXT"` is a file of an example. A block whose title is a command, or
`stderr`, shows what is printed. Files that stand before the first heading of the second level
belong to every example of the page that does not have its own.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

DOCS = Path(__file__).resolve().parents[2] / "docs"
BLOCK = re.compile(r'^```\w+ title="([^"]+)"\n(.*?)^```$', re.MULTILINE | re.DOTALL)
SECTION = re.compile(r"^## (.*)$", re.MULTILINE)


class Example(NamedTuple):
    """A program of a section, and what the page shows of it."""

    title: str
    files: dict[str, str]
    shown: dict[str, str]


def is_shown(name: str) -> bool:
    """Whether a block is what a command prints, and no file."""
    return name == "stderr" or name.startswith(("cord ", "python "))


def sort_blocks(text: str) -> tuple[dict[str, str], dict[str, str]]:
    """Files by name, and what is shown by title."""
    blocks = BLOCK.findall(text)
    files = {name: body for name, body in blocks if not is_shown(name)}
    return files, {name: body for name, body in blocks if is_shown(name)}


def read_examples(page: Path, first: str | None = None) -> list[Example]:
    """The examples of a page, in their order.

    Args:
        page: The page.
        first: The file with which an example begins, where a section may have several.
    """
    parts = SECTION.split(page.read_text())
    introduction, shown = sort_blocks(parts[0])
    examples = [Example(page.stem, introduction, shown)] if shown else []
    for title, text in zip(parts[1::2], parts[2::2], strict=True):
        for number, part in enumerate(split_at(text, first)):
            files, shown = sort_blocks(part)
            name = title if number == 0 else f"{title} ({number + 1})"
            examples.append(Example(name, {**introduction, **files}, shown))
    return [one for one in examples if one.shown]


def split_at(text: str, first: str | None) -> list[str]:
    """The parts of a section, each of which begins with a file of that name."""
    if first is None:
        return [text]
    begin = rf'^(?=```\w+ title="{re.escape(first)}"$)'
    return [part for part in re.split(begin, text, flags=re.MULTILINE) if "title=" in part]
