"""Where inserted code stands, so that debuggers and coverage see the lines that the program has.

The compiler gives a method call the line of the method's name, where that is not the line on which
the call begins; a call of a module's function keeps the line on which it begins. Inserted calls are
method calls, and stand for plain ones of either kind. What follows a loop to tidy up belongs to no
line.
"""

from __future__ import annotations

import ast

from cord.source.scope import import_bindings, own_nodes
from cord.translate.results import MARK

_NOWHERE = -1
_TAKES = ("take", "take_named", "receive")
_MOST_ARGUMENTS = 30  # more of them, and the compiler makes no method call


def settle(tree: ast.Module) -> None:
    """Correct the places of all inserted nodes of a translated module."""
    imported = _imported(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and _method(node.value) == "forget":
            for part in ast.walk(node):
                _put(part, _NOWHERE, _NOWHERE)
        elif isinstance(node, ast.Call):
            if _method(node) is not None:
                _settle_inserted(node, imported)
            elif _method(node.func) in ("enter", "bound"):
                _settle_around(node, imported)


def _settle_inserted(node: ast.Call, imported: set[str]) -> None:
    method = node.func
    assert isinstance(method, ast.Attribute)
    _put(method.value, node.lineno, node.col_offset)
    _put(method, node.lineno, node.col_offset)
    take = getattr(node, "take", node)  # of a value that is received late: its call
    if method.attr in _TAKES:
        callee = take.args[1]
        if _is_method_call(callee, take.args[2:], take.keywords, imported):
            ast.copy_location(method, callee)


def _settle_around(node: ast.Call, imported: set[str]) -> None:
    """A call of what an inserted call gives: no method call, unlike the plain one."""
    assert isinstance(node.func, ast.Call)
    callee = node.func.args[1]
    if _is_method_call(callee, node.args, node.keywords, imported):
        assert isinstance(callee, ast.Attribute)
        line, column = callee.end_lineno, callee.end_col_offset
        if line is not None and column is not None and line != callee.lineno:
            node.lineno, node.col_offset = line, max(column - len(callee.attr), 0)


def _is_method_call(
    callee: ast.expr, args: list[ast.expr], keywords: list[ast.keyword], imported: set[str]
) -> bool:
    if not isinstance(callee, ast.Attribute):
        return False
    if isinstance(callee.value, ast.Name) and callee.value.id in imported:
        return False
    if any(isinstance(item, ast.Starred) for item in args):
        return False
    if any(keyword.arg is None for keyword in keywords):
        return False
    return len(args) + len(keywords) + bool(keywords) < _MOST_ARGUMENTS


def _imported(tree: ast.Module) -> set[str]:
    """The names that imports at top level bind."""
    return {
        name
        for node in own_nodes(tree)
        if isinstance(node, (ast.Import, ast.ImportFrom))
        for name, _ in import_bindings(node)
    }


def _method(node: ast.expr) -> str | None:
    """The name of the native method that an inserted call calls."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return None
    native = node.func.value
    if isinstance(native, ast.Constant) and isinstance(native.value, str):
        return node.func.attr if native.value.startswith(MARK) else None
    return None


def _put(node: ast.AST, line: int, column: int) -> None:
    for name, value in (
        ("lineno", line),
        ("end_lineno", line),
        ("col_offset", column),
        ("end_col_offset", column),
    ):
        if name in node._attributes:
            setattr(node, name, value)
