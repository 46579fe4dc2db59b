"""`cord run app.pyz`: programs that zipapp has packed."""

from __future__ import annotations

import zipapp
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from conftest import Project

MAIN = """\
import os
import sys

import work
from helper import all_of

print(__name__, __package__, __file__, __spec__.name, sys.argv, sys.path[0])
print([work.f(x)[0] for x in range(4)], all_of(3), work.f(1)[1] != os.getpid())
"""
FILES = {
    "app/__main__.py": MAIN,
    "app/helper.py": "import work\ndef all_of(n):\n    return [work.f(x)[0] for x in range(n)]\n",
    "app/work.py": "import os\ndef f(x):\n    return 2 * x, os.getpid()\n",
    "cord.toml": "[remote.work]\npure = true\ninline = false\n",
}


def packed(project: Callable[..., Project]) -> Project:
    made = project(FILES)
    zipapp.create_archive(made.folder / "app", made.folder / "app.pyz", "/usr/bin/env python3")
    return made


def test_it_runs_as_with_python_and_calls_replicas(project: Callable[..., Project]) -> None:
    made = packed(project)
    result = made.run("app.pyz", "one", "two")
    plain = made.run("app.pyz", "one", "two", cord=False)
    assert result.stderr == ""
    assert result.stdout == plain.stdout.replace("False", "True")
    assert made.left_behind() == []


def test_other_commands_do_not_read_it(project: Callable[..., Project]) -> None:
    result = packed(project).run("-m", "cord", "check", "app.pyz", cord=False)
    assert result.returncode == 2
    assert result.stderr.startswith(
        "cord: app.pyz is an archive, whose source cord check does not read"
    )


def test_it_has_a_name_in_tables(project: Callable[..., Project]) -> None:
    told = packed(project).run("--stats", "app.pyz").stderr
    assert told.startswith("\nThe calls of app.pyz, which ran for ")
