"""The cells of docs/howto/notebooks.md run as one notebook, and show what the page says."""

from __future__ import annotations

import re
from contextvars import copy_context
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient
from pages import DOCS, sort_blocks

PAGE = (DOCS / "howto" / "notebooks.md").read_text()
CELL = re.compile(r"^```python\n(.*?)^```$(?:\n\n^```text\n(.*?)^```$)?", re.MULTILINE | re.DOTALL)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_cells_show_what_the_page_says(tmp_path: Path) -> None:
    for name, text in sort_blocks(PAGE)[0].items():
        (tmp_path / name).write_text(text)
    cells = CELL.findall(PAGE)
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(one) for one, _ in cells])
    where = {"metadata": {"path": str(tmp_path)}}
    client = NotebookClient(notebook, timeout=60, kernel_name="python3", resources=where)
    copy_context().run(client.execute)  # it sets a variable there that cannot travel
    shown = ["".join(one.text for one in cell.outputs) for cell in notebook.cells]
    assert shown == [said for _, said in cells]
