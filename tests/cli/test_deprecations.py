"""Cord uses nothing that is known to end in a Python to come, and warns of nothing itself."""

from __future__ import annotations

import subprocess
import sys
import warnings
from pathlib import Path

import pytest

import cord

FILES = {
    "work.py": "def twice(x):\n    return x * 2\n",
    "cord.toml": '[remote.work]\nreplicas = 2\ncallstyle = "async"\npure = true\n',
    "main.py": """\
import copy, dataclasses, enum, itertools, typing
from work import twice

@dataclasses.dataclass(order=True)
class Point:
    x: int
    y: typing.Any = None

class Color(enum.Enum):
    RED = 1

def rows():
    for pair in itertools.product("ab", range(2)):
        yield pair

for x in itertools.chain([1, 2], itertools.islice(itertools.count(3), 3)):
    print(twice(x))
for row in rows():
    print(twice(row))
for key, group in itertools.groupby("aabb"):
    print(twice(key + "".join(group)))
points = [Point(i) for i in range(3)]
for point, n in zip(points, itertools.cycle([1, 2]), strict=False):
    print(twice([point.x, n, Color.RED.value]))
print(sorted(copy.copy(points)), [twice(n) for n in itertools.accumulate(range(4))])
""",
}
WORDS = {
    "run": ["run", "main.py"],
    "a copy at each call": ["run", "--set", "run.copies=true", "main.py"],
    "stats": ["run", "--stats", "main.py"],
    "explain": ["explain", "main.py"],
    "explain of a run": ["explain", "--run", "main.py"],
    "check": ["check", "main.py"],
    "compare": ["compare", "main.py"],
    "doctor": ["doctor"],
}


@pytest.mark.parametrize("about", WORDS)
def test_commands_do_without_what_is_deprecated(about: str, tmp_path: Path) -> None:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    errors = [f"-Werror::{kind}" for kind in ("DeprecationWarning", "PendingDeprecationWarning")]
    done = subprocess.run(
        [sys.executable, *errors, "-m", "cord", *WORDS[about]],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, "Warning" in done.stderr) == (0, False), done.stderr
    if about == "run":
        plain = subprocess.run(
            [sys.executable, "main.py"], cwd=tmp_path, capture_output=True, text=True, check=True
        )
        assert (done.stdout, done.stderr) == (plain.stdout, "")


def test_no_file_is_warned_of_when_it_is_compiled() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for path in Path(cord.__path__[0]).rglob("*.py"):
            compile(path.read_text(), str(path), "exec")
