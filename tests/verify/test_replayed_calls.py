"""`cord verify` makes calls again, whether or not the runs agree, and tells what is not pure."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
import pytest

from cord.tools.verify.alike import alike, encoded, same
from cord.tools.verify.calls import Call, affordable

if TYPE_CHECKING:
    from conftest import Project

PLAN = '[remote.work]\nreplicas = 2\ncallstyle = "async"\npure = true\n'


def verify(made: Project) -> tuple[str, int]:
    """What it says, in one line, and how it ends."""
    result = subprocess.run(
        [sys.executable, "-m", "cord", "verify", "main.py"],
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
    return " ".join(result.stdout.split()), result.returncode


NOT_PURE = """
import random, time

SCALE = 1
calls = 0
seen = {}
log = []

def counts():
    global calls
    calls += 1
    return calls

def draws(x):
    return [random.random()] * x

def tells_the_time():
    return {"at": time.time_ns()}

def shows_its_cache(x):
    seen[x] = x * x
    return seen[x], len(seen)

def sorts(items):
    items.sort()

def logs(x):
    log.append(x)
    return x

def writes(x):
    with open("written.txt", "w") as file:
        file.write("always the same")
    return x

def reads_what_is_set(x):
    return x * SCALE

def reads_a_file():
    with open("data.txt") as file:
        return file.read()

def prints():
    print(time.time_ns())
"""

CALLS = """
import work

for x in (2, 3, 4):
    work.SCALE = x
    with open("data.txt", "w") as file:
        file.write(str(x))
    work.counts()
    work.draws(x)
    work.tells_the_time()
    work.shows_its_cache(x)
    work.sorts([x, 1])
    work.logs(x)
    work.writes(x)
    work.reads_what_is_set(x)
    work.reads_a_file()
print("done")
"""

SAID = {
    "counts": "made once more with the same arguments, gives something else",
    "draws": "made once more with the same arguments, gives something else",
    "tells_the_time": "made once more with the same arguments, gives something else",
    "shows_its_cache": "made once more with the same arguments, gives something else",
    "sorts": "changes its arguments",
    "logs": "change the global log each time",
    "writes": "write the file written.txt",
    "reads_what_is_set": "gives something else in a process that has nothing of the program",
    "reads_a_file": "gives something else in a process that has nothing of the program",
}


def test_what_is_not_pure_is_told_though_the_runs_agree(project: Callable[..., Project]) -> None:
    files = {"cord.toml": PLAN, "work.py": NOT_PURE, "main.py": CALLS, "data.txt": ""}
    said, code = verify(project(files))
    assert code == 1
    assert said.startswith("main.py: the same under Cord: 1 line of stdout")
    assert "replayed 27 of 27 calls of functions that are declared pure But another run may" in said
    told = [part for part in said.split("rule ") if "work." in part]
    for function, why in SAID.items():
        assert [part for part in told if f"work.{function}" in part and why in part], function


def test_what_is_printed_otherwise_each_time_is_told(project: Callable[..., Project]) -> None:
    main = "import work\nfor _ in range(3):\n    work.prints()\n"
    said, code = verify(project({"cord.toml": PLAN, "work.py": NOT_PURE, "main.py": main}))
    assert code == 1
    assert "The plain program itself does not give the same twice" in said
    assert "work.prints is declared pure, but calls" in said
    assert "print something else each time" in said


PURE = """
import functools
import numpy as np
import xml

known = {}

class Spot:
    def __init__(self, x):
        self.x = x
        self.inner = [float("nan"), {x}]

def nothing(x):
    return float("nan"), np.array([x, np.nan])

def spots(x):
    return [Spot(x), Spot]

def total(rows):
    return np.asarray(rows).sum(), np.linalg.norm(rows)

def names(x):
    return {"b": {f"{x}", "z", "y"}, "a": frozenset(range(x))}

@functools.cache
def cached(x):
    return x * x

def remembered(x):
    if x not in known:
        known[x] = x + 1
    return known[x]

def fails(x):
    raise ValueError(x)

def shows(x):
    print("seen", x)

def tag(x):
    return xml.dom.minidom.parseString(x).documentElement.tagName
"""

USES = """
import numpy as np
import xml.dom.minidom
import work

for x in range(5):
    work.nothing(x), work.spots(x), work.total(np.ones((9, 9)) / (x + 3)), work.names(x)
    print(work.cached(x), work.remembered(x))
    work.shows(x), work.tag("<a/>")
    try:
        work.fails(x)
    except ValueError as error:
        print(error)
