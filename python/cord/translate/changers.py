"""Library functions that change a list that they are given, or the state of random numbers."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from . import pure
from .targets import access_path, as_load

if TYPE_CHECKING:
    from .expressions import Expressions

# The method of a change that calls its first argument, with what is changed where it changes that.
CALLED = "()"
# The method that puts a list into an order which is drawn. Scouts are given the list that it makes.
SHUFFLE = "shuffle"


def changing_call(
    low: Expressions,
    node: ast.Call,
    name: str,
    func: ast.expr,
    args: list[ast.expr],
    keywords: list[ast.keyword],
) -> ast.expr | None:
    """The result of a call of such a function, None if `name` is none or cannot be followed."""
    simple = not is_spread(node)
    has_path = bool(args) and access_path(node.args[0]) is not None
    if name in pure.CHANGERS and simple and not keywords and has_path:
        owner, path = low.owner(node.args[0])
        rest = args[1:]
    elif is_draw(name):
        # the module, or the function itself, stands for the state
        owner, path = low.rename(_root(node.func)), None
        rest = args
        if not simple or (name.endswith(".seed") and not args):
            reason = f"{ast.unparse(node.func)}() changes the random state in its own way"
            low.opaque(node, (owner,), reason, name)
            return low.unknown(node, reason, name)
    else:
        return None
    result = low.temporary(node)
    given = [func, *(low.moved(argument) for argument in rest)]
    low.mutate(node.lineno, owner, CALLED, given, result.id, path, keywords)
    return shuffled(low, node, result) if name.endswith(f".{SHUFFLE}") else as_load(result)


def shuffled(low: Expressions, node: ast.Call, result: ast.Name) -> ast.expr:
    """A list is put into the order that has been drawn for it; else what a method gives."""
    if node.args and access_path(node.args[0]) is not None:
        owner, path = low.owner(node.args[0])
        whole = ast.copy_location(ast.Slice(), node)
        low.mutate(node.lineno, owner, "__setitem__", [whole, as_load(result)], None, path)
        return ast.copy_location(ast.Constant(None), node)
    return as_load(result)


def is_spread(node: ast.Call) -> bool:
    """Whether some of the arguments come from an iterable or a mapping."""
    unnamed = any(keyword.arg is None for keyword in node.keywords)
    return unnamed or any(isinstance(argument, ast.Starred) for argument in node.args)


def is_draw(name: str) -> bool:
    """Whether this is a function of a module that draws from the module's own generator."""
    module, _, function = name.rpartition(".")
    return function in pure.DRAWS_OF.get(module, ())


def _root(func: ast.expr) -> str:
    while isinstance(func, ast.Attribute):
        func = func.value
    assert isinstance(func, ast.Name)
    return func.id
