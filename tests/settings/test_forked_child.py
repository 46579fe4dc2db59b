"""A forked child of the program does not answer for what replicas keep."""

from __future__ import annotations

import subprocess
import sys

WORK = """
total = 0

def deposit(x):
    global total
    total += x
    return total
"""
MAIN = """
import os
import work

if {before}:
    print(work.deposit(5), flush=True)
child = os.fork()
if child == 0:
    try:
        print("child", work.deposit(1), flush=True)
    except Exception as exc:
        print(type(exc).__name__, "forked child" in str(exc), flush=True)
    os._exit(0)
os.waitpid(child, 0)
print(work.deposit(2))
"""


def _run(folder, before: bool) -> list[str]:
    (folder / "work.py").write_text(WORK)
    (folder / "main.py").write_text(MAIN.format(before=before))
    (folder / "cord.toml").write_text("[remote.work]\n")
    command = [sys.executable, "-m", "cord", "run", "main.py"]
    done = subprocess.run(
        command, cwd=folder, capture_output=True, text=True, timeout=60, check=True
    )
    return done.stdout.splitlines()


def test_a_call_that_depends_on_what_replicas_keep_raises(tmp_path):
    assert _run(tmp_path, before=True) == ["5", "StateLost True", "7"]


def test_where_they_keep_nothing_the_child_makes_it(tmp_path):
    assert _run(tmp_path, before=False) == ["child 1", "2"]