"""


def test_pure_functions_are_not_accused(project: Callable[..., Project]) -> None:
    said, code = verify(project({"cord.toml": PLAN, "work.py": PURE, "main.py": USES}))
    assert (code, said) == (
        0,
        "main.py: the same under Cord: 15 lines of stdout, the last line of stderr, exit status 0, "
        "the files replayed 45 of 45 calls of functions that are declared pure",
    )


def test_of_many_calls_a_sample_is_made_again(project: Callable[..., Project]) -> None:
    work = "def f(x):\n    return x if x != 96 else object()\n"
    main = "import work\nfor x in range(5000):\n    work.f(x)\n"
    said, code = verify(project({"cord.toml": PLAN, "work.py": work, "main.py": main}))
    assert re.search(r"replayed [0-9]+ of 5,000 calls", said), said
    assert code == 0


class Plain:
    def __init__(self, *parts: object) -> None:
        self.parts = parts


NAN = float("nan")


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        (NAN, -NAN, True),
        ([1, NAN], [1, NAN], True),
        (1, True, False),
        (0.1 + 0.2, 0.3, False),
        (np.float64(0.1) + np.float64(0.2), np.float64(0.3), True),
        (np.array([0.1, NAN]) * 3, np.array([0.1 * 3, NAN]), True),
        (np.array([1, 2]), np.array([1, 3]), False),
        (np.array([1, 2]), np.array([[1, 2]]), False),
        (np.array([1, "x"], object), np.array([1, "y"], object), False),
        (np.random.default_rng(1).random(3), np.random.default_rng(2).random(3), False),
        ({0, 8}, {8, 0}, True),
        ({Plain(1)}, {Plain(1)}, True),
        ({Plain(1)}, {Plain(2)}, False),
        ({"a": 1, "b": [NAN]}, {"b": [NAN], "a": 1}, True),
        ({"a": 1}, {"a": 2}, False),
        ({"a": 1}, {"b": 1}, False),
        (Plain(1, [NAN]), Plain(1, [NAN]), True),
        (Plain(1), Plain(2), False),
        ([1], [1, 2], False),
        ([1], (1,), False),
        (range(3), range(4), False),
        (Plain, Plain, True),
    ],
)
def test_what_is_alike(left: object, right: object, expected: bool) -> None:
    assert alike(left, right) is expected
    one, other = encoded(left), encoded(right)
    assert one is not None
    assert same(one, other) is expected


def test_what_can_be_made_again_in_time() -> None:
    def calls(number: int, seconds: float) -> list[Call]:
        return [Call(index, b"", b"", "", seconds) for index in range(number)]

    made = {"short": calls(300, 0.001), "long": calls(100, 1.0), "endless": calls(1, 1e6)}
    chosen = affordable(made, 60.0, 2)
    assert {name: len(one) for name, one in chosen.items()} == {
        "short": 150,
        "long": 7,
        "endless": 1,
    }
    assert [call.number for call in chosen["long"]] == [0, 16, 32, 48, 64, 80, 96]


def test_what_arguments_need_is_there_before_a_call_is_watched(
    project: Callable[..., Project],
) -> None:
    work = "def f(a):\n    return float((a * a).sum())\n"
    main = "import numpy as np\nimport work\nprint(work.f(np.arange(9.0)))\n"
    said, code = verify(project({"cord.toml": PLAN, "work.py": work, "main.py": main}))
    assert (code, "the same under Cord" in said, "But" in said) == (0, True, False), said


def test_a_global_is_told_of_once(project: Callable[..., Project]) -> None:
    work = "SIZES = {'a': 1, 'b': 2}\ndef f(k):\n    return sum(SIZES.values())\n"
    main = "import work\nwork.SIZES.update(a=3, b=4)\nfor k in 'ab':\n    work.f(k)\n"
    said, code = verify(project({"cord.toml": PLAN, "work.py": work, "main.py": main}))
    assert code == 1, said
    assert said.count("reads the global SIZES") <= 1, said


def test_what_check_knows_stands_beside_a_difference(project: Callable[..., Project]) -> None:
    work = "import os\ndef f(x):\n    return os.getpid() == x\n"
    main = "import os, work\nfor x in range(3):\n    print(work.f(os.getpid()))\n"
    said, code = verify(project({"cord.toml": PLAN, "work.py": work, "main.py": main}))
    assert code == 1, said
    assert "work.py:3: f is declared pure, but depends on its process" in said, said
