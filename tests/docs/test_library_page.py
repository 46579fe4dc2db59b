"""The examples of docs/library.md run, in their order, as one program."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from conftest import Project

PAGE = Path(__file__).resolve().parents[2] / "docs" / "library.md"
PLAN = '[remote.work]\nreplicas = 2\ncallstyle = "async"\npure = true\n'
PLAN += "[remote.__main__]\npure = true\n"


def test_the_examples_run(project: Callable[..., Project]) -> None:
    examples = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(), re.MULTILINE | re.DOTALL)
    main = "\n".join(text for text in examples if "pytest" not in text)
    made = project({"cord.toml": PLAN, "work.py": "def score(x):\n    return len(x)\n"})
    made.write({"main.py": main})
    result = made.run("main.py", cord=False)
    assert (result.stdout, result.stderr) == ("[3, 3, 4]\n[1, 2]\n[1, 4]\n6\n", "")
    assert made.left_behind() == []
