"""A program that answers each line before the next one is sent: no scout may wait for a line."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from program_case import clean_environment

PLAN = """\
[remote.work]
replicas = 2
callstyle = "async"
pure = true
"""
WORK = "def shout(text):\n    return text.upper()\n"
MAIN = """\
import sys
from work import shout

for line in sys.stdin:
    print(shout(line), end="", flush=True)
print("end of input")
"""


def test_lines_are_answered_one_by_one(tmp_path: Path) -> None:
    for name, text in {"cord.toml": PLAN, "work.py": WORK, "main.py": MAIN}.items():
        (tmp_path / name).write_text(text)
    process = subprocess.Popen(
        [sys.executable, "-m", "cord", "run", "main.py"],
        cwd=tmp_path,
        env=clean_environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    with process:
        for asked, answered in [("one", "ONE"), ("two\nthree", "TWO\nTHREE"), ("four", "FOUR")]:
            process.stdin.write(asked + "\n")
            process.stdin.flush()
            for line in answered.split("\n"):
                assert process.stdout.readline() == line + "\n"
        process.stdin.close()
        assert process.stdout.read() == "end of input\n"
