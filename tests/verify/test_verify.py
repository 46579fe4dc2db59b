"""`cord verify`: programs within the contract are the same; of others the broken rule is named."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from conftest import Project

PLAN = '[remote.work]\nreplicas = 2\ncallstyle = "async"\npure = true\n'
IMPURE = '[remote.work]\nreplicas = 1\ncallstyle = "async"\n'


def verify(
    made: Project, *words: str, stdin: str = "", seed: str = "0"
) -> subprocess.CompletedProcess[str]:
    """Run `cord verify`; the project's folder must be left as it was."""
    before = contents(made.folder)
    result = subprocess.run(
        [sys.executable, "-m", "cord", "verify", *words],
        cwd=made.folder,
        env={**os.environ, "TMPDIR": str(made.scratch), "PYTHONHASHSEED": seed},
        input=stdin,
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
    )
    assert contents(made.folder) == before
    assert made.left_behind() == []
    return result


def contents(folder: Path) -> dict[str, bytes]:
    return {
        str(path): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


SAME = {
    "cord.toml": PLAN,
    "work.py": "def square(x):\n    return x * x\n",
    "main.py": """\
import os
import sys
from work import square
with open("out.txt", "a") as file:
    file.write(str([square(x) for x in range(9)]))
print(sorted(os.listdir(".")), sys.stdin.read(), sys.argv, os.getcwd() == sys.path[0])
print(list({"red", "green", "blue"}))
sys.exit(3)
""",
}


@pytest.mark.parametrize("seed", ["0", "random"])
def test_a_program_within_the_contract(project: Callable[..., Project], seed: str) -> None:
    result = verify(project(SAME), "main.py", "--odd", "x", stdin="a\nb", seed=seed)
    assert (result.stdout, result.stderr, result.returncode) == (
        "main.py: the same under Cord: 3 lines of stdout, the last line of stderr, "
        "exit status 3, the files\n"
        "replayed 9 of 9 calls of functions that are declared pure\n",
        "",
        0,
    )


def test_modules_and_absolute_paths(project: Callable[..., Project]) -> None:
    made = project(SAME)
    for words in (["-m", "main"], [str(made.folder / "main.py")]):
        result = verify(made, "--set", "remote.work.replicas=1", *words, "x")
        assert result.returncode == 0, result.stdout


def test_a_wrong_plan_ends_with_two(project: Callable[..., Project]) -> None:
    result = verify(project({**SAME, "cord.toml": "[remote.wrok]\n"}), "main.py")
    assert (result.returncode, result.stdout) == (2, "")


BROKEN = {
    "changes its argument": (
        PLAN,
        "def add(items):\n    items.append(1)\n    return len(items)\n",
        "import work\nitems = []\nfor _ in range(3):\n    print(work.add(items))\n",
        "rule 1 (by value)",
        "work.add, called at main.py:4, changes its arguments",
    ),
    "changes an attribute, then raises": (
        PLAN,
        "class P:\n    x = 0\ndef spoil(p):\n    p.x = 1\n    raise ValueError\n",
        "import work\np = work.P()\ntry:\n    work.spoil(p)\nexcept ValueError:\n    print(p.x)\n",
        "rule 1 (by value)",
        "work.spoil, called at main.py:4, changes its arguments",
    ),
    "hands out what it keeps": (
        IMPURE,
        "CACHE = {}\ndef row(n):\n    return CACHE.setdefault(n, [])\n",
        "import work\nfor n in range(3):\n    work.row(0).append(n)\nprint(work.row(0))\n",
        "rule 1 (by value)",
        "hands out an object that its module keeps",
    ),
    "counts, though declared pure": (
        PLAN,
        "n = 0\ndef count():\n    global n\n    n += 1\n    return n\n",
        "import work\nfor _ in range(6):\n    work.count()\nprint(work.n)\n",
        "rule 2 (purity)",
        "work.count is declared pure, but the call at main.py:3, made once more",
    ),
    "reads a global that the client sets": (
        PLAN,
        "SCALE = 1\ndef scaled(x):\n    return x * SCALE\n",
        "import work\nwork.SCALE = 10\nprint(work.scaled(2))\n",
        "rule 12 (one world)",
        "work.scaled, called at main.py:3, gives something else in a process",
    ),
    "has an effect too much": (
        PLAN,
        "import time\ndef mark(x):\n    open(f'{x}.txt', 'w').close()\n    time.sleep(0.1)\n"
        "    return x\n",
        "import os, time\nimport work\nfor x in range(50):\n    if work.mark(x) == 1:\n"
        "        break\n    for _ in range(200):\n        if os.path.exists('3.txt'):\n"
        "            break\n        time.sleep(0.01)\n",
        "rule 2 (purity)",
        "work.mark is declared pure, but calls such as the one at main.py:4, made by themselves, "
        "write the file",
    ),
    "has an effect too much, and none that is looked for": (
        PLAN,
        "import ctypes, time\ndef mark(x):\n    ctypes.CDLL(None).mkdir(b'%d' % x, 0o777)\n"
        "    time.sleep(0.1)\n"
        "    return x\n",
        "import os, time\nimport work\nfor x in range(50):\n    if work.mark(x) == 1:\n"
        "        break\n    for _ in range(60):\n        if os.path.exists('2'):\n"
        "            break\n        time.sleep(0.01)\nprint(os.path.exists('2'))\n",
        "rule 2 (purity)",
        "With every call made in place, by one replica, nothing differs",
    ),
    "rounds otherwise with fewer threads": (
        PLAN + "inline = false\n",
        "from ctypes import CDLL, c_char_p\nread = CDLL(None).getenv\nread.restype = c_char_p\n"
        "LAST = 1 if read(b'OMP_NUM_THREADS') is None else 2\ndel read\n"
        "def total(x):\n    return x + LAST * 1e-12\n",
        "import work\nprint([work.total(x) for x in range(5)])\n",
        "rule 12 (one world)",
        'With blas_threads = "all" nothing differs',
    ),
    "reads standard input": (
        IMPURE,
        "def ask():\n    return input()\n",
        "import work\nprint(work.ask())\n",
        "rule 11 (output and errors)",
        "reads standard input",
    ),
}
SETTINGS = "SCALE = 1\n"
# Runs do as plain Python does, for the program makes these calls.
ALIKE_ALL_THE_SAME = {
    "changes its argument",
    "changes an attribute, then raises",
    "counts, though declared pure",
    "reads a global that the client sets",
    "has an effect too much",
}


@pytest.mark.parametrize("name", BROKEN)
def test_the_broken_rule_is_named(project: Callable[..., Project], name: str) -> None:
    plan, work, main, rule, why = BROKEN[name]
    files = {"cord.toml": plan, "work.py": work, "main.py": main, "settings.py": SETTINGS}
    result = verify(project(files), "main.py", stdin="text\n")
    said = " ".join(result.stdout.split())
    assert (result.returncode, result.stderr) == (1, ""), said
    if name in ALIKE_ALL_THE_SAME:
        assert said.startswith("main.py: the same under Cord")
        assert f" {rule}: " in said
        assert why in said
        return
    assert said.startswith("main.py: not the same under Cord")
    likeliest = said.partition("The likely reason, by docs/semantics.md: ")[2]
    assert likeliest.startswith(f"{rule}: "), said
    assert why in likeliest
    assert "remedy: " in likeliest


def test_a_program_that_is_not_steady_itself(project: Callable[..., Project]) -> None:
    main = "import work\nimport time\nprint(work.square(2))\nprint(time.time_ns())\n"
    result = verify(project({**SAME, "main.py": main}), "main.py")
    assert result.returncode == 1
    assert "stdout, line 2:" in result.stdout
    assert "The plain program itself does not give the same twice" in result.stdout
    assert "rule" not in result.stdout


def test_what_breaks_no_rule_is_said_honestly(project: Callable[..., Project]) -> None:
    main = "import sys\nimport work\nprint(any('cord' in name for name in sys.modules))\n"
    result = verify(project({**SAME, "main.py": main}), "main.py")
    assert result.returncode == 1
    assert "plain: False\n  cord:  True" in result.stdout
    assert "No rule of the contract is seen to be broken" in result.stdout


def test_a_folder_too_large_to_copy_is_told(project: Callable[..., Project]) -> None:
    made = project(SAME)
    with open(made.folder / "big", "wb") as file:
        file.truncate(300 << 20)
    result = subprocess.run(
        [sys.executable, "-m", "cord", "verify", "main.py"],
        cwd=made.folder,
        capture_output=True,
        text=True,
        env={**os.environ, "TMPDIR": str(made.scratch)},
        check=False,
    )
    assert (result.returncode, result.stdout) == (2, "")
    assert "holds more than 256 MiB" in result.stderr
    assert list(made.scratch.iterdir()) == []
