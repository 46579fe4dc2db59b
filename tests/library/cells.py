"""Cells that IPython runs one after the other, as a notebook's kernel does."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from remote_work import PLAN, WORK

if TYPE_CHECKING:
    from conftest import Project

SHELL = """\
import os
os.environ["IPYTHONDIR"] = os.path.abspath(".ipython")
from IPython.core.interactiveshell import InteractiveShell

shell = InteractiveShell.instance(history_load_length=0, colors="nocolor")
shell.history_manager.enabled = False
with open("cells.txt") as file:
    cells = file.read().split("# ---\\n")
for cell in cells:
    result = shell.run_cell(cell, store_history=True)
    if not result.success:
        print("failed:", result.error_in_exec or result.error_before_exec)
"""


@pytest.fixture
def cells(project: Callable[..., Project]) -> Callable[..., list[str]]:
    """Runs cells, parted by lines `# ---`; gives the lines they printed."""

    def cells(text: str) -> list[str]:
        made = project({"cord.toml": PLAN, "work.py": WORK, "shell.py": SHELL, "cells.txt": text})
        result = made.run("shell.py", cord=False)
        assert result.returncode == 0, result.stderr
        assert made.processes() == []
        return result.stdout.splitlines()

    return cells
