"""The line that a run says of itself where it was no good one, and that others say nothing."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from tests.plans import work_plan

from cord.tools.report.warning import Run, Sent

KILLED = [("work", 71, 9)]
# Where others take the cores, the program makes most of these calls itself, and says nothing of it.
TRIES = 10


def line(seconds: float = 10.0, wants_ahead: bool = True, fallen=(), **sent: float) -> str:
    return Run("main.py", seconds, Sent(**sent), wants_ahead, list(fallen)).line()


def test_a_good_run_says_nothing():
    assert line(calls=100, ahead=90, spent=3.0, service=9.0) == ""
    assert line() == ""
    assert line(calls=100, wants_ahead=False, spent=9.0, service=9.0) == ""
    assert line(calls=3, spent=9.0, service=9.0) == "", "too few to tell"
    assert line(calls=100, spent=1.0, service=1.0) == "", "they do not matter"


@pytest.mark.parametrize(("spent", "is_told"), [(6.0, True), (2.9, False)])
def test_what_sending_has_lost_is_told_from_two_seconds_on(spent, is_told):
    said = line(calls=100, ahead=90, spent=spent, service=1.0)
    assert (said != "") == is_told
    if is_told:
        assert said == (
            "of 10.00 s this run has lost some 5.00 s by sending calls instead of making them; "
            "cord run --stats main.py tells where"
        )


def test_a_small_part_of_a_long_run_is_not_told():
    assert line(seconds=100.0, calls=100, ahead=90, spent=14.0, service=1.0) == ""


def test_a_replica_that_was_lost_is_told():
    said = line(calls=100, ahead=90, spent=3.0, service=9.0, fallen=KILLED)
    assert said.startswith("a replica of work (process 71) was ended by SIGKILL")
    assert said.endswith("; cord run --stats main.py tells more")
    assert said == line(calls=100, spent=9.0, service=1.0, fallen=KILLED), "it is the reason"


def test_that_no_call_was_ahead_is_told():
    assert line(calls=1000, spent=9.0, service=9.0) == (
        "none of 1,000 remote calls was made ahead of the program; "
        "cord explain --run main.py tells why"
    )


WORK = "import time\ndef nap(x):\n    time.sleep(0.04)\n    return 1\n"
MAIN = """\
import work
class Odd:
    def __getstate__(self):
        return {}
for _ in range(60):
    work.nap(Odd())
print("done")
"""
PLAN = work_plan()


LOSES = """\
import work
print(work.once("flag"))
"""
ONCE = """\
import os
import signal

def once(path):
    if not os.path.exists(path):
        open(path, "w").close()
        os.kill(os.getpid(), signal.SIGKILL)
    return path
"""


def test_a_short_run_that_has_lost_a_replica_says_so(tmp_path: Path):
    for name, text in {"main.py": LOSES, "work.py": ONCE, "cord.toml": PLAN}.items():
        (tmp_path / name).write_text(text)
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    command = [sys.executable, "-m", "cord", "run", "main.py"]
    done = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (0, "flag\n")
    told = r"cord: a replica of work \(process \d+\) was ended by SIGKILL, "
    assert re.search(
        rf"^{told}.*; cord run --stats main.py tells more\n", done.stderr, re.MULTILINE
    )


def test_several_remote_modules_that_are_not_imported_are_told():
    said = Run("main.py", 9.0, Sent(), unused=["a", "b", "c", "d"]).line()
    assert said.startswith("the program has not imported any of the remote modules (a, b, c, …): ")


def test_a_run_that_imports_none_of_its_remote_modules_says_so(tmp_path: Path):
    main = "import time\ntime.sleep(2.1)\nprint(1)\n"
    texts = {"main.py": main, "work.py": WORK, "cord.toml": PLAN}
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    command = [sys.executable, "-m", "cord", "run", "main.py"]
    done = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    line = (
        "cord: the program has not imported the remote module work: all of it ran as without "
        "Cord; cord init main.py looks for functions that can be remote\n"
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "1\n", line)


def test_a_run_tells_it_as_its_last_word(tmp_path: Path):
    for name, text in {"main.py": MAIN, "work.py": WORK, "cord.toml": PLAN}.items():
        (tmp_path / name).write_text(text)
    # nothing is told where nothing may be kept
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    command = [sys.executable, "-m", "cord", "run", "--set", "run.copies=false", "main.py"]
    for _ in range(TRIES):
        done = subprocess.run(
            command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
        )
        assert (done.returncode, done.stdout) == (0, "done\n")
        if done.stderr:
            break
    told = r"cord: none of \d\d remote calls was made ahead of the program; "
    command = "cord explain --run --set run.copies=false main.py"
    assert re.fullmatch(f"{told}{command} tells why\n", done.stderr)


def test_a_run_says_which_function_has_not_served_each_of_its_calls(tmp_path: Path):
    one = "import time\ndef one(n):\n    time.sleep(0.05)\n    return n\n"
    files = {
        "work.py": f"{one}def many(all):\n    return all[1:]\n",
        "main.py": "import work\nprint(sum(work.one(n) for n in range(9)))\n",
        "cord.toml": "[remote.work]\npure = true\nreplicas = 1\n"
        '[remote.work.functions.one]\ngather = "many"\n',
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    command = [sys.executable, "-m", "cord", "run", "main.py"]
    done = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (0, "36\n")
    told = "cord: work.many() has not given a list with one result for each argument, as gather "
    assert told in done.stderr
