"""The code of a cell in parts, and which of their values are shown, as IPython shows them."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from itertools import zip_longest

from cord.errors import CordError
from cord.silence import silence

# What a part's value is bound to, until it is shown.
VALUE = "__cord_value__"
_FUNCTION = (ast.FunctionDef, ast.AsyncFunctionDef)


@dataclass(frozen=True, slots=True)
class Part:
    """Some statements of a cell that stand one after the other.

    Attributes:
        text: The code, every line where the cell has it.
        shows: Whether its value is shown; the code binds it to `VALUE`.
    """

    text: str
    shows: bool


def parts_of(cell: str, path: str, interactivity: str) -> list[Part]:
    """The parts of a cell. Lines are counted from its magic, which the first line is left for.

    A part ends with functions, which may be remote for what follows.

    Args:
        cell: The code below the magic's line, in Python.
        path: What tracebacks call its file.
        interactivity: Which expressions are shown, as IPython's `ast_node_interactivity` says.

    Raises:
        SyntaxError: It is not Python.
        CordError: It waits for coroutines.
    """
    text = f"\n{cell}"
    lines = text.splitlines(keepends=True)
    tree = _parsed(text, path)
    shown = _shown(tree, interactivity)
    parts: list[Part] = []
    done = (0, 0)
    for node, after in zip_longest(tree.body, tree.body[1:]):
        start, end = _extent(lines, node)
        if node in shown:
            before = _between(lines, done, start)
            if before.strip():
                parts.append(Part(before, False))
            done = end
            rest = lines[end[0]][end[1] :]
            is_quiet = rest.lstrip().startswith(";")
            if is_quiet:
                done = (end[0], end[1] + rest.index(";") + 1)
            parts.append(_value(lines, start, end, shows=not is_quiet))
        elif isinstance(node, _FUNCTION) and not isinstance(after, _FUNCTION):
            parts.append(Part(_between(lines, done, end), False))
            done = end
    left = _between(lines, done, (len(lines), 0))
    if any(not line.lstrip().startswith("#") for line in left.split("\n") if line.strip()):
        parts.append(Part(left, False))
    return parts


def _parsed(text: str, path: str) -> ast.Module:
    try:
        with silence():  # what there is to warn of is told when it runs
            compile(text, path, "exec", dont_inherit=True)
    except SyntaxError:
        if _waits(text):
            raise CordError(
                "this cell waits with `await`, which a cell under %%cord cannot",
                "put the loops with remote calls into a cell of their own",
            ) from None
        raise
    return ast.parse(text, path)


def _waits(text: str) -> bool:
    """Whether it is right where `await` may stand outside of functions."""
    try:
        compile(text, "<cell>", "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)
    except SyntaxError:
        return False
    return True


def _shown(tree: ast.Module, interactivity: str) -> list[ast.Expr]:
    """The expressions whose values are shown."""
    if interactivity == "all":
        return [node for node in tree.body if isinstance(node, ast.Expr)]
    last = tree.body[-1:] if interactivity.startswith("last") else []
    return [node for node in last if isinstance(node, ast.Expr)]


def _value(lines: list[str], start: tuple[int, int], end: tuple[int, int], *, shows: bool) -> Part:
    """An expression whose value is kept. What binds it stands on the line before."""
    code = _between(lines, start, end).lstrip("\n")
    margin = " " * start[1]
    above = "\n" * (start[0] - 1)
    return Part(f"{above}{VALUE} = (\n{margin}{code}\n)\n", shows)


def _extent(lines: list[str], node: ast.stmt) -> tuple[tuple[int, int], tuple[int, int]]:
    """Where a statement begins and ends: line and column, in signs, both from 0."""
    assert node.end_lineno is not None
    assert node.end_col_offset is not None
    first, last = node.lineno - 1, node.end_lineno - 1
    start = (first, _column(lines, first, node.col_offset))
    return start, (last, _column(lines, last, node.end_col_offset))


def _column(lines: list[str], line: int, column: int) -> int:
    """The column in signs of one that is counted in bytes."""
    return len(lines[line].encode()[:column].decode())


def _between(lines: list[str], start: tuple[int, int], end: tuple[int, int]) -> str:
    """What stands there, with a line break for each line before it."""
    first, last = start[0], end[0]
    if first == last:
        middle = lines[first][start[1] : end[1]] if first < len(lines) else ""
    else:
        tail = lines[last][: end[1]] if last < len(lines) else ""
        middle = lines[first][start[1] :] + "".join(lines[first + 1 : last]) + tail
    return "\n" * first + middle
