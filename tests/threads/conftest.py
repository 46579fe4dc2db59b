"""Runs programs whose remote module `work` serves several calls at once in one process."""

from __future__ import annotations

from textwrap import dedent

import pytest

# What modules of these tests begin with: `meet(n)` returns when n calls have come to it.
WORK = """\
import functools, os, sys, threading, time
_lock = threading.Lock()
@functools.cache
def _barrier(count, name):
    return threading.Barrier(count)
def _meet(count, name=""):
    with _lock:
        barrier = _barrier(count, name)
    barrier.wait(30)
"""


@pytest.fixture
def run(project):
    """Runs a program plainly and under Cord, which must show the same; gives what Cord showed.

    Where `plain` is false it is run under Cord alone. `prints` is whether something on stderr is
    no failure.
    """

    def start(
        work: str,
        main: str,
        threads: int = 4,
        more: str = "pure = true",
        *,
        plain: bool = True,
        prints: bool = False,
        code: int = 0,
        **files: str,
    ):
        files = {name.replace("__", "."): dedent(text) for name, text in files.items()}
        made = project(
            {
                "cord.toml": f"[remote.work]\nthreads = {threads}\ninline = false\n{more}\n",
                "work.py": WORK + dedent(work),
                "main.py": dedent(main),
                **files,
            }
        )
        result = made.run("main.py")
        assert made.left_behind() == []
        if not prints:
            assert result.stderr == ""
        assert result.returncode == code, result.stderr
        if plain:
            alone = made.run("main.py", cord=False)
            assert (alone.returncode, alone.stdout) == (result.returncode, result.stdout)
        return result

    return start
