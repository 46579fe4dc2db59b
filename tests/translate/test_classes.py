"""Of which of the program's classes a value may be, for explanations."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from translator_lab import scouts_of

from cord.translate.results import MAIN
from cord.translate.sites import classes
from cord.translate.sites.classes import Classes

HEAD = """
from work import f

class A: pass

class B: pass

"""


def kinds(folder: Path, text: str, value: str) -> tuple[list[str], bool]:
    """The classes of a value at top level, by name, and whether it is of no other."""
    scouts = scouts_of(folder, HEAD + text)
    region = scouts.project.surveys[MAIN].regions[0]
    found = Classes(scouts.project).of(MAIN, region, ast.parse(value, mode="eval").body)
    return sorted(kind.name for kind in found.found), found.complete


@pytest.mark.parametrize(
    ("text", "value", "names", "complete"),
    [
        ("x = A()", "x", ["A"], True),
        ("x = A() if f(1) else B()", "x", ["A", "B"], True),
        ("x = f(1)", "x", [], False),
        ("x = [A(), B()]", "x[0]", ["A", "B"], True),
        ("for x in [A()]: pass", "x", ["A"], True),
        ("x = 0\nfor i in range(3): x = x + 1", "x", [], True),
        ("x = A()\ny = x\nx = y\ny = B()", "x", ["A", "B"], True),
        ("x = A()\nx = f(x)\ny = x\nx = y", "y", ["A"], False),
        ("x = A()\n" + "\n".join(f"x{i} = x{i - 1}" for i in range(1, 9)), "x8", [], False),
        ("x0 = A()\n" + "\n".join(f"x{i} = x{i - 1}" for i in range(1, 21)), "x20", ["A"], True),
    ],
)
def test_kinds(text: str, value: str, names: list[str], complete: bool, tmp_path: Path) -> None:
    assert kinds(tmp_path, text, value) == (names, complete)


def test_variables_that_are_bound_often_and_to_one_another_are_looked_at_few_times(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks = []
    look = classes.Classes._of_bound

    def counted(self: Classes, *args: object) -> object:
        looks.append(args)
        return look(self, *args)  # type: ignore[arg-type]

    monkeypatch.setattr(classes.Classes, "_of_bound", counted)
    names = "abcdefgh"
    text = "\n".join(f"{one} = {other} + A()" for one in names for other in names for _ in "123")
    assert kinds(tmp_path, text, "a") == (["A"], False)
    assert len(looks) < 10 * len(names)
