"""Which loops stand around each call site."""

from __future__ import annotations

from pathlib import Path

import pytest
from translator_lab import read_project

from cord.translate.results import MAIN
from cord.translate.translation import Translation


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("f(1)", []),
        ("for x in xs:\n    f(x)", [1]),
        ("for x in xs:\n    for y in ys:\n        if y:\n            f(x)", [1, 2]),
        ("for x in f(1):\n    pass", []),
        ("for x in xs:\n    pass\nelse:\n    f(1)", []),
        ("while True:\n    f(1)", [1]),
        ("while f(1):\n    pass\nelse:\n    f(2)", [1]),
        ("for x in xs:\n    while x:\n        f(x)", [1, 2]),
        ("[\n    f(x)\n    for x in xs\n]", [3]),
        ("{f(x): y for x in xs\n for y in x}", [1, 2]),
        ("[y for x in xs\n for y in f(x)]", [1]),
        ("[x for x in xs\n if f(x)]", [1]),
        ("any(f(x) for x in xs)", [1]),
        ("for x in xs:\n    list(\n        map(f, x)\n    )", [1, 3]),
        ("for x in xs:\n    sorted(x, key=lambda y: f(y))", [1, 2]),
        ("for x in xs:\n    list(map(str, f(x)))", [1]),
        ("for x in xs:\n    def g():\n        f(x)", []),
    ],
)
def test_the_loops_around_a_call(tmp_path: Path, text: str, lines: list[int]) -> None:
    project = read_project(tmp_path, f"from work import f\n{text}\n")
    [(place, around), *_] = Translation(project).places(MAIN)
    assert place.startswith("main.py:")
    assert [at for _, at in around] == [f"main.py:{line + 1}" for line in lines]
    numbers = [number for number, _ in around if number is not None]
    assert len(set(numbers)) == len(numbers)
