"""``cord explain --run`` tells why calls were not ahead: what guards refused, and where."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

WORK = """\
import time

def f(x, y=0):
    time.sleep(0.01)
    return 1
"""
PLAN = """\
[remote.work]
replicas = 2
callstyle = "async"
pure = true
inline = false
[run]
copies = false
"""


def told(folder: Path, main: str, plan: str = PLAN) -> str:
    """What is told of a program, once it has shown the same as without Cord."""
    for name, text in {"main.py": main, "work.py": WORK, "cord.toml": plan}.items():
        (folder / name).write_text(text)
    words = [sys.executable, "-m", "cord", "explain", "--run", "main.py"]
    run = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=True)
    plain = subprocess.run(
        [sys.executable, "main.py"], cwd=folder, capture_output=True, text=True, check=True
    )
    assert run.stdout == plain.stdout
    return run.stderr


def at(said: str, line: int) -> str:
    """What is told of the call at a line of the main script."""
    found = re.search(rf"^main\.py:{line}: .*\n((?:  .*\n)*)", said, re.MULTILINE)
    assert found is not None, said
    return found[1]


def in_place(said: str, why: str) -> int:
    """How many of ten calls were in place for this reason."""
    found = re.search(rf"in place (\d+) of 10 times, because {re.escape(why)}\n", said)
    assert found is not None, said
    return int(found[1])


def test_a_class_that_encodes_itself(tmp_path: Path) -> None:
    main = """\
import work

class Image:
    def __init__(self, n):
        self.n = n

    def __getstate__(self):
        return {"n": self.n}

def total(items):
    return sum(work.f(one) for one in items)

print(total([Image(n) for n in range(10)]))
"""
    said = at(told(tmp_path, main), 11)
    why = "Image has a __getstate__ of its own (line 7), which would run ahead of the program"
    assert in_place(said, f"{why}, at line 11.") == 9
    assert "  10 calls: 10 in place.\n" in said
    assert "  the text alone tells: ahead: through the loop at line 11" in said


CHANGED = """\
import work

class Particle:
    def __init__(self, x):
        self.x = x

    def move(self):
        self.x += 1

def steps(particles):
    for one in particles:
        one.move()
        print(work.f(ARGUMENT))

steps([Particle(n) for n in range(10)])
"""


@pytest.mark.parametrize(
    ("argument", "changed"),
    [("one.x", "Particle.x"), ("one", "a Particle"), ("[one]", "a Particle")],
)
def test_what_the_program_changes_of_its_objects(
    tmp_path: Path, argument: str, changed: str
) -> None:
    main = CHANGED.replace("ARGUMENT", argument)
    said = at(told(tmp_path, main), 13)
    assert f"because the program changes {changed} before, and a scout changes no object" in said
    assert "10 calls: 10 in place.\n" in said
    assert "that the program did not make" not in said
    plan = PLAN.replace("copies = false", "copies = true")
    assert "ahead, by a copy of the program" in at(told(tmp_path, main, plan), 13)


def test_what_a_loop_sets_and_no_call_needs_keeps_no_scout_from_it(tmp_path: Path) -> None:
    main = """\
import work

class Sum:
    def __init__(self):
        self.total, self.met = 0, []

    def doubled(self, n):
        return n * 2

    def run(self):
        for n in range(10):
            self.total += work.f(self.doubled(n))
            self.met.append(n)
        return self.total

print(Sum().run())
"""
    assert "  10 calls: 9 ahead, by a slice; 1 in place.\n" in at(told(tmp_path, main), 12)


def test_a_function_of_a_library_and_its_remedy(tmp_path: Path) -> None:
    main = """\
import quopri, work

def total(convert):
    for n in range(10):
        text = convert(bytes([60 + n]))
        print(text, work.f(text))

total(quopri.encodestring)
"""
    said = at(told(tmp_path, main), 6)
    why = "nothing says that quopri.encodestring has no effects, at line 5."
    assert in_place(said, why) >= 8
    remedy = '[assume] pure = ["quopri.encodestring"]'
    assert f"    remedy: {remedy} in cord.toml, if it has no effects\n" in said
    declared = at(told(tmp_path, main, PLAN + remedy.replace("] ", "]\n") + "\n"), 6)
    assert "9 ahead, by a slice" in declared and "because" not in declared


def test_a_property_and_the_operation_as_it_is_written(tmp_path: Path) -> None:
    main = """\
import operator, work

class Box:
    size = property(operator.methodcaller("weigh"))

    def weigh(self):
        return 3

def total(boxes):
    for box in boxes:
        print(work.f(box.size + 1))

total([Box() for _ in range(10)])
"""
    said = at(told(tmp_path, main), 11)
    assert in_place(said, "nothing says that Box.size has no effects: box.size at line 11.") >= 8
    declared = '[assume]\npure = ["main.Box.size"]\n'
    assert '    remedy: [assume] pure = ["main.Box.size"]' in said
    assert "9 ahead, by a slice" in at(told(tmp_path, main, PLAN + declared), 11)


def test_a_method_of_a_type_of_c(tmp_path: Path) -> None:
    main = """\
