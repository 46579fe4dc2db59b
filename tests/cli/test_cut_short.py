"""Commands that are interrupted, or whose output nobody reads: no word of Cord's own insides."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from conftest import Project

FILES = {
    "cord.toml": "[remote.work]\n",
    "work.py": "def double(x):\n    return 2 * x\n",
    "main.py": "import work\nprint(work.double(4))\n",
}


def start(one: Project, *words: str, stdout: int = subprocess.PIPE) -> subprocess.Popen[str]:
    """Start a command of Cord's in a session of its own."""
    return subprocess.Popen(
        [sys.executable, "-m", "cord", *words],
        cwd=one.folder,
        env={**os.environ, "TMPDIR": str(one.scratch)},
        stdin=subprocess.DEVNULL,
        stdout=stdout,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def test_an_interrupted_comparison_ends_without_a_word(project: Callable[..., Project]) -> None:
    one = project(FILES)
    process = start(one, "compare", "--repeat", "100000", "main.py")
    assert process.stderr is not None
    assert process.stderr.readline().startswith("round 1 of 100000: plain ")
    os.killpg(process.pid, signal.SIGINT)
    stdout, stderr = process.communicate(timeout=60)
    assert process.returncode == -signal.SIGINT
    assert stdout == ""
    assert all(line.startswith("round ") for line in stderr.splitlines())
    assert one.left_behind() == []


@pytest.mark.parametrize("words", [("check", "main.py"), ("explain", "main.py"), ("--help",)])
def test_output_that_nobody_reads_ends_a_command(
    project: Callable[..., Project], words: tuple[str, ...]
) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    process = start(project(FILES), *words, stdout=writing)
    os.close(writing)
    _, stderr = process.communicate(timeout=60)
    assert (process.returncode, stderr) == (128 + signal.SIGPIPE, "")
