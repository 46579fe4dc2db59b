"""Functions that are declared pure and are not are found, though nothing differs in the output."""

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

WORK = """
import datetime, functools, itertools, os, random, tempfile, time, uuid, warnings
from dataclasses import dataclass, field
import helper

MODE = 1
CONFIG = {"scale": 1, "other": 2}
SEEN = set()
counter = itertools.count()
rng = random.Random(3)
known = {}
table = None

class Counter:
    n = 0

@dataclass
class Stamp:
    x: int
    at: int = field(compare=False)

def _made():
    n = 0
    def inner(x):
        nonlocal n
        n += 1
        return x
    return inner

_inner = _made()

def counts_in_an_attribute(x):
    counts_in_an_attribute.calls = getattr(counts_in_an_attribute, "calls", 0) + 1
    return x

def counts_in_a_class(x):
    Counter.n += 1
    return x

def counts_in_a_default(x, seen=[0]):
    seen[0] += 1
    return x

def counts_in_a_closure(x):
    return _inner(x)

def counts_by_an_iterator(x):
    next(counter)
    return x

def counts_elsewhere(x):
    helper.count += 1
    return x

def draws_its_own(x):
    return x if rng.random() < 2 else 0

def draws(x):
    return x if random.random() < 2 else 0

def draws_without_a_seed(x):
    return x if random.Random() else 0

def names(x):
    return x if uuid.uuid4() else 0

def clock(x):
    return x if time.time() else 0

def today(x):
    return x + (datetime.date.today().year > 9000)

def stamped(x):
    return Stamp(x, time.time_ns())

def environment(x):
    return x if os.environ.get("CORD_HAS_NO_SUCH_THING") is None else 0

def process(x):
    return x if os.getpid() else 0

def sets(x):
    os.environ["CORD_TEST_SETS"] = "1"
    return x

def hides_a_file(x):
    with open(os.path.join(tempfile.gettempdir(), "hidden"), "a") as file:
        file.write("")
    return x

def makes_a_folder(x):
    os.makedirs("made", exist_ok=True)
    return x

def reads_what_is_written(x):
    with open("data.txt") as file:
        return x + 0 * len(file.read())

def reads_a_global(x):
    return x * min(MODE, 1)

def reads_an_item(x):
    return x * min(CONFIG["scale"], 1)

def reads_a_class(x):
    return x * min(helper.Settings.scale, 1)

def remembers(x):
    SEEN.add(x)
    return x

def seldom_changes(items):
    if items[0] == 777:
        items.append(0)
    return 1

def pure_cache(x):
    if x not in known:
        known[x] = x * x
    return known[x]

@functools.lru_cache
def pure_cached(x):
    return x, x

def pure_late(x):
    global table
    if table is None:
        table = [i * i for i in range(100)]
    return table[x]

def pure_item(x):
    return CONFIG["other"] * x

def pure_seed(x):
    return random.Random(x).random()

def pure_file(x):
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "a"), "w") as file:
            file.write("a")
    return x

def pure_quiet(x):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return x

def pure_import(x):
    import decimal
    return decimal.Decimal(x)

def pure_print(x):
    print(x)
"""

MAIN = """
import helper
import work

work.MODE = 5
work.CONFIG["scale"] = 7
helper.Settings.scale = 9
for x in (1, 2):
    for name in NAMES:
        getattr(work, name)(x)
for x in range(1000):
    work.seldom_changes([x])
with open("data.txt", "w") as file:
    file.write("other")
if len(work.SEEN) > 1000:
    print("never")
"""

SAID = {
    "counts_in_an_attribute": "change the global counts_in_an_attribute each time",
    "counts_in_a_class": "change the global Counter.n each time",
    "counts_in_a_default": "change the global counts_in_a_default each time",
    "counts_in_a_closure": "change the global _inner each time",
    "counts_by_an_iterator": "change the global counter each time",
    "counts_elsewhere": "change the global helper.count each time",
    "draws_its_own": "change the global rng each time",
    "draws": "draw from the random numbers of random, which the program draws from too",
    "draws_without_a_seed": "uses random numbers (random.Random() without a seed)",
    "names": "uses random numbers (uuid.uuid4)",
    "clock": "reads the clock (time.time)",
    "today": "reads the clock (datetime.date.today)",
    "stamped": "reads the clock (time.time_ns)",
    "environment": "reads the environment (CORD_HAS_NO_SUCH_THING)",
    "process": "depends on its process (os.getpid)",
    "sets": "change the environment",
    "hides_a_file": "hidden",
    "makes_a_folder": "write the file made",
    "reads_what_is_written": "reads the file data.txt, which the program writes",
    "reads_a_global": "reads the global MODE, which the program changes",
    "reads_an_item": "reads the global CONFIG.scale, which the program changes",
    "reads_a_class": "reads the global helper.Settings.scale, which the program changes",
    "remembers": "change the global SEEN, which is read at main.py:",
    "seldom_changes": "",
}
PURE = [line[4:].partition("(")[0] for line in WORK.splitlines() if line.startswith("def pure")]


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
    (made.scratch / "hidden").unlink(missing_ok=True)
    said: dict[str, Any] = json.loads(result.stdout)
    assert result.returncode == (1 if said["rules"] else 0)
    return said


