"""``cord explain --run`` tells how the calls of a run were made, and what became of copies."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from cord.tools.explain.told import about_copies, where_copies_stop

WORK = """\
import time

def nap(x):
    time.sleep(0.02)
    return x * 7 % 101
"""
ROUNDS = """\
def each(function, count):
    for x in range(count):
        yield function(x)
"""
SLICED = """\
import sys
import work
for word in sys.argv[1:]:
    print(word, work.nap(len(word)))
"""
COPIED = """\
import sys
sys.path.append("lib")
import rounds
import work
print(sum(rounds.each(work.nap, 20)))
"""
PLAN = """\
[remote.work]
replicas = 4
callstyle = "async"
pure = true
"""
# So often the program is run until its copy was ahead: a busy machine may leave a copy no core.
TRIES = 8
COPIES = "[run]\ncopies = true\n"
NO_COPIES = "[run]\ncopies = false\n"


def explained(folder: Path, main: str, plan: str, *args: str) -> subprocess.CompletedProcess[str]:
    """``cord explain --run main.py ARGS``."""
    (folder / "lib").mkdir()
    files = {"main.py": main, "work.py": WORK, "lib/rounds.py": ROUNDS, "cord.toml": plan}
    for name, text in files.items():
        (folder / name).write_text(text)
    words = [sys.executable, "-m", "cord", "explain", "--run", "main.py", *args]
    return subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)


def test_calls_that_slices_foresee(tmp_path: Path) -> None:
    run = explained(tmp_path, SLICED, PLAN + NO_COPIES, *"a bb ccc dddd eeeee".split())
    assert run.stdout == "a 7\nbb 14\nccc 21\ndddd 28\neeeee 35\n"
    assert run.returncode == 0
    assert (
        "main.py:4: work.nap(len(word))\n  5 calls: 4 ahead, by a slice; 1 in place.\n"
        in run.stderr
    )
    assert "none, for the plan says copies = false under [run]." in run.stderr
    (other := tmp_path / "other").mkdir()
    run = explained(other, SLICED, PLAN + COPIES + 'speculate = "off"\n', "a")
    assert 'none, for the plan says speculate = "off" under [run].' in run.stderr


def test_calls_that_copies_issue(tmp_path: Path) -> None:
    for number in range(TRIES):
        folder = tmp_path / str(number)
        folder.mkdir()
        run = explained(folder, COPIED, PLAN + COPIES)
        assert run.returncode == 0
        assert run.stdout == f"{sum(x * 7 % 101 for x in range(20))}\n"
        found = re.search(
            r"work.nap, where the text does not show the call\n"
            r"  20 calls:(?: (\d+) ahead, by a copy of the program;)?"
            r"(?: \d+ ahead by a moment: [^;]*;)? (\d+) in place.",
            run.stderr,
        )
        assert found, run.stderr
        if int(found[1] or 0) > int(found[2]):
            break
    else:
        pytest.fail(run.stderr)
    assert re.search(r"Copies of the program: \d+ w\w+ made; they issued \d+ calls", run.stderr)
    assert re.search(r"cost the program [\d.]+ m?s .* and saved [\d.]+ m?s", run.stderr)


def test_where_copies_waited_for_values(tmp_path: Path) -> None:
    main = COPIED.replace(
        "print(sum(rounds.each(work.nap, 20)))",
        "high = 0\nfor value in rounds.each(work.nap, 20):\n    if value > 50:\n        high += 1",
    )
    run = explained(tmp_path, main, PLAN + COPIES + 'speculate = "exact"\n')
    assert re.search(
        r"waited for a value that the program asks for at main.py:7 \(\d+\)", run.stderr
    )


def test_the_exit_status_and_the_error_are_the_programs(tmp_path: Path) -> None:
    main = "import os, sys, work\nos.chdir('/')\nprint(work.nap(1))\nsys.exit('gone')\n"
    run = explained(tmp_path, main, PLAN)
    assert (run.stdout, run.returncode) == ("7\n", 1)
    assert run.stderr.startswith("gone\n")
    assert "main.py:3: work.nap(1)\n  1 call: 1 in place.\n" in run.stderr


def test_a_forked_child_tells_nothing(tmp_path: Path) -> None:
    main = "import os, work\nwork.nap(1)\nif (child := os.fork()): os.waitpid(child, 0)\n"
    run = explained(tmp_path, main, PLAN)
    assert run.stderr.count("How the calls of") == 1


IN_A_LOOP = "import os, work\nfor x in range(3):\n    y = os.times()\n    work.nap(y)\n"
IN_A_COROUTINE = """\
import asyncio, work
async def one(x):
    await asyncio.sleep(0)
    return work.nap(x)
