"""`cord run -m MODULE` is `python -m MODULE`, and the interpreter's own flags hold in replicas."""

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

# pid tells which process made a call, so none is to be made again
PLAN = """\
[run]
audit = false
[remote."pkg.work"]
replicas = 2
callstyle = "async"
pure = true
"""
FILES = {
    "cord.toml": PLAN,
    "pkg/__init__.py": "import sys\nprint('package', sys.argv[0])\n",
    "pkg/work.py": "import os\ndef square(x):\n    return x * x\ndef pid(x):\n"
    "    return os.getpid()\n",
    "pkg/tool.py": """\
import os
import sys
from . import work
from .work import square
from pkg.helpers import total

def main():
    print([square(x) for x in range(5)], total(4))
    print(__name__, __package__, __spec__.name, __spec__.parent, __file__, __doc__)
    print(type(__loader__).__mro__[-2].__name__, sys.modules["__main__"].main is main)
    print(sys.argv, sys.path[0])

if __name__ == "__main__":
    main()
    if "remote" in sys.argv:
        print(work.pid(0) != os.getpid())
    if "exit" in sys.argv:
        sys.exit(7)
    if "fail" in sys.argv:
        square("a")
""",
    "pkg/helpers.py": "from .work import square\ndef total(n):\n"
    "    return sum(square(x) for x in range(n))\n",
    "pkg/__main__.py": "from .helpers import total\nprint('main', total(3), __spec__.name)\n",
    "broken/__init__.py": "import sys\nprint('about to fail')\nraise ValueError('broken')\n",
    "broken/tool.py": "",
    "missing/__init__.py": "import nowhere_to_be_found\n",
    "missing/tool.py": "",
    "nomain/__init__.py": "",
    "wrong.py": "print('never'\n",
    "flat.py": "import sys\nimport pkg.work\nprint(pkg.work.square(3), sys.argv, __spec__.name)\n",
    "again/__init__.py": "from . import tool\n",
    "again/tool.py": "from pkg import work\nprint(__name__, work.square(2))\n",
}


def alike(project: Project, *words: str) -> subprocess.CompletedProcess[str]:
    """Run plain and under Cord; both must show the same. Returns the latter."""
    plain = project.run(*words, cord=False)
    cord = project.run(*words)
    assert cord.stdout == plain.stdout, cord.stderr
    assert cord.returncode == plain.returncode, cord.stderr
    assert cord.stderr.splitlines()[-1:] == plain.stderr.splitlines()[-1:]
    return cord


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ("pkg.tool", 0),
        ("pkg.tool -c x -m y", 0),
        ("pkg.tool exit", 7),
        ("pkg.tool fail", 1),
        ("pkg", 0),
        ("flat a b", 0),
        ("wrong", 1),
        ("again.tool", 0),
        ("broken.tool", 1),
        ("missing.tool", 1),
        ("nomain", 1),
        ("nowhere", 1),
        ("pkg.nowhere", 1),
        ("pkg.tool.deeper", 1),
        (".pkg", 1),
        ("json.tool cord.toml", 1),
    ],
)
def test_modules_run_as_plain_python_runs_them(
    project: Callable[..., Project], words: str, code: int
) -> None:
    assert alike(project(FILES), "-m", *words.split()).returncode == code


def test_calls_of_a_module_run_with_m_are_remote(project: Callable[..., Project]) -> None:
    result = project(FILES).run("-m", "pkg.tool", "remote")
    assert (result.stdout.splitlines()[-1:], result.stderr) == (["True"], "")


def test_a_module_that_fails_shows_the_program_s_frames(project: Callable[..., Project]) -> None:
    shown = project(FILES).run("-m", "broken.tool").stderr
    assert 'broken/__init__.py", line 3, in <module>' in shown
    assert "/cord/" not in shown


@pytest.mark.parametrize("command", ["check", "explain"])
def test_check_and_explain_read_a_module(project: Callable[..., Project], command: str) -> None:
    folder = project(FILES).folder
    result = cord(folder, command, "-m", "pkg.tool")
    assert result.returncode == 0, result.stderr
    assert "square" in result.stdout
    refused = cord(folder, command, "-m", "nowhere")
    assert refused.returncode == 2
    assert refused.stderr == f"cord: the source of -m nowhere is not found from {folder}\n"


def cord(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "cord", *words],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )


FLAGS = {
    "cord.toml": '[remote.work]\nreplicas = 1\ncallstyle = "async"\npure = true\n',
    "work.py": """\
import sys
import warnings

def flags(x):
    assert x, "asserted remotely"
    return tuple(sys.flags), sys._xoptions, sys.warnoptions, sys.dont_write_bytecode

def warn(x):
    warnings.warn("from afar", ResourceWarning)
    return "warned"
""",
    "main.py": """\
import sys
import work

try:
    print(work.flags(0))
except AssertionError as error:
    print("AssertionError", error)
own = tuple(sys.flags), sys._xoptions, sys.warnoptions, sys.dont_write_bytecode
print(work.flags(1) == own, own)
try:
    print(work.warn(1))
except ResourceWarning as warning:
    print(type(warning), warning)
""",
}


@pytest.mark.parametrize(
    "flags", ["", "-O", "-OO -B", "-W error", "-W ignore", "-X dev", "-X utf8=0 -X mine=1", "-bb"]
)
def test_the_interpreter_s_flags_hold_everywhere(
    project: Callable[..., Project], flags: str
) -> None:
    folder = project(FLAGS).folder
    environment = {**os.environ, "PYTHONHASHSEED": "0"}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)

    def run(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, *flags.split(), *words, "main.py"],
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )

    plain, cord = run(), run("-m", "cord", "run")
    assert (cord.stdout, cord.stderr) == (plain.stdout, plain.stderr)
    assert (cord.returncode, "True (" in cord.stdout) == (0, True)
