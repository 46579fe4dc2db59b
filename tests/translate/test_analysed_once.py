"""A function is analysed once, whoever asks: a caller that needs its result, or its own scout."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from translator_lab import scouts_of

from cord.translate import scouts as scouts_module
from cord.translate.results import MAIN
from cord.translate.scouts import Scouts

HELPERS = """
from work import f, g

def twice(x):
    return f(f(x))

def walk(n):
    if n == 0:
        return f(n)
    return g(walk(n - 1))

def shown(x):
    print(x)
    return input()

def even(n):
    return shown(n) if n == 0 else odd(f(n))

def odd(n):
    return even(f(n))

def main():
    for x in range(3):
        g(twice(x))
        g(walk(x))
        g(even(x))
"""


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> Counter[int]:
    """How often each region was analysed from its start, by its first line."""
    times: Counter[int] = Counter()

    class Analysis(scouts_module.Analysis):
        def __init__(self, *args: object) -> None:
            super().__init__(*args)  # type: ignore[arg-type]
            self.begun = False

        def block(self, nodes, facts):  # type: ignore[no-untyped-def]
            if not self.begun and nodes:
                times[nodes[0].line] += 1
            self.begun = True
            return super().block(nodes, facts)

    monkeypatch.setattr(scouts_module, "Analysis", Analysis)
    return times


def lines_of(name: str) -> range:
    lines = HELPERS.splitlines()
    first = lines.index(next(line for line in lines if line.startswith(f"def {name}(")))
    return range(first + 2, first + 4)


@pytest.mark.parametrize("name", ["twice", "walk"])
def test_its_scout_uses_what_its_callers_know(
    tmp_path: Path, counted: Counter[int], name: str
) -> None:
    scouts = scouts_of(tmp_path, HELPERS)
    assert scouts.answers(f"{MAIN}.{name}")
    before = sum(counted[line] for line in lines_of(name))
    scouts.entered(MAIN, name)
    assert before == 1
    assert sum(counted[line] for line in lines_of(name)) == 1


def test_what_counted_on_an_answer_that_is_none_is_found_out_anew(tmp_path: Path) -> None:
    """``odd`` answers if ``even`` does, which is not so; either may be asked first."""
    asked: list[Scouts] = []
    for first, second in (("even", "odd"), ("odd", "even")):
        scouts = scouts_of(tmp_path, HELPERS)
        assert not scouts.answers(f"{MAIN}.{first}")
        assert not scouts.answers(f"{MAIN}.{second}")
        asked.append(scouts)
    for scouts in asked:
        assert not scouts.entered(MAIN, "even").returns
        assert not scouts.entered(MAIN, "odd").returns
