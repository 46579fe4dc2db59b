"""A scout reads the program's frames when it is born, and leaves no trace of that."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from counted_run import Ran

HEAD = """
import sys
import work

class Mortal:
    def __init__(self, n):
        self.n = n

    def __del__(self):
        print("gone", self.n)

def mortals(count):
    for n in range(count):
        yield Mortal(n)

def frame_locals():
    return sys._getframe(1).f_locals
"""

ROWS = {
    "objects of a for loop": """
def main():
    for mortal in mortals(3):
        work.f(mortal.n)
        print("made", mortal.n)
""",
    "objects of a comprehension": """
def main():
    [work.f(mortal.n) for mortal in mortals(3)]
    print("made")
""",
    "objects in a list that is emptied": """
def main():
    held = [Mortal(1)]
    for n in range(3):
        work.f(n)
        held.clear()
        print("emptied")
        work.f(len(held))
""",
    "objects given to a helper": """
def helper(mortal):
    return work.f(mortal.n)

def main():
    for n in range(3):
        helper(Mortal(n))
        print("made", n)
""",
    "local variables that the program looks at": """
def main():
    x = 5
    held = frame_locals()
    for n in range(3):
        work.f(n)
    print(held["x"], frame_locals()["n"])
""",
    "a generator that is left": """
def numbers():
    try:
        for n in range(5):
            yield work.f(n)
    finally:
        print("left")

def main():
    for n in numbers():
        if n == 2:
            break
    print("done")
""",
}


@pytest.mark.parametrize(
    "text",
    [pytest.param(text, id=about) for about, text in ROWS.items()],
)
def test_objects_live_as_long_as_without_scouts(text: str, cord_run: Callable[..., Ran]) -> None:
    program = f"{HEAD}{text}\nmain()\nprint('end')\n"
    assert cord_run(program).lines == cord_run(program, plain=True).lines
