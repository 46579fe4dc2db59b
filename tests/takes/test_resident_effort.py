"""What resident arguments cost the client: a digest once, and two looks per call.

One is the scout's, when it makes the call, and one the program's, when it asks for it.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

CALLS = 60
WORK = """
import numpy as np

def total(number, array):
    return number + float(array.sum())

def length(number, text):
    return number + len(text)

def other(number):
    return number
"""
PLAN = """
[remote.work]
replicas = 2
callstyle = "async"
repeatable = true
inline = false
resident = ["array", "text"]
"""


def effort(folder: Path, main: str) -> tuple[int, int]:
    """Digests and comparisons of a program, which is to print the same plain."""
    (folder / "work.py").write_text(WORK)
    (folder / "cord.toml").write_text(PLAN)
    (folder / "main.py").write_text("import numpy as np\nimport work\n" + main)
    environment = {**os.environ, "EFFORT": str(folder / "effort")}
    outputs = []
    for command in ([], [str(Path(__file__).parent / "effort.py")]):
        done = subprocess.run(
            [sys.executable, *command, "main.py"],
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
            timeout=60,
            check=True,
        )
        assert done.stderr == ""
        outputs.append(done.stdout)
    assert outputs[0] == outputs[1]
    digests, comparisons = (folder / "effort").read_text().split()
    return int(digests), int(comparisons)


def test_an_array_is_compared_when_a_call_is_made_and_when_it_is_asked_for(tmp_path: Path) -> None:
    main = f"""
array = np.arange(20_000.0)
for number in range({CALLS}):
    print(work.total(number, array), work.other(number))
"""
    digests, comparisons = effort(tmp_path, main)
    assert digests == 1
    assert CALLS - 1 <= comparisons <= 2 * CALLS


def test_so_are_two_arrays_in_turns(tmp_path: Path) -> None:
    main = f"""
first, second = np.arange(20_000.0), np.arange(30_000.0)
for number in range({CALLS}):
    print(work.total(number, first), work.total(number, array=second))
"""
    digests, comparisons = effort(tmp_path, main)
    assert digests == 2
    assert 2 * CALLS - 2 <= comparisons <= 4 * CALLS


def test_text_is_never_compared(tmp_path: Path) -> None:
    main = f"""
text = "x" * 50_000
for number in range({CALLS}):
    print(work.length(number, text))
"""
    assert effort(tmp_path, main) == (1, 0)


def test_an_array_that_changes_now_and_then_has_a_digest_for_each_state(tmp_path: Path) -> None:
    main = f"""
array = np.arange(20_000.0)
for outer in range(4):
    for number in range({CALLS}):
        print(work.total(number, array))
    array[outer] = -7
"""
    digests, comparisons = effort(tmp_path, main)
    assert digests == 4
    assert comparisons <= 8 * CALLS
