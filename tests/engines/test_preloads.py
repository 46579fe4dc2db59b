"""Replicas of the main script import the libraries that it needs while the program does."""

from __future__ import annotations

import ast

import pytest

from cord.plan.needs import modules_behind

PLAN = """
[remote.main]
replicas = 3
callstyle = "async"
pure = true
only = ["work"]
"""
LIBRARY = """
import os
import sys
import time

with open(os.environ["NOTES"], "a") as file:
    file.write(f"begins {os.getpid()}\\n")
print("imported", os.environ["MODE"])
print("imported", file=sys.stderr)
time.sleep(0.5)
MODE = os.environ["MODE"]
with open(os.environ["NOTES"], "a") as file:
    file.write(f"ends {os.getpid()}\\n")
{ending}
"""
MAIN = """
import os
import sys

here = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(here, os.pardir, "lib"))
os.environ["MODE"] = "first"
os.environ["NOTES"] = os.path.join(here, "notes")
try:
    import library
except ValueError as error:
    print(error)
os.environ["MODE"] = "second"
os.environ["NOTES"] = os.devnull

def work(n):
    return library.MODE, n

if "call" in sys.argv:
    print([work(n) for n in range(5)])
"""


@pytest.fixture
def split(project):
    """The program, and beside its folder another one with a library."""

    def write(ending: str = ""):
        return project(
            {
                "program/main.py": MAIN,
                "program/cord.toml": PLAN,
                "lib/library.py": LIBRARY.replace("{ending}", ending),
            }
        )

    return write


def same_output(project, *words):
    """The notes of both runs; what they show is the same."""
    notes, shown = [], []
    for cord in (False, True):
        done = project.run("program/main.py", *words, cord=cord)
        shown.append((done.stdout, done.stderr, done.returncode))
        file = project.folder / "program" / "notes"
        notes.append(file.read_text().splitlines())
        file.unlink()
    assert shown[0] == shown[1]
    return notes


def test_a_replica_imports_a_library_while_the_program_does(split):
    plain, notes = same_output(split(), "call")
    assert len(plain) == 2
    assert [line.split()[0] for line in notes[:2]] == ["begins", "begins"]
    assert len({line.split()[1] for line in notes}) <= 3  # and what other replicas are copies of


def test_a_library_that_cannot_be_imported_fails_in_the_program_alone(split):
    same_output(split('raise ValueError("no library")'))


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        ("direct", ["numpy"]),
        ("through", ["numpy"]),
        ("parsed", ["lark", "lark.Lark", "lark.indenter", "lark.indenter.Indenter"]),
        ("method", ["Bio", "Bio.SeqIO"]),
        ("nothing", []),
    ],
)
def test_what_functions_need_is_what_they_mention(function, expected):
    text = """
import numpy as np
import pandas
from lark import Lark
from lark.indenter import Indenter
from Bio import SeqIO
from . import beside

PARSER = Lark("x", postlex=Indenter())

class Reader:
    def read(self):
        return SeqIO.parse

def direct(x): return np.sum(x)
def through(x): return direct(x)
def parsed(x): return PARSER.parse(x)
def method(x): return Reader().read()
def nothing(pandas): return beside
"""
    found = modules_behind(ast.parse(text), [function])
    assert [name for name in found if name != "pandas"] == expected
