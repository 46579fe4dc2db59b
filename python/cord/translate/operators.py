"""The functions of the module `operator` that Python's operators stand for, by their nodes.

And the special methods that classes define them by.
"""

from __future__ import annotations

import ast

BINARY: dict[type[ast.AST], str] = {
    ast.Add: "add",
    ast.Sub: "sub",
    ast.Mult: "mul",
    ast.Div: "truediv",
    ast.FloorDiv: "floordiv",
    ast.Mod: "mod",
    ast.Pow: "pow",
    ast.LShift: "lshift",
    ast.RShift: "rshift",
    ast.BitAnd: "and",
    ast.BitOr: "or",
    ast.BitXor: "xor",
    ast.MatMult: "matmul",
}
ORDER: dict[type[ast.AST], str] = {
    ast.Eq: "eq",
    ast.NotEq: "ne",
    ast.Lt: "lt",
    ast.LtE: "le",
    ast.Gt: "gt",
    ast.GtE: "ge",
}
UNARY: dict[type[ast.AST], str] = {ast.USub: "neg", ast.UAdd: "pos", ast.Invert: "invert"}

_TURNED = {"lt": "gt", "gt": "lt", "le": "ge", "ge": "le", "eq": "eq", "ne": "eq"}
# Values that are builtin ones for sure.
_BUILTIN = (
    ast.Constant,
    ast.JoinedStr,
    ast.List,
    ast.Tuple,
    ast.Dict,
    ast.Set,
    ast.ListComp,
    ast.DictComp,
    ast.SetComp,
)


def operation_of(node: ast.expr) -> str | None:
    """The function of `operator` that does what an operator does, None for other expressions."""
    match node:
        case ast.BinOp():
            name = BINARY[type(node.op)]
            return f"{name}_" if name in ("and", "or") else name
        case ast.UnaryOp():
            return UNARY.get(type(node.op))
        case ast.Compare(ops=[ast.In() | ast.NotIn()]):
            return "contains"
        case ast.Compare(ops=[op]):
            return ORDER.get(type(op))
        case ast.Subscript(ctx=ast.Load(), slice=key):
            sliced = any(isinstance(part, (ast.Slice, ast.Starred)) for part in ast.walk(key))
            return None if sliced else "getitem"
    return None


def methods_of(node: ast.expr) -> tuple[str, ...]:
    """The special methods that an operator may call, that of its first operand first."""
    name = (operation_of(node) or "").rstrip("_")
    methods: tuple[tuple[ast.expr, str], ...] = ()
    if not name:
        return ()
    match node:
        case ast.BinOp(left=left, right=right):
            methods = (left, f"__{name}__"), (right, f"__r{name}__")
        case ast.UnaryOp(operand=operand):
            methods = ((operand, f"__{name}__"),)
        case ast.Compare(ops=[ast.In() | ast.NotIn()], comparators=[right]):
            methods = ((right, "__contains__"),)
        case ast.Compare(left=left, comparators=[right]):
            methods = (left, f"__{name}__"), (right, f"__{_TURNED[name]}__")
        case ast.Subscript(value=value):
            methods = ((value, "__getitem__"),)
    return tuple(method for owner, method in methods if not isinstance(owner, _BUILTIN))


def operands(node: ast.expr) -> list[ast.expr]:
    """What an operator works on, in the order in which it is computed."""
    match node:
        case ast.BinOp():
            return [node.left, node.right]
        case ast.UnaryOp():
            return [node.operand]
        case ast.Compare():
            return [node.left, *node.comparators]
        case ast.Subscript():
            return [node.value, node.slice]
    raise AssertionError(node)
