"""How much unsafe code there is stands in docs/security.md, and no more is written than that."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ROW = re.compile(r"^\| `(cord-\w+)` \| (\d+) \|", re.MULTILINE)
SAID = dict(ROW.findall((ROOT / "docs" / "security.md").read_text()))
SITE = re.compile(r"^(?!\s*//).*\bunsafe (?:\{|fn|impl|extern)", re.MULTILINE)
TESTS = re.compile(r"#\[cfg\(test\)\]\n(?:pub\(crate\) )?mod \w+ \{")


def sites(crate: Path) -> int:
    """How many there are outside of tests."""
    count = 0
    for path in crate.rglob("*.rs"):
        if "tests" not in path.stem:
            count += len(SITE.findall(TESTS.split(path.read_text())[0]))
    return count


def test_each_crate_is_named() -> None:
    assert set(SAID) == {path.name for path in (ROOT / "crates").iterdir()}


@pytest.mark.parametrize("crate", SAID)
def test_there_is_no_more_than_is_said_and_not_much_less(crate: str) -> None:
    found, said = sites(ROOT / "crates" / crate / "src"), int(SAID[crate])
    assert said - 40 <= found <= said, "docs/security.md, 'Unsafe code'"
