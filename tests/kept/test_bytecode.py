"""Bytecode is written where plain Python writes it, and by the program alone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from kept_lab import Program

Make = Callable[..., Program]

PLAN = "[remote.work]\n"
PURE = '[remote.work]\nreplicas = 2\ncallstyle = "async"\npure = true\n'


def written(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*.pyc")}


@pytest.mark.parametrize("plan", [PLAN, PURE])
def test_of_what_remote_functions_import(program: Make, plan: str) -> None:
    made = program(
        main="import work\nprint([work.f(x) for x in range(3)])\n",
        work="import early\ndef f(x):\n    import late, parts.last\n    return x\n",
        early="",
        late="",
        parts__last="",
        plan=plan,
    )
    ran = made.run()
    assert (ran.stdout, ran.stderr) == ("[0, 1, 2]\n", "")
    by_cord = written(made.folder)
    for path in by_cord:
        (made.folder / path).unlink()
    made.plain(PYTHONDONTWRITEBYTECODE="")
    assert by_cord == written(made.folder)
    assert len(by_cord) == 4


def test_in_no_folder_that_the_call_has_removed(program: Make) -> None:
    made = program(
        main="import work\nwork.f()\n",
        work="def f():\n    import os, shutil, late\n    shutil.rmtree(os.getcwd())\n",
        late="",
        plan=PLAN,
    )
    assert made.run().stderr == ""
    assert not made.folder.exists()
