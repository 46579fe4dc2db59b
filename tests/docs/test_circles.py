"""Files of a crate that use one another in a circle are few: who reads one of them reads all."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

CRATES = Path(__file__).resolve().parents[2] / "crates"
# The binding is the one knot that is left: takes, runs and guards know one another.
MOST = {"cord-py": 38}
TESTS = re.compile(r"#\[cfg\(test\)\]\s*mod \w+ \{.*", re.DOTALL)
USED = re.compile(r"\b(crate|super|self)((?:::super)*)::([\w:]*)")


def files_of(crate: str) -> dict[str, str]:
    """The text of each file, without tests and comments, by its place: `client/remote`."""
    found = {}
    for path in (CRATES / crate / "src").rglob("*.rs"):
        if "tests" not in path.name:
            place = path.relative_to(CRATES / crate / "src").with_suffix("").as_posix()
            place = "" if place == "lib" else place.removesuffix("/mod")
            found[place] = re.sub(r"//.*", "", TESTS.sub("", path.read_text()))
    return found


def used_by(place: str, text: str, files: dict[str, str]) -> set[str]:
    """The files that one uses, as far as paths say so."""
    own = place.split("/") if place else []
    found = set()
    for start, ups, path in USED.findall(text):
        base = {"crate": [], "self": own, "super": own[:-1]}[start]
        base = base[: len(base) - ups.count("super")] if ups else base
        steps = [*base, *filter(None, path.split("::"))]
        known = ["/".join(steps[:end]) for end in range(len(base), len(steps) + 1)]
        found.add(next((one for one in reversed(known) if one in files), place))
    return found - {place}


def largest_circle(uses: dict[str, set[str]]) -> set[str]:
    """The most files of which each leads to all others."""
    reached: dict[str, set[str]] = {}
    for place in uses:
        waiting, seen = [place], set[str]()
        while waiting:
            new = uses[waiting.pop()] - seen
            seen |= new
            waiting += new
        reached[place] = seen
    circles = [{one for one in reached[place] if place in reached[one]} for place in uses]
    return max(circles, key=len)


@pytest.mark.parametrize("crate", sorted(path.name for path in CRATES.iterdir()))
def test_circles_are_small(crate: str) -> None:
    files = files_of(crate)
    circle = largest_circle({place: used_by(place, text, files) for place, text in files.items()})
    assert len(circle) <= MOST.get(crate, 8), sorted(circle)
