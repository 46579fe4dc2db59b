"""Notebooks, executed by Jupyter's own client in a kernel of their own."""

from __future__ import annotations

from contextvars import copy_context
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from remote_work import PLAN, WORK

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")


def executed(folder: Path, *cells: str) -> list[list[nbformat.NotebookNode]]:
    """The outputs of each cell."""
    (folder / "cord.toml").write_text(PLAN)
    (folder / "work.py").write_text(WORK)
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(one) for one in cells])
    resources = {"metadata": {"path": str(folder)}}
    client = NotebookClient(notebook, timeout=60, kernel_name="python3", resources=resources)
    copy_context().run(client.execute)  # it sets a variable there that cannot travel
    return [cell.outputs for cell in notebook.cells]


def test_a_notebook_is_executed(tmp_path: Path) -> None:
    *_, loop, shown = executed(
        tmp_path,
        "%load_ext cord\nimport os\nfrom work import pid, show, together",
        "session = %cord cord.toml",
        "%%cord\nprint(min([together(x) for x in range(2)]) > 1, pid() == os.getpid())\n"
        "for x in range(2):\n    show(x)\n'the end'",
        "session",
    )
    stream, value = loop
    assert stream.text == "True False\nshown 0\nshown 1\n"
    assert value.data["text/plain"] == "'the end'"
    assert "<table>" in shown[0].data["text/html"]
    assert "<td>work.pid</td>" not in shown[0].data["text/html"]


def test_an_error_in_a_cell_ends_the_notebook_as_it_does_without_the_magic(tmp_path: Path) -> None:
    with pytest.raises(CellExecutionError, match=": remote 0"):
        executed(tmp_path, "%load_ext cord\nimport work", "%%cord\nwork.fail(0)")


def test_a_cell_that_is_interrupted_leaves_a_kernel_that_goes_on(tmp_path: Path) -> None:
    *_, after = executed(
        tmp_path,
        "%load_ext cord\nimport os, signal, threading, time\nfrom work import pid, square\n"
        "def soon():\n    time.sleep(0.5)\n    os.kill(os.getpid(), signal.SIGINT)",
        "%%cord\nthreading.Thread(target=soon).start()\n"
        "try:\n    while True:\n        square(2)\nexcept KeyboardInterrupt:\n    print('ended')",
        "%%cord\nprint(square(3), pid() == os.getpid())",
    )
    assert after[0].text == "9 False\n"


BAD = """\
seen = []
def bad(n):
    seen.append(n)
    return n
plan = {"remote": {"__main__": {"only": ["bad"], "pure": True, "replicas": 2, "inline": False}}}
"""


def test_what_is_said_of_a_function_names_its_cell_and_is_said_once(tmp_path: Path) -> None:
    *_, first, second = executed(
        tmp_path,
        "%load_ext cord",
        BAD,
        "%%cord plan\nfor n in range(4):\n    bad(n)",
        "%%cord plan\n2",
    )
    said = "".join(one.text for one in first if one.output_type == "stream")
    assert said.startswith("cord: bad changes seen (Cell In[2], line 2): ")
    assert [one for one in second if one.output_type == "stream"] == []


def test_a_cell_that_is_no_python_shows_no_frames(tmp_path: Path) -> None:
    with pytest.raises(CellExecutionError) as failed:
        executed(tmp_path, "%load_ext cord", "%%cord\nx = [1\nprint(x")
    assert failed.value.ename == "SyntaxError"
    assert "magics.py" not in str(failed.value)


def test_help_is_no_error(tmp_path: Path) -> None:
    ((shown,),) = executed(tmp_path, "%load_ext cord", "%cord --help")[1:]
    assert "%%cord [PLAN] runs a cell" in shown.text
