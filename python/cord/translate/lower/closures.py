"""Lowering of functions as values: lambdas, inner functions, and `super()`."""

from __future__ import annotations

import ast

from cord.translate.results import MARK

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .expressions import Expressions


def function_value(low: Expressions, key: str, at: ast.expr) -> ast.expr | None:
    """A function that this region defines, with the variables that it reads, as they are now.

    None where that cannot be told. While a function is being written, itself is an ellipsis.
    """
    function = low.project.surveys[low.found.module.name].functions.get(key)
    if function is None:
        return None
    if key in low.making:
        return ast.copy_location(ast.Constant(...), at)
    arguments = function.node.args
    defaults = [*arguments.defaults, *(d for d in arguments.kw_defaults if d is not None)]
    lambda_ = isinstance(function.node, ast.Lambda)
    if not lambda_ and not all(map(_is_literal, defaults)):
        return None  # they were computed where the function was defined
    low.making.append(key)
    captured = [ast.copy_location(ast.Name(n, ast.Load()), at) for n in function.captured]
    values = [low.expr(value) for value in [*captured, *defaults]]
    low.making.pop()
    maker = ast.copy_location(ast.Constant(f"{MARK}function:{key}"), at)
    return ast.copy_location(ast.Call(maker, values, []), at)


def _is_literal(node: ast.expr) -> bool:
    """Whether an expression gives an equal value that cannot change whenever it is evaluated."""
    match node:
        case ast.Constant():
            return True
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return isinstance(operand, ast.Constant)
        case ast.Tuple(elts=items):
            return all(map(_is_literal, items))
    return False


def super_call(low: Expressions, node: ast.Call) -> ast.expr:
    """`super()` as what it stands for."""
    if not isinstance(low.region.node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return low.unknown(node, "super() outside a method")
    arguments = low.region.node.args
    names = ["__class__", *(a.arg for a in [*arguments.posonlyargs, *arguments.args][:1])]
    values: list[ast.expr] = [ast.Name(name, ast.Load()) for name in names]
    for value in values:
        ast.copy_location(value, node)
    return ast.copy_location(ast.Call(node.func, values, []), node)
