"""docs/glossary.md: words that the code uses now, each once."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ROW = re.compile(r"^\| ([^|]+) \|[^|]+\|[^|]+\|[^|]+\|$", re.MULTILINE)
CELLS = ROW.findall((ROOT / "docs" / "glossary.md").read_text())
WORDS = [word for cell in CELLS if cell not in ("word", "---") for word in cell.split(", ")]
SOURCES = [
    path.read_text()
    for top, end in [("python/cord", "*.py"), ("crates", "*.rs")]
    for path in (ROOT / top).rglob(end)
]


def test_no_word_stands_twice() -> None:
    assert len(WORDS) > 70
    assert sorted(WORDS) == sorted(set(WORDS))


@pytest.mark.parametrize("word", WORDS)
def test_the_code_uses_the_word(word: str) -> None:
    used = re.compile(
        rf"(?<![a-z]){word}s?(?![a-z])".replace(" ", r"[ _]").replace("-", "[-_ ]"), re.I
    )
    assert any(used.search(source) for source in SOURCES)
