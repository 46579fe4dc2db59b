"""`cord compare` for real: plain Python and tiny variants, without a word about their times."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from conftest import Project

FILES = {
    "cord.toml": """\
[remote.work]
replicas = 2
callstyle = "async"
pure = true

[variants.one.remote.work]
replicas = 1

[variants.in-place.remote.work]
callstyle = "sync"
replicas = 1
""",
    "work.py": "def square(x):\n    return x * x\n",
    "main.py": """\
import os
import sys
import work
with open("out.txt", "a") as file:
    file.write(str([work.square(x) for x in range(9)]))
print(os.listdir(".").count("out.txt"), os.path.getsize("out.txt"), sys.stdin.read(), sys.argv)
""",
}
# The program itself tells whether Cord runs it.
DIFFERENT = FILES | {
    "main.py": 'import sys\nimport work\nprint(work.square(3), "cord" in sys.modules)\n'
}


def compare(made: Project, *words: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    """Run `cord compare`; nothing may be left of its runs."""
    before = sorted(os.listdir(made.folder))
    result = subprocess.run(
        [sys.executable, "-m", "cord", "compare", *words],
        cwd=made.folder,
        env={**os.environ, "TMPDIR": str(made.scratch)},
        input=stdin,
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
    )
    assert [name for name in sorted(os.listdir(made.folder)) if name != "__pycache__"] == before
    assert made.left_behind() == []
    return result


def columns(stdout: str) -> list[tuple[str, str, str]]:
    """Name, replicas and output of each row of the table."""
    table = stdout.split("\n\n")[1]
    rows = [line.split() for line in table.splitlines()[1:]]
    return [(row[0], row[1], row[-1]) for row in rows]


def test_all_variants_beside_plain_python(project: Callable[..., Project]) -> None:
    result = compare(project(FILES), "--repeat", "2", "main.py", "--odd", "x", stdin="a\nb")
    assert result.returncode == 0, result.stdout
    assert result.stdout.startswith("main.py: 2 rounds on ")
    assert "processor  others  speed-up" in result.stdout
    assert columns(result.stdout)[1:] == [
        ("cord.toml", "2", "same"),
        ("one", "1", "same"),
        ("in-place", "1", "same"),
    ]
    told = [line.rsplit(" ", 2)[0] for line in result.stderr.splitlines()]
    assert told == [
        *("round 1 of 2: plain", "round 1 of 2: cord.toml"),
        *("round 1 of 2: one", "round 1 of 2: in-place"),
        *("round 2 of 2: cord.toml", "round 2 of 2: one"),
        *("round 2 of 2: in-place", "round 2 of 2: plain"),
    ]


def test_as_data_for_some_variants_and_a_module(project: Callable[..., Project]) -> None:
    words = ("--json", "--repeat=1", "--variants", "in-place, cord.toml")
    setting = ("--set", "remote.work.replicas=3")
    result = compare(project(FILES), *words, *setting, "-m", "main", "x")
    assert result.returncode == 0, result.stdout
    data = json.loads(result.stdout)
    assert (data["program"], data["arguments"], data["rounds"]) == ("-m main", ["x"], 1)
    assert [(one["name"], one["replicas"]) for one in data["variants"]] == [
        ("in-place", 3),
        ("cord.toml", 3),
    ]
    assert [len(one["seconds"]) for one in (data["plain"], *data["variants"])] == [1, 1, 1]
    assert all(one["processor"] > 0 for one in (data["plain"], *data["variants"]))


def test_a_difference_is_shown_and_ends_with_one(project: Callable[..., Project]) -> None:
    result = compare(project(DIFFERENT), "--repeat", "1", "--variants", "one", "main.py")
    assert result.returncode == 1
    table, _, rest = result.stdout.partition("\n\none: ")
    assert columns(table)[1:] == [("one", "1", "differs")]
    assert rest == (
        "not the same as plain in 1 of 1 runs:\n\nstdout, line 1:\n"
        "  plain:        9 False\n  one, round 1: 9 True\n\n"
        "hint: cord verify --variant one names the rule that is likely broken\n"
    )


REPEAT = "allowed: a whole number from 1 on\n\nhint: for example --repeat 5"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ("--variants", "one,in_place"),
            'cord.toml has no variant "in_place"; it has one and in-place\n\n'
            'hint: did you mean "in-place"?',
        ),
        (("--repeat", "0"), f"--repeat is 0; {REPEAT}"),
        (("--repeat=many",), f"--repeat is many; {REPEAT}"),
        (
            ("--variant", "one"),
            '--variant is not an option of cord compare\n\nhint: did you mean "--variants"?',
        ),
    ],
)
def test_what_makes_no_sense_is_refused(
    project: Callable[..., Project], words: tuple[str, ...], said: str
) -> None:
    result = compare(project(FILES), *words, "main.py")
    assert (result.stdout, result.stderr, result.returncode) == ("", f"cord: {said}\n", 2)
