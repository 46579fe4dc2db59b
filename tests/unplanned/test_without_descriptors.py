"""Where there is no room for what would call ahead, the program runs on, and once only."""

from __future__ import annotations

import pytest

WORK = """
import time

def square(n):
    time.sleep(0.006)
    return n * n
"""
MAIN = """
import os, resource, work
least = os.open("main.py", os.O_RDONLY)
resource.setrlimit(resource.RLIMIT_NOFILE, (least + MORE, 4096))
print([work.square(n) for n in range(60)])
"""


@pytest.mark.parametrize("more", [1, 3, 4, 5, 6, 8])
def test_a_program_with_few_descriptors_runs_once(project, more: int) -> None:
    one = project({"work.py": WORK, "main.py": MAIN.replace("MORE", str(more))})
    result = one.run("main.py")
    assert result.stdout == f"{[n * n for n in range(60)]}\n", result.stderr
    assert one.left_behind() == []
