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


LATE = """
import os, time
from importlib.machinery import SourceFileLoader

class Late(SourceFileLoader):
    get, compile_it = SourceFileLoader.get_data, SourceFileLoader.source_to_code

    def get_data(self, path):
        if path.endswith(".pyc") and is_replica():
            raise FileNotFoundError(path)
        return Late.get(self, path)

    def source_to_code(self, data, path, **options):
        code = Late.compile_it(self, data, path, **options)
        if path.endswith("work.py") and is_replica():
            try:
                os.close(os.open(os.environ["FIRST"], os.O_CREAT | os.O_EXCL))
            except FileExistsError:
                open(os.environ["FIRST"] + "-is-not-alone", "w").close()
                while os.path.exists(path):
                    time.sleep(0.005)
        return code

def is_replica():
    with open("/proc/self/comm") as name:
        return name.read() == "cord work\\n"

SourceFileLoader.get_data = Late.get_data
SourceFileLoader.source_to_code = Late.source_to_code
"""


def test_by_no_replica_that_starts_late(program: Make, tmp_path: Path) -> None:
    """The second replica has read the module, and would write its bytecode when all is gone."""
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "sitecustomize.py").write_text(LATE)
    made = program(
        main="""
        import glob, os, shutil, time
        from work import above, f
        folder = os.getcwd()
        print(f(1))
        while not os.path.exists(os.environ["FIRST"] + "-is-not-alone"):
            time.sleep(0.01)
        shutil.rmtree(folder)
        while len(glob.glob(f"{above}/loaded-*")) < 3:  # here, and in two replicas
            time.sleep(0.01)
        print(os.path.exists(folder))
        """,
        work="""
        import os
        above = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
        # open: so neither replica is a copy of the other
        loaded = open(f"{above}/loaded-{os.getpid()}", "w")
        def f(x):
            return x
        """,
        plan=PURE + 'loadratio = "1:1"\n',  # both are there from the start
    )
    ran = made.run(PYTHONPATH=str(tmp_path / "site"), FIRST=str(tmp_path / "first"))
    assert (ran.stdout, ran.stderr) == ("1\nFalse\n", "")
    assert not made.folder.exists()
