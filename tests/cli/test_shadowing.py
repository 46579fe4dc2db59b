"""Modules of the program's that are named as the library's: what Cord brings in before them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ALL = """
import sys
from contextlib import suppress
from importlib import import_module

from cord.tools import shadowing

before = set(sys.modules)
for name in shadowing._own_modules():
    with suppress(ImportError):
        import_module(name)
new = set(sys.modules) - before
print(sorted(shadowing._UNUSED & {name.partition(".")[0] for name in new}))
print(sorted(name for name in new if name.startswith(shadowing._ELSEWHERE)))
print(sorted(shadowing._UNUSED - sys.stdlib_module_names))
"""


def test_what_counts_as_unused_is_not_brought_in() -> None:
    command = [sys.executable, "-c", ALL]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    assert ran.stdout == "[]\n[]\n[]\n"


def run(folder: Path, name: str) -> subprocess.CompletedProcess[str]:
    (folder / "work.py").write_text("def f(x): return x + 1\n")
    (folder / f"{name}.py").write_text("print('the program has imported its own')\n")
    loop = "for i in range(3):\n    print(work.f(i))\n"
    (folder / "main.py").write_text(f"import work\nprint([work.f(i) for i in range(3)])\n{loop}")
    (folder / "cord.toml").write_text("[remote.work]\npure = true\ninline = false\n")
    command = [Path(sys.executable).with_name("cord"), "run", "main.py"]
    return subprocess.run(
        command, cwd=folder, capture_output=True, text=True, timeout=60, check=False
    )


@pytest.mark.parametrize("name", ["dis", "opcode", "pickle", "token"])
def test_a_module_of_the_program_stands_in_nobodys_way(tmp_path: Path, name: str) -> None:
    ran = run(tmp_path, name)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "[1, 2, 3]\n1\n2\n3\n", "")


@pytest.mark.parametrize("name", ["collections", "copyreg"])
def test_what_the_interpreter_looks_for_by_its_name_is_refused(tmp_path: Path, name: str) -> None:
    ran = run(tmp_path, name)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr.startswith(f"cord: {tmp_path} has a module {name}, and Cord needs that of ")
