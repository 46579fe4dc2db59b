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
    "cord.toml": f"{PLAN}inline = false\n[run]\ncopies = false\n",
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
        "9 calls of pure functions, 9 made again and compared\n",
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


@pytest.mark.parametrize("name", BROKEN)
def test_the_broken_rule_is_named(project: Callable[..., Project], name: str) -> None:
    plan, work, main, rule, why = BROKEN[name]
    files = {"cord.toml": plan, "work.py": work, "main.py": main}
    result = verify(project(files), "main.py", stdin="text\n")
    said = " ".join(result.stdout.split())
    assert (result.returncode, result.stderr) == (1, ""), said
    assert said.startswith("main.py: not the same under Cord")
    likeliest = said.partition("The likely reason, by docs/semantics.md: ")[2]
    assert likeliest.startswith(f"{rule}: "), said
    assert why in likeliest
    assert "remedy: " in likeliest


def test_a_function_that_does_not_what_the_plan_says(project: Callable[..., Project]) -> None:
    work = "n = 0\ndef count():\n    global n\n    n += 1\n    return n\n"
    main = "import work\nfor _ in range(6):\n    print(work.count())\n"
    result = verify(project({"cord.toml": PLAN, "work.py": work, "main.py": main}), "main.py")
    said = " ".join(result.stdout.split())
    assert (result.returncode, result.stderr) == (1, "")
    assert said.startswith("main.py: the same under Cord: 6 lines of stdout")
    assert "6 calls of pure functions, " in said
    assert "work.py:2: work.count changes work.n: the program has made 6 calls itself. " in said
    assert "remedy: return what is to be kept" in said


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
