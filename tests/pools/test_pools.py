"""Pools that programs have show under `cord run` what they show in plain Python."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAMS = Path(__file__).with_name("programs")
TELLS = (
    "import multiprocessing\n"
    "from concurrent.futures import ProcessPoolExecutor\n"
    "if __name__ == '__main__':\n"
    "    with multiprocessing.Pool(1) as pool, ProcessPoolExecutor(1) as other:\n"
    "        print(pool.map(abs, [-1]), other.submit(abs, -2).result())\n"
    "        print(type(pool._inqueue).__module__.partition('.')[0])\n"
    "        print(type(other._result_queue).__module__.partition('.')[0])\n"
)


def run(folder: Path, *words: str, code: int = 0) -> str:
    environment = {**os.environ, "PYTHONWARNINGS": "ignore"}
    done = subprocess.run(
        [sys.executable, *words],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == code, done.stderr
    return done.stdout if code == 0 else done.stderr


@pytest.fixture
def told(tmp_path: Path) -> Path:
    (tmp_path / "main.py").write_text(TELLS)
    return tmp_path


@pytest.mark.parametrize("name", [path.name for path in sorted(PROGRAMS.glob("*.py"))])
def test_pools_give_what_they_give_in_plain_python(tmp_path: Path, name: str):
    shown = []
    for words in ((), ("-m", "cord", "run")):
        folder = tmp_path / f"{len(words)}"
        folder.mkdir()
        shutil.copy(PROGRAMS / name, folder / "main.py")
        (folder / "cord.toml").write_text("[pools]\n")
        shown.append(run(folder, *words, "main.py"))
    assert shown[1] == shown[0]


@pytest.mark.parametrize(
    ("plan", "fed"),
    [
        ("", False),
        ("[pools]\n", True),
        ("[pools]\nprocesses = false\n[remote.work]\n", False),
        ("[remote.work]\n", False),
        ("[remote.work]\n[pools]\n", True),
    ],
)
def test_a_plan_says_whether_pools_are_fed(told: Path, plan: str, fed: bool):
    if plan:
        (told / "cord.toml").write_text(plan)
    (told / "work.py").write_text("def double(x):\n    return 2 * x\n")
    words = run(told, "-m", "cord", "run", "main.py").split()
    assert words[-2:] == (["cord"] * 2 if fed else ["multiprocessing"] * 2)


def test_other_commands_say_that_a_plan_is_about_pools_alone(told: Path):
    (told / "cord.toml").write_text("[pools]\n")
    assert "makes no module remote" in run(told, "-m", "cord", "check", "main.py", code=2)


def test_no_descriptors_are_left_of_pools(told: Path):
    (told / "main.py").write_text(
        "import multiprocessing, os\n"
        "from concurrent.futures import ProcessPoolExecutor\n"
        "def each():\n"
        "    with multiprocessing.Pool(2) as pool, ProcessPoolExecutor(2) as other:\n"
        "        pool.map(abs, range(4)), list(other.map(abs, range(4)))\n"
        "        pool.close()\n"
        "        pool.join()\n"
        "if __name__ == '__main__':\n"
        "    each()\n"
        "    before = len(os.listdir('/proc/self/fd'))\n"
        "    for _ in range(6):\n"
        "        each()\n"
        "    print(len(os.listdir('/proc/self/fd')) - before < 6)\n"
    )
    (told / "cord.toml").write_text("[pools]\n")
    assert run(told, "-m", "cord", "run", "main.py") == "True\n"
