"""Exits that depend on results are expected where they were taken before: calls made in vain.

The programs make hundreds of calls. Without memory each exit would cost a window of calls in vain;
what is allowed here is what it takes to learn, with room for a slow machine.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from counted_run import Ran, run_counted

# calls that take long enough for scouts to be ahead
SLOW = """
import os
import time

def f(*args):
    with open(os.environ["SERVED"], "a") as log:
        log.write("f(" + ", ".join(map(repr, args)) + ")\\n")
    time.sleep(0.003)
    return args[-1]

def picky(*args):
    value = f(*args)
    if value >= 3:
        raise ValueError(value)
    return value
"""


def run_slow(folder: Path, main: str) -> Ran:
    return run_counted(folder, main, replicas=4, work=SLOW)


def calls_made(main: str) -> int:
    """How many calls the plain program makes."""
    made = 0

    def f(*args: int) -> int:
        nonlocal made
        made += 1
        return args[-1]

    def picky(*args: int) -> int:
        value = f(*args)
        if value >= 3:
            raise ValueError(value)
        return value

    lines = [line for line in main.splitlines() if not line.startswith("from work")]
    exec("\n".join(lines), {"f": f, "picky": picky, "print": lambda *_: None})
    return made


BREAK = """
from work import f
def search(n):
    for x in range(40):
        if f(n, x) >= 2:
            break
    return x
for n in range(60):
    print(search(n))
"""

RETURN = """
from work import f
def search(n):
    for x in range(40):
        if f(n, x) >= 2:
            return x
for n in range(60):
    print(f(n, search(n)))
"""

WHILE = """
from work import f
def search(n):
    x = 0
    while True:
        if f(n, x) >= 2:
            return x
        x += 1
for n in range(60):
    print(search(n))
"""

NESTED = """
from work import f
for n in range(60):
    for x in range(40):
        if f(n, x) >= 2:
            break
    print(n)
"""

FOUND = """
from work import f
for n in range(60):
    hit = None
    for x in range(40):
        if f(n, x) >= 2:
            hit = x
            break
    if hit is not None:
        print(f(n, hit * 10))
"""

TWO_LOOPS = """
from work import f
def search(n):
    for x in range(10):
        for y in range(10):
            if f(n, x * 10 + y) >= 2:
                return x, y
for n in range(60):
    print(search(n))
"""

ANY = """
from work import f
for n in range(60):
    if any(f(n, x) == 2 for x in range(40)):
        print(f(n))
"""

ALL = """
from work import f
print([all(f(n, x) < 2 for x in range(40)) for n in range(60)])
"""

NEXT = """
from work import f
for n in range(60):
    print(f(n, next((x * 10 for x in range(40) if f(n, x) == 2), None)))
"""

IN_MAP = """
from work import f
for n in range(60):
    print(2 in map(lambda x: f(n, x), range(40)))
"""

RAISES = """
from work import picky
total = 0
for n in range(60):
    try:
        for x in range(40):
            total += picky(n, x)
    except ValueError:
        total += 1
print(total)
"""

RAISES_IN_HELPER = """
from work import picky
def add(n):
    total = 0
    for x in range(40):
        total += picky(n, x)
    return total
for n in range(60):
    try:
        print(add(n))
    except ValueError:
        print(None)
"""

EXITS = {
    "break": BREAK,
    "return": RETURN,
    "while": WHILE,
    "a loop inside a loop": NESTED,
    "what was found": FOUND,
    "out of two loops": TWO_LOOPS,
    "any": ANY,
    "all": ALL,
    "next": NEXT,
    "in a map": IN_MAP,
    "raises": RAISES,
    "raises in a helper": RAISES_IN_HELPER,
}


@pytest.mark.parametrize("main", EXITS.values(), ids=EXITS.keys())
def test_an_exit_that_is_always_taken_soon_is_expected(main: str, tmp_path: Path) -> None:
    ran = run_slow(tmp_path, main)
    made = calls_made(main)
    assert made <= len(ran.served) <= made + 120
    # what the program asks for was issued before, for most of it
    assert len(ran.issued) > made / 2


def test_an_exit_that_is_never_taken_costs_nothing(tmp_path: Path) -> None:
    ran = run_slow(
        tmp_path,
        """
        from work import f
        for x in range(300):
            if f(x) < 0:
                break
        """,
    )
    assert sorted(ran.served) == sorted(f"f({x})" for x in range(300))
    assert len(ran.issued) == 299


def test_a_loop_that_is_left_early_at_first_and_later_never(tmp_path: Path) -> None:
    main = """
from work import f
def search(n):
    for x in range(12):
        if f(n, x) >= (1 if n < 30 else 99):
            return x
for n in range(60):
    print(search(n))
"""
    ran = run_slow(tmp_path, main)
    assert calls_made(main) == 420
    assert 420 <= len(ran.served) <= 540


def test_continue_decides_about_the_rest_of_its_turn(tmp_path: Path) -> None:
    main = """
from work import f
for x in range(100):
    if f(x) % 10:
        continue
    print(f(x, -x))
"""
    ran = run_slow(tmp_path, main)
    assert len(ran.served) == calls_made(main) == 110
