"""Nodes whose interpreter lies elsewhere: they have its libraries, and the program's folders."""

from __future__ import annotations

import sys
import venv
from pathlib import Path

import cord
from cord.runtime.travel.world import as_ours

OF_NODES = """
def where():
    return __file__
"""
WORK = """
import sys

def look():
    import beside, only_there
    own = [entry for entry in sys.path if entry.endswith("site-packages")]
    assert own == [only_there.__file__.rpartition("/")[0]]
    return only_there.where().partition("site-packages")[2], beside.NAME

def last():
    return sys.path[-1]
"""
MAIN = """
import sys, work
print(*work.look())
sys.path.append("/no/such/folder")
print(*work.look(), work.last())
"""


def interpreter_with(folder: Path) -> Path:
    """Another interpreter, which has Cord and a module that this one lacks."""
    venv.create(folder, symlinks=True)
    (libraries,) = folder.glob("lib/python*/site-packages")
    home = Path(cord.__file__).parents[1]
    (libraries / "cord.pth").write_text(f"{home}\n")
    (libraries / "only_there.py").write_text(OF_NODES)
    for found in Path(sys.prefix).glob("lib/python*/site-packages/cord-*.dist-info"):
        (libraries / found.name).symlink_to(found)
    return folder / "bin" / "python"


def test_replicas_have_its_libraries_and_what_the_program_adds(far, tmp_path):
    python = interpreter_with(tmp_path / "there")
    engine = f"""
        kind = "command"
        launch = "{{agent}}"
        python = "{python}"
    """
    (far.folder / "lib").mkdir()
    (far.folder / "lib" / "beside.py").write_text('NAME = "beside"\n')
    far.write(plan="[remote.work]", engine=engine, work=WORK, main=MAIN)
    shown = "/only_there.py beside\n/only_there.py beside /no/such/folder\n"
    assert far.run(PYTHONPATH="lib") == (0, shown, "")


def test_only_what_is_an_interpreters_own_is_replaced():
    theirs, ours = ["/usr/lib", "/usr/site"], ["/opt/lib", "/opt/site"]
    assert as_ours(["/p", "/usr/lib", "/usr/site"], theirs, ours) == ["/p", *ours]
    assert as_ours(["/p", "/usr/lib", "/x"], theirs, ours) == ["/p", *ours, "/x"]
    assert as_ours(["/p", "/opt/site", "/usr/lib"], theirs, ours) == ["/p", "/opt/site", "/opt/lib"]
    assert as_ours(["/p"], theirs, ours) == ["/p"]
    assert as_ours(["/p", "/usr/lib"], [], ours) == ["/p", "/usr/lib"]
