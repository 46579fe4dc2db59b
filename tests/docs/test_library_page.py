"""The examples of docs/library.md run, in their order, as the cells of one notebook."""

from __future__ import annotations

import re
from contextvars import copy_context
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

PAGE = Path(__file__).resolve().parents[2] / "docs" / "library.md"
PLAN = '[remote.work]\nreplicas = 2\ncallstyle = "async"\npure = true\n'


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_the_examples_run(tmp_path: Path) -> None:
    (tmp_path / "cord.toml").write_text(PLAN)
    (tmp_path / "work.py").write_text("def score(x):\n    return len(x)\n")
    examples = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(), re.MULTILINE | re.DOTALL)
    cells = [nbformat.v4.new_code_cell(text) for text in examples if "pytest" not in text]
    notebook = nbformat.v4.new_notebook(cells=cells)
    where = {"metadata": {"path": str(tmp_path)}}
    client = NotebookClient(notebook, timeout=60, kernel_name="python3", resources=where)
    copy_context().run(client.execute)  # it sets a variable there that cannot travel
    told = [cell.outputs for cell in notebook.cells]
    # what a cell writes may come in several pieces: a kernel flushes now and then
    written = ["".join(one.text for one in cell if "text" in one) for cell in told]
    assert [text for text in written if text] == ["[3, 3, 4]\n", "[1, 2]\n"]
    shown = [one.data["text/plain"] for cell in told for one in cell if "data" in one]
    assert shown == ["11", "[0, 1, 4, 9]"]
