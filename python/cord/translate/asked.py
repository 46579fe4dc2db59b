"""Lowering of `iter(function, sentinel)`: a loop that calls until it is given the sentinel."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from .scope import bound_names
from .targets import as_load
from .tree import Assign, Node, While

if TYPE_CHECKING:
    from .expressions import Expressions


def is_asked(low: Expressions, node: ast.expr) -> bool:
    """Whether this is `iter(function, sentinel)`."""
    meaning = low.found.meaning_of.get(node) if isinstance(node, ast.Call) else None
    return (
        isinstance(node, ast.Call)
        and meaning is not None
        and (meaning.kind, meaning.name) == ("builtin", "iter")
        and len(node.args) == 2
        and not any(isinstance(argument, ast.Starred) for argument in node.args)
    )


def turns(
    low: Expressions, call: ast.Call, target: ast.expr, body: list[Node], orelse: list[Node]
) -> None:
    """`for target in iter(function, sentinel): body`, where the target is lowered already."""
    function, sentinel = call.args
    line = target.lineno
    saved, low.out = low.out, []
    given = low.temporary(target)
    low.out.append(Assign(line, given, _called(low, function)))
    last = low.expr(sentinel)  # made anew each time, for a scout that is born in the loop
    pre, low.out = low.out, saved
    test = ast.copy_location(ast.Compare(as_load(given), [ast.NotEq()], [last]), call)
    bound = Assign(line, target, as_load(given))
    low.out.append(While(line, pre, test, [bound, *body], orelse))


def _called(low: Expressions, function: ast.expr) -> ast.expr:
    """The value of a call without arguments."""
    if isinstance(function, ast.Lambda) and not bound_names(function):
        return low.expr(function.body)
    call = ast.copy_location(ast.Call(function, [], []), function)
    low.found.meaning_of[call] = low.project.meaning(low.found.module, function, low.region.local)
    return low.expr(call)