async def main():
    print(await asyncio.gather(one(1), one(2)))
asyncio.run(main())
"""


@pytest.mark.parametrize(
    ("main", "why"), [(IN_A_LOOP, "line 3"), (IN_A_COROUTINE, "it stands in a coroutine")]
)
def test_without_a_run_calls_that_slices_do_not_see_are_left_to_copies(
    tmp_path: Path, main: str, why: str
) -> None:
    for copies, verdict in (
        (COPIES, "ahead by a copy of the program if calls take 2 ms, by no scout"),
        (NO_COPIES, "in place"),
    ):
        (tmp_path / "main.py").write_text(main)
        (tmp_path / "work.py").write_text(WORK)
        (tmp_path / "cord.toml").write_text(PLAN + copies)
        words = [sys.executable, "-m", "cord", "explain", "main.py"]
        run = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=True)
        said = " ".join(run.stdout.split())
        assert re.search(rf"main.py:4: work.nap\(.\) {verdict}: {why}", said), run.stdout


NOTHING: dict[str, Any] = {
    "made": 0,
    "issued": 0,
    "taken": 0,
    "ends": {},
    "refused": None,
    "too_costly": 0,
    "cost": 0.0,
    "service": 0.0,
    "lost": 0.0,
    "saved": 0.0,
    "on_threads": 0,
    "behind_slices": 0,
    "waits": {},
    "passed": {},
    "leaders": {},
    "guesses": {},
    "wrong": {},
}
WHY_NONE: dict[str, dict[str, Any]] = {
    "the program uses a device": {"refused": "the program uses a device"},
    "the program waited for no call, or one only, that slices did not foresee": {},
    "calls take 0.5 ms, and are worth one from 2.0 ms on": {"service": 0.0005},
    "the program waited for no further call that slices did not foresee": {"service": 0.01},
    "slices of the text were to see what comes, wherever the program waited": {
        "service": 0.01,
        "behind_slices": 3,
    },
    "the calls were waited for on other threads than the program's first, which copies have "
    "only where they may guess, and while all of them wait": {
        "service": 0.01,
        "on_threads": 3,
        "behind_slices": 3,
    },
    "the program is too large for the time that it has run": {"service": 0.01, "too_costly": 3},
    "the copy was not ready in time": {"ends": {"the copy was not ready in time": 2}},
}


@pytest.mark.parametrize("why", WHY_NONE)
def test_why_there_are_none(why: str) -> None:
    [line] = about_copies("", NOTHING | WHY_NONE[why])
    assert line == f"Copies of the program: none, for {why}."


MADE: dict[str, Any] = {"made": 2, "issued": 9, "taken": 5}


def test_how_often_functions_guessed_right() -> None:
    lines = list(about_copies("", NOTHING | MADE | {"guesses": {"coarse.f": (7, 2)}}))
    assert "  guesses of coarse.f: 7 right, 2 wrong." in lines


WRONG = {
    "main.py:3: 7 was guessed, and it was 8": 1,
    "main.py:5: a list of 2 was guessed, and it was a list of 3": 2,
    "main.py:5: a list of 2 was guessed, and it was a list of 4": 1,
}


@pytest.mark.parametrize(
    ("told", "line", "how"),
    [
        ({}, "", ""),
        ({"waits": {"main.py:3": 1}}, "", ""),  # once is no reason for what others do
        (
            {"waits": {"main.py:3": 1, "main.py:4": 2}},
            "main.py:4",
            "waited there for a value (2 times)",
        ),
        ({"wrong": WRONG}, "main.py:5", "(a list of 2 was guessed, and it was a list of 3)"),
        (
            {
                "wrong": WRONG,
                "ends": {"the program went elsewhere than was guessed at main.py:3": 1},
            },
            "main.py:3",
            "(7 was guessed, and it was 8)",
        ),
        ({"wrong": WRONG, "taken": 9}, "", ""),  # it did not matter
    ],
)
def test_where_copies_came_no_further(told: dict[str, Any], line: str, how: str) -> None:
    everything = NOTHING | MADE | told
    found, lines = where_copies_stop(everything), "\n".join(about_copies("", everything))
    assert (found is None) == (not line)
    if found is not None:
        assert f"as far as {line}, and" in found[0] and how in found[0]
        assert f"remedy: {found[1]}" in lines and line in found[1]
