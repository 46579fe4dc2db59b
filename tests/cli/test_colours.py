"""Colours are for terminals; what goes into a pipe or a file has none."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

PLAN = "[remote.work]\nreplicas = 2\npure = true\n"
COUNTS = "CALLS = []\n\n\ndef f(x):\n    CALLS.append(x)\n    return x\n"
COLOUR = b"\x1b["


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "main.py").write_text("import work\n\nprint(work.f(1))\n")
    (tmp_path / "work.py").write_text(COUNTS)
    (tmp_path / "cord.toml").write_text(PLAN)
    return tmp_path


def piped(folder: Path, *words: str, **environment: str) -> bytes:
    kept = {name: text for name, text in os.environ.items() if "COLOR" not in name}
    command = [sys.executable, "-m", "cord", *words]
    return subprocess.run(
        command,
        cwd=folder,
        env={**kept, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    ).stdout


def on_a_terminal(folder: Path, *words: str, **environment: str) -> bytes:
    kept = {name: text for name, text in os.environ.items() if "COLOR" not in name}
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "cord", *words]
    process = subprocess.Popen(
        command,
        cwd=folder,
        env={**kept, "TERM": "xterm-256color", **environment},
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
    )
    os.close(theirs)
    shown = b""
    try:
        while part := os.read(ours, 4096):
            shown += part
    except OSError:  # nobody has the other end any more
        pass
    process.wait()
    os.close(ours)
    return shown


WORDS = [["check", "main.py"], ["chekc"]]


@pytest.mark.parametrize("words", WORDS)
def test_a_terminal_has_colours(folder: Path, words: list[str]) -> None:
    assert COLOUR in on_a_terminal(folder, *words)


@pytest.mark.parametrize("words", WORDS)
def test_a_pipe_has_none(folder: Path, words: list[str]) -> None:
    assert COLOUR not in piped(folder, *words)


@pytest.mark.parametrize("words", WORDS)
def test_the_environment_says_otherwise(folder: Path, words: list[str]) -> None:
    assert COLOUR in piped(folder, *words, FORCE_COLOR="1")
    assert COLOUR not in on_a_terminal(folder, *words, NO_COLOR="1")


def test_the_text_is_the_same_and_is_not_wrapped(folder: Path) -> None:
    plain = piped(folder, "check", "main.py").decode()
    shown = on_a_terminal(folder, "check", "main.py", NO_COLOR="1", COLUMNS="40").decode()
    assert shown.replace("\r", "") == plain
