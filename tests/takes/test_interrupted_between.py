"""Ctrl-C while Cord itself runs Python for a take: it is raised a moment later, and never lost."""

from __future__ import annotations

WORK = """
import os, odd

if os.environ.get("PROGRAM") != str(os.getpid()):
    raise odd.Odd("not here")

def number(x):
    return x
"""
ODD = """
import os, signal

class Odd(Exception):
    def __reduce__(self):
        return made, self.args

def made(text):
    if os.environ.get("PROGRAM") == str(os.getpid()):
        os.kill(os.getpid(), signal.SIGINT)
    return Odd(text)
"""
MAIN = """
import os
os.environ["PROGRAM"] = str(os.getpid())
import work

try:
    print(work.number(1))
    for _ in range(100):
        pass
except KeyboardInterrupt:
    print("interrupted")
"""


def test_a_signal_that_comes_while_an_error_is_read_is_the_programs(project) -> None:
    plan = "[run]\ncopies = false\n[remote.work]\npure = true\ninline = false\n"
    one = project({"cord.toml": plan, "work.py": WORK, "odd.py": ODD, "main.py": MAIN})
    result = one.run("main.py")
    assert "interrupted" in result.stdout.splitlines(), (result.stdout, result.stderr)
    assert "ReplicaUnavailable" not in result.stderr
