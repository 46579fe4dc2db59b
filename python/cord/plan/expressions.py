"""The language of `priority`: Python expressions that only look at the parameters of a function.

Names, literals, arithmetic, comparisons, `and`, `or`, `not`, conditional expressions, attributes,
subscripts, and calls of `len`, `min`, `max` and `abs`.
"""

from __future__ import annotations

import ast

from cord.plan.problems import listing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

FUNCTIONS: Final = {"len": len, "min": min, "max": max, "abs": abs}
LONGEST: Final = 1000

_NODES = (
    *(ast.Expression, ast.Name, ast.Load, ast.Constant, ast.Attribute, ast.Subscript, ast.Slice),
    *(ast.BinOp, ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow),
    *(ast.UnaryOp, ast.UAdd, ast.USub, ast.Not, ast.BoolOp, ast.And, ast.Or, ast.IfExp),
    *(ast.Compare, ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.In, ast.NotIn),
    *(ast.Is, ast.IsNot, ast.Call),
)
_CONSTANTS = (int, float, str, bytes, type(None))  # bool is an int


class WrongExpression(Exception):
    """Why an expression is none of this language, as a clause."""


def parse(text: str) -> ast.Expression:
    """The expression's tree.

    Raises:
        WrongExpression: It is not Python, or does more than look at its names.
    """
    if len(text) > LONGEST:
        raise WrongExpression(f"it is longer than {LONGEST} characters")
    try:
        tree = ast.parse(text.strip(), mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        reason = error.msg if isinstance(error, SyntaxError) else "it is no text of Python"
        raise WrongExpression(f"it is not a Python expression: {reason}") from None
    called = set()
    for node in ast.walk(tree):
        _check(node)
        if isinstance(node, ast.Call):
            called.add(node.func)
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id in FUNCTIONS and node not in called:
            raise WrongExpression(f"{node.id} is a function and must be called")
    return tree


def _check(node: ast.AST) -> None:
    if not isinstance(node, _NODES):
        raise WrongExpression(f"it has {_described(node)}, which it may not have")
    if isinstance(node, ast.Constant) and type(node.value) not in (*_CONSTANTS, bool):
        raise WrongExpression(f"it has {node.value!r}, which it may not have")
    if isinstance(node, ast.Attribute) and node.attr.startswith("_"):
        raise WrongExpression(f"the attribute {node.attr} is private")
    if isinstance(node, ast.Call):
        known = isinstance(node.func, ast.Name) and node.func.id in FUNCTIONS
        if not known:
            raise WrongExpression(
                f"it calls {ast.unparse(node.func)}, and may call {listing(sorted(FUNCTIONS))}"
            )
        if node.keywords or not node.args:
            raise WrongExpression(f"{ast.unparse(node)} is not called with plain arguments")


def _described(node: ast.AST) -> str:
    if isinstance(node, (ast.expr, ast.keyword)):
        return ast.unparse(node)
    return f"the operator {type(node).__name__}"


def names(tree: ast.Expression) -> list[str]:
    """The names of parameters in it, in the order in which they come first."""
    found = [node.id for node in ast.walk(tree) if isinstance(node, ast.Name)]
    return [name for name in dict.fromkeys(found) if name not in FUNCTIONS]
