"""Statements that a scout does exactly as the program does.

A scout may leave out much of what the program does, and do some of it in another order: a wrong
guess costs a pure call in vain. Before a call with effects it must not. So only statements of a few
forms are gone past on the way to such a call: those whose every step `lower` keeps, in Python's
order. Operations that run code of the program's, of which the text tells nothing, are noticed when
they run.
"""

from __future__ import annotations

import ast

from cord.knowledge.methods import CHANGER_NAMES

_SIMPLE = (
    ast.Name,
    ast.Constant,
    ast.Attribute,
    ast.Subscript,
    ast.Slice,
    ast.BinOp,
    ast.UnaryOp,
    ast.BoolOp,
    ast.Compare,
    ast.IfExp,
    ast.Tuple,
    ast.List,
    ast.Dict,
    ast.JoinedStr,
    ast.FormattedValue,
    ast.Call,
    ast.keyword,
    ast.operator,
    ast.unaryop,
    ast.boolop,
    ast.cmpop,
    ast.expr_context,
)

# What these give becomes a part of the loops that read it.
_LAZY = frozenset({"map", "filter", "iter", "next"})


def is_followed(node: ast.stmt) -> bool:
    """Whether a scout does all that a statement does; the statements inside it are left out."""
    match node:
        case ast.Pass() | ast.Global() | ast.Nonlocal() | ast.Break() | ast.Continue() | ast.Try():
            return True
        case ast.Return():
            return node.value is None or _is_value(node.value)
        case ast.Expr():
            grown = grown_by(node)
            return _is_value(node.value if grown is None else grown[1])
        case ast.Assign(targets=[ast.Name()]):
            return _is_value(node.value)
        case ast.Assign(targets=[ast.Subscript(value=ast.Name(), slice=key)]):
            return _is_simple(key) and _is_simple(node.value)
        case ast.Assign(targets=[target]):
            return _are_names(target) and _is_simple(node.value)
        case ast.AugAssign(target=ast.Name()):
            return _is_simple(node.value)  # a guard doubts it where it may change an object
        case ast.If() | ast.While():
            return _is_simple(node.test)
        case ast.For():
            return _are_names(node.target) and _is_simple(node.iter)
    return False


def calls_at_the_end(node: ast.stmt) -> list[ast.Call]:
    """The calls of a statement behind which nothing of it is done but for keeping their results."""
    match node:
        case ast.Expr():
            grown = grown_by(node)
            value: ast.expr | None = node.value if grown is None else grown[1]
        case ast.Assign() | ast.Return():
            value = node.value
        case _:
            return []
    if not is_followed(node) or value is None or not _is_value(value):
        return []
    last = value.elt if isinstance(value, ast.ListComp) else value
    return [last] if isinstance(last, ast.Call) else []


def changes_of(node: ast.stmt) -> int:
    """How many changes of objects a statement makes of which `is_followed` says that it is."""
    stored = isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Subscript)
    return int(stored or grown_by(node) is not None)


def grown_by(node: ast.stmt) -> tuple[str, ast.expr] | None:
    """The name and the value, where a statement is `name.append(value)`."""
    match node:
        case ast.Expr(
            value=ast.Call(
                func=ast.Attribute(value=ast.Name(id=name), attr="append"),
                args=[value],
                keywords=[],
            )
        ) if not isinstance(value, (ast.Starred, ast.ListComp)):
            return name, value
    return None


def _is_value(node: ast.expr) -> bool:
    if not isinstance(node, ast.ListComp):
        return _is_simple(node)
    return _is_simple(node.elt) and all(
        _are_names(one.target)
        and _is_simple(one.iter)
        and all(map(_is_simple, one.ifs))
        and not one.is_async
        for one in node.generators
    )


def _is_simple(node: ast.expr) -> bool:
    """Whether the parts of an expression are computed without calls that change something."""
    for part in ast.walk(node):
        if not isinstance(part, _SIMPLE):
            return False
        if isinstance(part, ast.keyword) and part.arg is None:
            return False
        if isinstance(part, ast.Call) and not isinstance(part.func, (ast.Name, ast.Attribute)):
            return False
        if isinstance(part, ast.Name) and part.id in _LAZY:
            return False
        if (
            isinstance(part, ast.Call)
            and isinstance(part.func, ast.Attribute)
            and part.func.attr in CHANGER_NAMES
        ):
            return False
    return True


def _are_names(target: ast.expr) -> bool:
    parts = target.elts if isinstance(target, (ast.Tuple, ast.List)) else [target]
    return all(isinstance(part, ast.Name) for part in parts)
