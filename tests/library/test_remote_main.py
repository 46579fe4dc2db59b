"""Functions of `__main__`, and of a notebook's cells, that are remote by `[remote.__main__]`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from cells import SHELL

if TYPE_CHECKING:
    from conftest import Project

# functions tell which process made a call, so none is to be made again
PLAN = """\
[run]
audit = false
[remote.__main__]
pure = true
replicas = 2
callstyle = "async"
inline = false
"""

CELLS = """\
import os, time
import cord

SCALE = 3
HERE = os.getpid()

def scaled(x):
    return SCALE * x, os.getpid() != HERE

def rows():
    yield 1

class Point:
    def __init__(self, x):
        self.x = x
# ---
session = cord.session()
print(scaled(2), list(rows()))
# ---
@session.remote
def moved(point, by):
    time.sleep(0.02)
    return Point(point.x + by), os.getpid()

@session.remote
def away(x):
    time.sleep(0.02)
    return os.getpid()

@session.ahead
def together(n):
    made = [moved(Point(x), 1) for x in range(n)]
    return [type(point) is Point and point.x for point, _ in made], {away(x) for x in range(n)}

found, pids = together(6)
print(found, len(pids) > 1, HERE in pids)
# ---
SCALE = 5
print(scaled(2))
for wrong in (rows, Point, os.getcwd, len):
    try:
        session.remote(wrong)
    except cord.errors.CordError as error:
        print(str(error).partition(":")[0])
# ---
def again(n):
    return [scaled(x)[0] for x in range(n)]

session.ahead(again)
print(again(4), session.remote(scaled) is scaled)
# ---
session.close()
print(scaled(2), moved(Point(1), 1)[1] == HERE, again(2))
"""

TOLD = [
    "(6, True) [1]",
    "[1, 2, 3, 4, 5, 6] True False",
    "(10, True)",
    *(f"{name} cannot be remote here" for name in ("rows", "Point", "getcwd", "len")),
    "[0, 5, 10, 15] True",
    "(10, False) True [0, 5]",
]


def test_functions_of_cells(project: Callable[..., Project]) -> None:
    files = {"cord.toml": PLAN, "shell.py": SHELL, "cells.txt": CELLS}
    made = project(files)
    result = made.run("shell.py", cord=False)
    assert (result.stderr, result.stdout.splitlines()) == ("", TOLD)
    assert made.processes() == []


def test_a_plan_for_any_script(project: Callable[..., Project]) -> None:
    text = """
import os
HERE = os.getpid()
def f(x):
    return x + 1, os.getpid() != HERE
print([f(x) for x in range(3)])
"""
    made = project({"cord.toml": PLAN, "one.py": text, "two.py": text})
    for script in ("one.py", "two.py"):
        assert made.run(script).stdout == "[(1, True), (2, True), (3, True)]\n"


@pytest.mark.parametrize(
    ("plan", "said"),
    [
        ("[remote.work]\npure = true\n", "f cannot be remote: cord.toml has no table"),
        (
            PLAN + 'only = ["g"]\n',
            "f is not remote: remote.__main__.only of cord.toml leaves it",
        ),
    ],
)
def test_what_the_plan_leaves_out(project: Callable[..., Project], plan: str, said: str) -> None:
    script = """
import cord
def f(x): ...
with cord.session() as session:
    try:
        session.remote(f)
    except cord.errors.CordError as error:
        print(error)
"""
    made = project({"cord.toml": plan, "work.py": "def g(): ...\n", "main.py": script})
    assert made.run("main.py", cord=False).stdout.startswith(said)
