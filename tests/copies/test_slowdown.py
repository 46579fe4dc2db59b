"""A program that writes much memory, and has nothing to gain, is soon left alone by copies."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

WORK = """\
import time

def nap(x):
    time.sleep(0.02)
    return x % 97
"""
# Each call needs the one before, and all of the array is written between them.
ROUNDS = """\
import numpy

def run(function, count):
    array = numpy.ones(32 << 20)
    x = 0
    for i in range(count):
        x = function(x + i)
        array += x
    return float(array[7]), float(array[-1])
"""
MAIN = """\
import sys
sys.path.append("lib")
import rounds
import work

print(rounds.run(work.nap, 40))
"""
PLAN = """\
[remote.work]
replicas = 2
callstyle = "async"
repeatable = true

[run]
copies = true
"""


def test_copies_are_given_up_that_cost_more_than_they_save(tmp_path: Path) -> None:
    (tmp_path / "lib").mkdir()
    files = {"main.py": MAIN, "work.py": WORK, "lib/rounds.py": ROUNDS, "cord.toml": PLAN}
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    plain = [sys.executable, "main.py"]
    explained = [sys.executable, "-m", "cord", "explain", "--run", "main.py"]
    first, second = (
        subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=True)
        for words in (plain, explained)
    )
    assert second.stdout == first.stdout
    assert (
        "for copies had cost too much for what they saved." in second.stderr
        or "none, for the program is too large for the time that it has run." in second.stderr
    ), second.stderr
