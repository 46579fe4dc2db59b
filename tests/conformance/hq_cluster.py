"""HyperQueue's server and two workers, all on this machine."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

WORKERS = 2
PATIENCE = 60.0


def lacks() -> str | None:
    """What is missing for it; None where nothing is."""
    return None if shutil.which("hq") else "there is no hq: HyperQueue is not installed"


@contextmanager
def cluster(folder: Path) -> Iterator[dict[str, str]]:
    """One whose workers wait for tasks; gives the variables by which programs find it.

    Args:
        folder: For what it keeps.
    """
    variables = {"HQ_SERVER_DIR": str(folder / "server")}
    environment = {**os.environ, **variables}
    with ExitStack() as ends:
        _start(["server", "start"], environment, ends)
        _wait_until("server", "info", environment, 0)
        for _ in range(WORKERS):
            _start(["worker", "start", "--cpus", "2"], environment, ends)
        _wait_until("worker", "list", environment, WORKERS)
        yield variables


def _start(words: list[str], environment: dict[str, str], ends: ExitStack) -> None:
    """Start one of its processes, which ends when the stack is left."""
    process = subprocess.Popen(
        ["hq", *words],
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    ends.callback(process.wait)
    ends.callback(process.terminate)


def _wait_until(about: str, what: str, environment: dict[str, str], running: int) -> None:
    until = time.monotonic() + PATIENCE
    while True:
        words = ["hq", about, what]
        said = subprocess.run(words, env=environment, capture_output=True, text=True, check=False)
        if said.returncode == 0 and said.stdout.count("RUNNING") >= running:
            return
        assert time.monotonic() < until, said.stdout + said.stderr
        time.sleep(0.1)