import mmap, work

def total(memory):
    for n in range(10):
        print(work.f(memory.find(bytes([n]))))

total(mmap.mmap(-1, 10))
"""
    said = at(told(tmp_path, main), 5)
    why = "nothing says that mmap.mmap.find has no effects: memory.find(bytes([n])) at line 5."
    assert in_place(said, why) >= 8
    assert '    remedy: [assume] pure = ["mmap.mmap.find"]' in said


def test_a_container_that_scouts_cannot_change(tmp_path: Path) -> None:
    main = """\
import array, work

def total(seen):
    for n in range(10):
        seen.append(n)
        print(work.f(seen[0] + len(seen)))

total(array.array("i"))
"""
    said = at(told(tmp_path, main), 6)
    why = "a scout can have no copy of an array.array to change, at line 5."
    assert in_place(said, why) >= 8


def test_arguments_that_differ_from_what_was_guessed(tmp_path: Path) -> None:
    main = """\
import work
level = 0

def lift():
    global level
    level += 2

def total():
    for n in range(10):
        print(work.f(n, level))
        lift()

total()
"""
    said = at(told(tmp_path, main), 10)
    assert in_place(said, "a scout had called it with another y (at first 2, not 0).") >= 4
    assert "more calls issued ahead that the program did not make" in said


def test_an_iterator_that_cannot_be_read_twice(tmp_path: Path) -> None:
    main = """\
import work

def total(lines):
    for line in lines:
        print(work.f(line))

with open("ten") as file:
    total(file)
"""
    (tmp_path / "ten").write_text("x\n" * 10)
    said = at(told(tmp_path, main), 5)
    why = "what the loop runs over cannot be read ahead of it, at line 4."
    assert in_place(said, why) >= 8
    assert "    remedy: make a list of it before the loop\n" in said


def test_what_the_text_tells_is_told_as_that(tmp_path: Path) -> None:
    main = """\
import random, work

for n in range(10):
    work.f(random.random())
"""
    said = at(told(tmp_path, main), 4)
    assert "  in place 10 of 10 times, as the text tells: line 4: random.random may" in said
    assert "    remedy: draw all numbers before the loop" in said
    assert "the text alone" not in said


def test_what_the_plan_leaves_to_the_program_is_told(tmp_path: Path) -> None:
    main = "import work\nfor n in range(10):\n    print(work.f(n))\n"
    said = at(told(tmp_path, main, PLAN.replace('"async"', '"sync"')), 3)
    assert 'in place 10 of 10 times, as the text tells: its callstyle is "sync".' in said
    assert '    remedy: callstyle = "async" in [remote.work]' in said


def test_calls_that_the_text_does_not_show(tmp_path: Path) -> None:
    main = "import work\nexec('for n in range(10): f(n)', {'f': work.f})\n"
    said = told(tmp_path, main)
    why = "no scout sees such calls, and no copy of the program was running ahead."
    assert in_place(said, why) == 10


def test_an_exception_that_only_a_scout_meets(tmp_path: Path) -> None:
    main = """\
import work
table = []

def fill(n):
    global table
    table = [*table, n]

def total():
    for n in range(10):
        fill(n)
        print(work.f(table[n]))

total()
"""
    said = at(told(tmp_path, main), 11)
    why = "a scout met IndexError there (at first list index out of range): table[n] at line 11."
    assert in_place(said, why) >= 5


def test_a_loop_without_refusals_stays_brief(tmp_path: Path) -> None:
    main = "import work\nfor n in range(10):\n    print(work.f(n))\n"
    said = at(told(tmp_path, main), 3)
    assert re.fullmatch(
        r"  10 calls: 9 ahead, by a slice; 1 in place\.\n"
        r"  ahead by \d calls? as a rule, by \d calls? at most\.\n",
        said,
    ), said


def test_helpers_tell_only_what_guards_refused(tmp_path: Path) -> None:
    main = """\
import work

def double(x):
    return work.f(x) * 2

for n in range(10):
    print(double(n))
"""
    said = told(tmp_path, main)
    assert "because" not in said


def test_nothing_is_found_out_where_nobody_asks(tmp_path: Path) -> None:
    main = """\
import sys, work

class Image:
    def __getstate__(self):
        return {}

print(sum(work.f(Image()) for _ in range(10)), "cord.runtime.guards.telling" in sys.modules)
"""
    told(tmp_path, main.replace('"cord.runtime.guards.telling" in sys.modules', "True"))
    words = [sys.executable, "-m", "cord", "run", "main.py"]
    (tmp_path / "main.py").write_text(main)
    run = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert run.stdout == "10 False\n"
