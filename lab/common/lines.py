"""Counts lines of code: neither empty, nor a comment, nor a docstring."""

from __future__ import annotations

import ast
import re
from pathlib import Path

_BLOCKS = re.compile(r"/\*.*?\*/", re.DOTALL)
# What begins a comment that goes to the end of its line.
_MARKS = {
    ".c": "//", ".h": "//", ".cc": "//", ".java": "//", ".x": "//", ".idl": "//",
    ".py": "#", ".toml": "#", ".sh": "#", ".rkt": ";", ".erl": "%",
}  # fmt: skip


def lines_of_code(path: Path) -> int:
    """How many there are in a file; of a plan, its variants do not count."""
    text = path.read_text()
    if path.suffix == ".py":
        text = _without_docstrings(text)
    elif path.suffix == ".toml":
        text = text.partition("\n[variants.")[0]
    elif _MARKS[path.suffix] == "//":
        text = _BLOCKS.sub(lambda found: "\n" * found[0].count("\n"), text)
    lines = [line.strip() for line in text.splitlines()]
    return sum(bool(line) and not line.startswith(_MARKS[path.suffix]) for line in lines)


def _without_docstrings(text: str) -> str:
    lines = text.splitlines()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Module | ast.FunctionDef | ast.ClassDef) and ast.get_docstring(
            node
        ):
            first = node.body[0]
            assert first.end_lineno is not None
            lines[first.lineno - 1 : first.end_lineno] = [""] * (
                first.end_lineno - first.lineno + 1
            )
    return "\n".join(lines)
