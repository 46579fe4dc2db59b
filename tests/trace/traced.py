"""Small programs, run and written down, with `cord report` told of them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.plans import work_plan

WORK = """\
import os
import signal
import time

def nap(x):
    time.sleep(0.02)
    return x

def sleep(seconds):
    time.sleep(seconds)
    return seconds

def size(data):
    return len(data)

def after(x):
    time.sleep(0.02)
    return x * 7 % 1001
"""


def cord(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """`cord` with these words, in a folder."""
    return subprocess.run(
        [sys.executable, "-m", "cord", *words],
        cwd=folder, capture_output=True, text=True, check=False,
        env={**os.environ, "PYTHONPATH": ""},
    )  # fmt: skip


def trace(folder: Path, main: str, *, replicas: int = 2, style: str = "async") -> Path:
    """What is written down of a run of `main`."""
    folder.mkdir(parents=True, exist_ok=True)
    plan = work_plan(replicas=replicas, callstyle=style)
    for name, text in {"main.py": main, "work.py": WORK, "cord.toml": plan}.items():
        (folder / name).write_text(text)
    done = cord(folder, "run", "--trace", "run.trace", "main.py")
    assert (done.returncode, done.stderr) == (0, "")
    return folder / "run.trace"


def told(path: Path) -> dict[str, Any]:
    """What `cord report --json` tells of it."""
    done = cord(path.parent, "report", "--json", path.name)
    assert (done.returncode, done.stderr) == (0, "")
    facts: dict[str, Any] = json.loads(done.stdout)
    return facts
