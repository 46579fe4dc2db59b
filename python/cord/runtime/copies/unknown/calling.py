"""A statement that goes on behind one of its calls, which has returned."""

from __future__ import annotations

import ast
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    # First and last line, and from which to which byte in them.
    Call = tuple[int, int, int, int]

# Statements that come to each of their expressions once, and in the order of the text.
_ONCE = (
    *(ast.Expr, ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Return, ast.If, ast.For),
    *(ast.With, ast.Match, ast.Assert),
)
# What is not to be computed again.
_ACTING = (ast.Call, ast.Await, ast.Yield, ast.YieldFrom, ast.NamedExpr)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


class CannotResumeError(Exception):
    """The rest of this function cannot be made."""


def behind(statement: ast.stmt, call: Call, value: ast.expr) -> ast.stmt:
    """A statement with a value in the place of a call.

    What it has computed before is computed again; so there may be no other calls among that.

    Args:
        statement: It stays as it is.
        call: Where the call stands.
        value: What the call has returned.

    Raises:
        CannotResumeError: There is no such call, or it may be made more than once, or another one
            was made before.
    """
    if not isinstance(statement, _ONCE):
        raise CannotResumeError
    path = _path_to(statement, call)
    for outer, inner in pairwise(path):
        parts = [*_in_order(outer)]
        if any(map(_acts, parts[: parts.index(inner)])):
            raise CannotResumeError
    made: ast.AST = ast.copy_location(value, path[-1])
    for outer, inner in zip(path[-2::-1], path[:0:-1], strict=True):
        made = _with(outer, inner, made)
    assert isinstance(made, ast.stmt)
    return made


def called_by_name(statement: ast.stmt, call: Call) -> list[str]:
    """What is called there: a name, and those of attributes; nothing if it is called by no name."""
    function = _path_to(statement, call)[-1]
    assert isinstance(function, ast.Call)
    names: list[str] = []
    named = function.func
    while isinstance(named, ast.Attribute):
        names.insert(0, named.attr)
        named = named.value
    return [named.id, *names] if isinstance(named, ast.Name) else []


def _path_to(statement: ast.stmt, call: Call) -> list[ast.AST]:
    """The nodes from a statement to a call in its own expressions."""
    path = _found(statement, call)
    if path is None or not all(_is_once(outer, inner) for outer, inner in pairwise(path)):
        raise CannotResumeError
    return path


def _found(node: ast.AST, call: Call) -> list[ast.AST] | None:
    if isinstance(node, ast.Call) and _place_of(node) == call:
        return [node]
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, ast.stmt) and (path := _found(child, call)) is not None:
            return [node, *path]
    return None


def _place_of(node: ast.expr) -> Call:
    first, begin = node.lineno, node.col_offset
    last, end = node.end_lineno, node.end_col_offset
    assert last is not None and end is not None
    return first, last, begin, end


def _is_once(outer: ast.AST, inner: ast.AST) -> bool:
    """Whether a part of an expression is computed once, after what the text has before it."""
    if isinstance(outer, _COMPREHENSIONS):
        return inner is outer.generators[0]
    match outer:
        case ast.comprehension():
            return inner is outer.iter
        case ast.IfExp():
            return inner is outer.test or not _acts(outer.test)
        case ast.Assign() | ast.AnnAssign() | ast.AugAssign():
            return inner is outer.value
        case ast.For():
            return inner is outer.iter
        case ast.With():
            return inner is outer.items[0]
        case ast.withitem():
            return inner is outer.context_expr
        case ast.Lambda() | ast.Dict():
            return False
    return True


def _in_order(node: ast.AST) -> Iterable[ast.AST]:
    """The parts of an expression or statement, as they are computed."""
    return node.generators if isinstance(node, _COMPREHENSIONS) else ast.iter_child_nodes(node)


def _acts(node: ast.AST) -> bool:
    return any(isinstance(one, _ACTING) for one in ast.walk(node))


def _with(outer: ast.AST, inner: ast.AST, made: ast.AST) -> ast.AST:
    """A node like another one, with something else in the place of a child."""
    fields: dict[str, Any] = {}
    for name, field in ast.iter_fields(outer):
        if isinstance(field, list):
            fields[name] = [made if one is inner else one for one in field]
        else:
            fields[name] = made if field is inner else field
    places = {name: getattr(outer, name) for name in outer._attributes if hasattr(outer, name)}
    return type(outer)(**fields, **places)
