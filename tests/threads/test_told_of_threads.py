"""Threads are told apart from replicas wherever a run, or a plan, is looked at."""

from __future__ import annotations

import json

from cord.plan.model import RemotePlan
from cord.tools.replicas import number_of_replicas
from cord.tools.report.table import Ended


def test_how_many_there_are():
    assert number_of_replicas(RemotePlan("work", threads=16)) == "1 replica of 16 threads"
    assert number_of_replicas(RemotePlan("work", 2, threads=3)) == "2 replicas of 3 threads"
    each_core = RemotePlan("work", 4, threads=3, per_core=True)
    assert number_of_replicas(each_core) == "4 replicas of 3 threads, one for each core"


def test_how_busy_they_were():
    ended = Ended("main.py", 10.0, [], {"work": [1.0, 5.0, 2.0, 9.0]}, threads={"work": 2})
    [told] = [line for line in ended.lines() if "busy" in line]
    assert told == "The 4 threads of 2 replicas were busy for 10 % to 90 % of the run: work."
    assert ended.as_json()["replicas"][0]["threads"] == 2


def test_a_process_that_died_is_told_of_once_and_threads_have_numbers_of_their_own(project):
    made = project(
        {
            "cord.toml": "[remote.work]\nthreads = 3\npure = true\ninline = false\n",
            "work.py": """\
import os, threading
here = threading.Barrier(3)
def wait(n):
    if n < 3 and not os.path.exists("died"):
        here.wait(30)
        open("died", "w").close()
        os.kill(os.getpid(), 9)
    return n
""",
            "main.py": "import work\nprint(sum(work.wait(n) for n in range(9)))\n",
        }
    )
    result = made.run("--stats=stats.json", "--trace", "run.trace", "main.py")
    assert (result.returncode, result.stdout) == (0, "36\n")
    told = json.loads((made.folder / "stats.json").read_text())
    assert [one["module"] for one in told["lost"]] == ["work"]
    assert told["replicas"][0]["threads"] == 3
