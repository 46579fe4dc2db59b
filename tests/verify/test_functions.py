"""`cord verify` tells of functions that do not what the plan says, though nothing differs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from conftest import Project

PLAN = '[remote.{}]\nreplicas = 2\ncallstyle = "async"\npure = true\n'


def verify(made: Project) -> dict[str, Any]:
    """What it says as data."""
    result = subprocess.run(
        [sys.executable, "-m", "cord", "verify", "--json", "main.py"],
        cwd=made.folder,
        env={**os.environ, "TMPDIR": str(made.scratch), "PYTHONHASHSEED": "0"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
    )
    assert result.stderr == ""
    assert made.left_behind() == []
    said: dict[str, Any] = json.loads(result.stdout)
    assert result.returncode == (0 if said["same"] and not said["findings"] else 1)
    return said


NOT_PURE = """
import os, random, time

calls = 0
log = []

def counts():
    global calls
    calls += 1
    return calls

def draws(x):
    return [random.random()] * x

def tells_the_time():
    return {"at": time.time_ns()}

def tells_its_process():
    return os.getpid()

def sorts(items):
    items.sort()

def logs(x):
    log.append(x)
    return x

def writes(x):
    with open("written.txt", "w") as file:
        file.write("always the same")
    return x

def sets(x):
    os.environ["SET"] = "1"
    return x
"""
CALLS = """
import work

for x in (2, 3, 4):
    work.counts(), work.draws(x), work.tells_the_time(), work.tells_its_process()
    work.sorts([x, 1]), work.logs(x), work.writes(x), work.sets(x)
print("done")
"""
SAID = {
    "work.counts": ("work.py:7", "state", "changes work.calls"),
    "work.draws": ("work.py:12", "state", "draws from the shared random numbers"),
    "work.tells_the_time": ("work.py:15", "different", "tells_the_time() gave {'at': "),
    "work.tells_its_process": ("work.py:18", "different", "when it was made again"),
    "work.sorts": ("work.py:21", "argument", "changes its argument items"),
    "work.logs": ("work.py:24", "state", "changes work.log"),
    "work.writes": ("work.py:28", "file", "opens written.txt for writing"),
    "work.sets": ("work.py:33", "setting", "sets the environment variable SET"),
}


def test_what_is_not_pure_is_told_though_the_runs_agree(project: Callable[..., Project]) -> None:
    files = {"cord.toml": PLAN.format("work"), "work.py": NOT_PURE, "main.py": CALLS}
    said = verify(project(files))
    assert (said["same"], said["complete"], said["calls"]) == (True, True, 24)
    found = {one["function"]: one for one in said["findings"]}
    assert set(found) == set(SAID)
    for name, (place, kind, text) in SAID.items():
        one = found[name]
        assert (one["place"], one["kind"]) == (place, kind), one
        assert text in one["text"], one
        assert one["remedy"]


HONEST = """
import functools
import numpy as np
import os, tempfile, time, warnings

SCALE = 1
class Spot:
    def __init__(self, x):
        self.x = x
        self.inner = [float("nan"), {x}]

def scaled(x):
    return x * SCALE

def read():
    with open("data.txt") as file:
        return file.read()

def spots(x):
    return [Spot(x), Spot, float("nan"), np.array([x, np.nan])]

def names(x):
    return {"b": {f"{x}", "z", "y"}, "a": frozenset(range(x))}

@functools.cache
def cached(x):
    return x * x

def fails(x):
    raise ValueError(x)

def shows(x):
    print("seen", x, time.time() > 0)

def quiet(x):
    with warnings.catch_warnings(), tempfile.TemporaryDirectory() as folder:
        warnings.simplefilter("ignore")
        with open(os.path.join(folder, "a"), "w") as file:
            file.write("a")
    return x
"""
USES = """
import work

for x in range(5):
    work.SCALE = x
    with open("data.txt", "w") as file:
        file.write(str(x))
    print(work.scaled(2), work.read(), work.cached(x), work.quiet(x))
    work.spots(x), work.names(x), work.shows(x)
    try:
        work.fails(x)
    except ValueError as error:
        print(error)
"""


def test_functions_that_read_what_the_program_changes_are_not_accused(
    project: Callable[..., Project],
) -> None:
    files = {"cord.toml": PLAN.format("work"), "work.py": HONEST, "main.py": USES}
    said = verify(project(files))
    assert (said["same"], said["findings"], said["rules"]) == (True, [], [])
    assert said["calls"] == 40


IN_ONE_FILE = """
import sys

hits = 0
SCALE = 3

def counts(x):
    global hits
    hits += 1
    return x

def pure(x):
    return x * SCALE

for x in range(4):
    print(counts(x), pure(x))
END
"""


def test_functions_of_the_main_script(project: Callable[..., Project]) -> None:
    files = {"cord.toml": PLAN.format("main"), "main.py": IN_ONE_FILE.replace("END", "")}
    said = verify(project(files))
    assert [(one["function"], one["place"]) for one in said["findings"]] == [
        ("counts", "main.py:7")
    ]
    assert said["calls"] == 8


def test_all_calls_are_made_again_that_may_be(project: Callable[..., Project]) -> None:
    work = "import time\ndef f(x):\n    time.sleep(0.01)\n    return x\n"
    plan = f"{PLAN.format('work')}inline = false\n"
    main = "import work\nfor x in range(20):\n    print(work.f(x))\n"
    said = verify(project({"cord.toml": plan, "work.py": work, "main.py": main}))
    assert said["calls"] == 20
    assert said["made_again"] >= 20  # those in vain, too
    assert said["findings"] == []


def test_a_process_that_ends_by_a_signal(project: Callable[..., Project]) -> None:
    killed = IN_ONE_FILE.replace("END", "import os; sys.stdout.flush(); os.kill(os.getpid(), 9)")
    said = verify(project({"cord.toml": PLAN.format("main"), "main.py": killed}))
    assert (said["same"], said["made_again"], said["complete"]) == (True, 0, False)


def test_what_check_knows_stands_beside_a_difference(project: Callable[..., Project]) -> None:
    work = "import os\ndef f(x):\n    return os.getpid() == x\n"
    main = "import os, work\nfor x in range(3):\n    print(work.f(os.getpid()))\n"
    said = verify(project({"cord.toml": PLAN.format("work"), "work.py": work, "main.py": main}))
    assert not said["same"]
    (one,) = said["check"]
    assert one["place"] == "work.py:3"
    assert "depends on its process" in one["text"]