def test_each_is_found_and_no_other(project: Callable[..., Project]) -> None:
    called = [name for name in SAID if name != "seldom_changes"] + PURE
    files = {
        "cord.toml": PLAN.format("work"),
        "work.py": WORK,
        "helper.py": "count = 0\nclass Settings:\n    scale = 1\n",
        "main.py": MAIN.replace("NAMES", repr(called)),
        "data.txt": "text",
    }
    said = verify(project(files))
    assert said["same"]
    assert said["complete"]
    found = {one["function"]: one.get("what", "") for one in said["findings"]}
    for name, what in SAID.items():
        whats = [one for one in said["findings"] if one["function"] == f"work.{name}"]
        assert [one for one in whats if what in one.get("what", "")], (name, whats)
    assert set(found) == {f"work.{name}" for name in SAID}
    assert said["calls"] == 1000 + 2 * len(called)


IN_ONE_FILE = """
from dataclasses import dataclass
import sys

@dataclass
class Point:
    x: int
    y: int = 0

hits = 0
known = {}
SCALE = 3

def counts(point):
    global hits
    hits += 1
    return point.x

def changes(point):
    point.y += 1
    return point.x

def pure(point):
    if point.x not in known:
        known[point.x] = Point(point.x * SCALE)
    return known[point.x].x

if True:
    def apply(function, x):
        return function(x)

for x in range(4):
    point = Point(x)
    counts(point), changes(point)
    print(pure(point), apply(lambda a: a + SCALE, x))
END
"""


def test_functions_of_the_main_script(project: Callable[..., Project]) -> None:
    plan = PLAN.format("main")
    said = verify(project({"cord.toml": plan, "main.py": IN_ONE_FILE.replace("END", "")}))
    assert {one["function"] for one in said["findings"]} == {"main.counts", "main.changes"}
    assert said["replayed"] == said["calls"] == 16


def test_a_process_that_ends_at_once(project: Callable[..., Project]) -> None:
    plan = PLAN.format("main")
    ends = IN_ONE_FILE.replace("END", "import os; sys.stdout.flush(); os._exit(0)")
    said = verify(project({"cord.toml": plan, "main.py": ends}))
    assert (said["replayed"], said["complete"]) == (16, True)
    killed = IN_ONE_FILE.replace("END", "import os; sys.stdout.flush(); os.kill(os.getpid(), 9)")
    said = verify(project({"cord.toml": plan, "main.py": killed}))
    assert (said["replayed"], said["complete"]) == (0, False)


ASKS = """
import socket, time, urllib.request

def page(x):
    urllib.request.urlopen(f"http://127.0.0.1:9/{x}", timeout=1)

def asks(x):
    try:
        page(x)
    except OSError:
        return x

def asks_by_itself(x):
    with socket.socket() as one:
        return one.connect_ex(("127.0.0.1", 9)) and x
"""


def test_what_happens_inside_what_is_assumed_pure_is_not_held_against_a_function(
    project: Callable[..., Project],
) -> None:
    files = {"work.py": ASKS, "main.py": "import work\nprint(work.asks(1), work.asks_by_itself(2))"}
    plan = PLAN.format("work")
    said = verify(project({**files, "cord.toml": plan}))
    network = [one["function"] for one in said["findings"] if "network" in one.get("what", "")]
    assert set(network) == {"work.asks", "work.asks_by_itself"}
    assumed = f'{plan}[assume]\npure = ["urllib.request.urlopen"]\n'
    said = verify(project({**files, "cord.toml": assumed}))
    assert {one["function"] for one in said["findings"]} == {"work.asks_by_itself"}
