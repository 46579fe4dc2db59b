"""``cord run --stats`` tells of the calls of a run, and changes nothing else."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from tests.plans import work_plan

WORK = """\
import os
import signal
import time

def nap(x):
    time.sleep(0.02)
    return x

def once(path):
    if not os.path.exists(path):
        open(path, "w").close()
        os.kill(os.getpid(), signal.SIGKILL)
    return path
"""
PLAN = work_plan()
LOOP = """\
import work
for x in range(10):
    print(work.nap(x))
"""
RAISES = LOOP + "raise ValueError('at the end')\n"
EXITS = LOOP + "import sys\nsys.exit('no more')\n"
DIES = """\
import work
print(work.once("flag"))
"""
LARGE = """\
import work
print(len(work.nap(b"x" * 100_000)))
"""
LIBRARY = """\
import work
print(list(map(work.nap, [1, 2])), getattr(work, "nap")(3))
"""


def ran(folder: Path, main: str, *options: str) -> subprocess.CompletedProcess[str]:
    for name, text in {"main.py": main, "work.py": WORK, "cord.toml": PLAN}.items():
        (folder / name).write_text(text)
    words = [sys.executable, "-m", "cord", "run", *options, "main.py"]
    return subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)


COUNTS = re.compile(r"  (\d+) +(\d+) +(\d+) +(\d+) +(\d+)  ")


def numbers(told: str, place: str) -> list[int]:
    """Calls, ahead, in place, not sent and in vain, of the place."""
    (line,) = (line for line in told.splitlines() if line.strip().startswith(place))
    (found,) = COUNTS.findall(line)
    return [int(count) for count in found]


def test_the_calls_of_a_loop(tmp_path: Path) -> None:
    run = ran(tmp_path, LOOP, "--stats")
    assert (run.returncode, run.stdout) == (0, "".join(f"{x}\n" for x in range(10)))
    calls, ahead, in_place, unsent, in_vain = numbers(run.stderr, "main.py:3")
    assert (calls, unsent, in_vain) == (10, 0, 0)
    assert ahead + in_place == 10
    assert ahead >= 8
    assert "busy for" in run.stderr


@pytest.mark.parametrize(
    ("main", "status", "said"),
    [(RAISES, 1, "ValueError: at the end"), (EXITS, 1, "no more")],
)
def test_it_comes_after_what_the_program_says(
    tmp_path: Path, main: str, status: int, said: str
) -> None:
    run = ran(tmp_path, main, "--stats")
    assert run.returncode == status
    before, after = run.stderr.split("\nThe calls of main.py", 1)
    assert before.rstrip().endswith(said)
    assert "main.py:3" in after


def test_without_it_nothing_is_said(tmp_path: Path) -> None:
    assert ran(tmp_path, LOOP).stderr == ""


def test_a_replica_that_was_lost(tmp_path: Path) -> None:
    run = ran(tmp_path, DIES, "--stats")
    assert (run.returncode, run.stdout) == (0, "flag\n")
    assert "Lost: a replica of work (process" in run.stderr
    assert "was ended by SIGKILL" in run.stderr


def test_bytes_go_and_come(tmp_path: Path) -> None:
    run = ran(tmp_path, LARGE, "--stats")
    (line,) = (line for line in run.stderr.splitlines() if "main.py:2" in line)
    assert line.count("97.7 KiB") == 2


def test_calls_that_the_text_does_not_show(tmp_path: Path) -> None:
    run = ran(tmp_path, LIBRARY, "--stats")
    assert run.stdout == "[1, 2] 3\n"
    assert numbers(run.stderr, "main.py:2")[0] == 2
    assert numbers(run.stderr, "work.nap") == [1, 0, 1, 0, 0]


def test_as_data_in_a_file_of_its_own(tmp_path: Path) -> None:
    run = ran(tmp_path, f"import os\nos.chdir('/')\n{LOOP}", "--stats=told.json")
    assert (run.returncode, run.stderr) == (0, "")
    told = json.loads((tmp_path / "told.json").read_text())
    assert (told["program"], told["lost"], told["advice"]) == ("main.py", [], None)
    (calls,) = told["calls"]
    assert (calls["place"], calls["call"], calls["calls"]) == ("main.py:5", "work.nap(x)", 10)
    assert calls["ahead"] + calls["in_place"] == 10
    assert calls["not_sent"] == calls["in_vain"] == 0
    assert calls["service"] >= 0.1
    assert calls["waited"] <= told["seconds"]
    ((name, busy),) = [(one["module"], one["busy"]) for one in told["replicas"]]
    assert (name, len(busy)) == ("work", 2)


def test_a_file_that_cannot_be_written_is_told_before_the_program_starts(tmp_path: Path) -> None:
    run = ran(tmp_path, LOOP, "--stats=no/such/folder")
    assert (run.returncode, run.stdout) == (2, "")
    said = "cord: --stats cannot write no/such/folder: No such file or directory\n"
    assert run.stderr.startswith(said)


def test_the_plan_asks_for_it(tmp_path: Path) -> None:
    run = ran(tmp_path, LOOP, "--set", "report.stats=true")
    assert numbers(run.stderr, "main.py:3")[0] == 10


HAS_GETSTATE = """\
import work
class Image:
    def __getstate__(self):
        return {"number": 1}
for number in range(8):
    work.nap(Image())
"""
CHAIN = """\
import work
x = 0
for _ in range(6):
    x = work.nap(x) + 1
print(x)
"""
# a library decides when it calls what it was given
FRAMEWORK = """\
import sched
from helper import ask
class Node:
    def handle(self, x):
        return ask(x)
node = Node()
plan = sched.scheduler(lambda: 0.0, lambda _: None)
for x in range(8):
    plan.enter(0, x, node.handle, (x,))
plan.run()
"""
GIVEN = """\
import sched
import work
plan = sched.scheduler(lambda: 0.0, lambda _: None)
for x in range(8):
    plan.enter(0, x, work.nap, (x,))
plan.run()
"""
READS = """\
import work
for _ in range(8):
    text = open("work.py").read()
    work.nap(text)
"""
ADVICE = {
    HAS_GETSTATE: "main.py:6: in place 7 of 8 times, because Image has a __getstate__ of its own "
    "(line 3), which would run ahead of the program, at line 6.",
    CHAIN: "main.py:4: ahead, but each waits for the call of the turn before, so that hardly any "
    "run at once.",
    FRAMEWORK: "helper.py:3: in place 8 of 8 times, as the text tells: the text does not show who "
    "calls Node.handle(), from where main.py:5 leads here; a scout starts here, for the rest of "
    "ask() and its callers. remedy: copies = true under [run]",
    READS: "main.py:4: in place 8 of 8 times, as the text tells: line 3: open('work.py').read() "
    "may have effects or depend on more than its arguments. remedy: read it before the loop, or "
    "let the remote function read it",
    GIVEN: "work.nap: in place 8 of 8 times, because no scout sees such calls, and no copy of "
    "the program was running ahead. remedy: copies = true under [run]",
    LOOP: "",
}


@pytest.mark.parametrize("main", ADVICE)
def test_the_advice_names_the_line_and_the_reason(tmp_path: Path, main: str) -> None:
    (tmp_path / "helper.py").write_text("import work\ndef ask(x):\n    return work.nap(x)\n")
    told = ran(tmp_path, main, "--stats").stderr
    assert told.partition("Advice: ")[2].strip() == ADVICE[main]
