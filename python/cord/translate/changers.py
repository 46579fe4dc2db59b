"""Library functions that change one thing: a list that they are given, or the state of `random`."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from . import pure
from .targets import access_path, as_load

if TYPE_CHECKING:
    from .expressions import Expressions

# The method of a change that calls its first argument, with what is changed where it changes that.
CALLED = "()"


def changing_call(
    low: Expressions,
    node: ast.Call,
    name: str,
    func: ast.expr,
    args: list[ast.expr],
) -> ast.expr | None:
    """The result of a call of such a function, None if `name` is none or cannot be followed."""
    simple = not node.keywords and not any(isinstance(arg, ast.Starred) for arg in node.args)
    if name in pure.CHANGERS and simple and args and access_path(node.args[0]) is not None:
        owner, path = low.owner(node.args[0])
        rest = args[1:]
    elif is_draw(name):
        # the module, or the function itself, stands for the state
        owner, path = low.rename(_root(node.func)), None
        rest = args
        if not simple or (name == "random.seed" and not args):
            reason = f"{ast.unparse(node.func)}() changes the random state in its own way"
            low.opaque(node, (owner,), reason, name)
            return low.unknown(node, reason, name)
    else:
        return None
    result = low.temporary(node)
    given = [func, *(low.moved(argument) for argument in rest)]
    low.mutate(node.lineno, owner, CALLED, given, result.id, path)
    return as_load(result)


def is_draw(name: str) -> bool:
    """Whether this is a function of `random` that draws from the module's own generator."""
    module, _, function = name.rpartition(".")
    return module == "random" and function in pure.DRAWS


def _root(func: ast.expr) -> str:
    while isinstance(func, ast.Attribute):
        func = func.value
    assert isinstance(func, ast.Name)
    return func.id
