"""Priorities: an expression in C becomes one in Python that has the same value.

Python's tree is built rather than its text, so that `ast.unparse` puts parentheses where Python
wants them: `!x == y` is `(not x) == y`.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from keyword import iskeyword

from lark import Token, Tree

from lab.notation import grammar
from lab.notation.findings import Findings
from lab.notation.model import Setting

_FUNCTIONS = {
    "strlen": "len",
    "abs": "abs",
    "labs": "abs",
    "llabs": "abs",
    "fabs": "abs",
    "fabsf": "abs",
    "min": "min",
    "MIN": "min",
    "fmin": "min",
    "max": "max",
    "MAX": "max",
    "fmax": "max",
}
_ARITHMETIC: dict[str, ast.operator] = {
    "add": ast.Add(),
    "subtract": ast.Sub(),
    "multiply": ast.Mult(),
}
_BITS: dict[str, ast.operator] = {
    "bit_or": ast.BitOr(),
    "bit_xor": ast.BitXor(),
    "bit_and": ast.BitAnd(),
    "shift_left": ast.LShift(),
    "shift_right": ast.RShift(),
}
_COMPARISONS: dict[str, ast.cmpop] = {
    "==": ast.Eq(),
    "!=": ast.NotEq(),
    "<": ast.Lt(),
    "<=": ast.LtE(),
    ">": ast.Gt(),
    ">=": ast.GtE(),
}
_KINDS = {
    "string": "string",
    "integer": "int",
    "int": "int",
    "long": "int",
    "short": "int",
    "float": "float",
    "double": "float",
    "real": "float",
}
_SIGNS = {"n": "\n", "t": "\t", "r": "\r", "0": "\0"}


@dataclass(slots=True)
class Priority:
    """A priority in Python.

    Attributes:
        text: The expression.
        names: The names in it that stand for arguments.
    """

    text: str
    names: list[str]


@dataclass(slots=True)
class _Value:
    """A part of the expression.

    Attributes:
        node: It, in Python.
        kind: "int", "float", "bool" or "string"; None where the text does not tell.
        natural: Whether it is a whole number that cannot be negative.
    """

    node: ast.expr
    kind: str | None = None
    natural: bool = False


class _Wrong(Exception):
    """What has no equal; the arguments are its place and the message."""


def priority(
    setting: Setting, types: tuple[str, ...] | None, findings: Findings
) -> Priority | None:
    """Reads the attribute.

    Args:
        setting: The attribute.
        types: The types of the arguments, if the interface says them. What `/` means depends on
            them.
        findings: Where it is noted if there is no equal.
    """
    (text,) = setting.strings
    kind = _KINDS.get(types[0]) if types is not None and len(types) == 1 else None
    try:
        translator = _Translator(kind)
        node = translator.value(grammar.expression().parse(text.value, "expression")).node
        written = ast.unparse(ast.fix_missing_locations(node))
    except (grammar.Unreadable, _Wrong) as error:
        position, message = (
            (error.position, error.message) if isinstance(error, grammar.Unreadable) else error.args
        )
        findings.error(text.offset(position), f"priority: {message}", None, setting.span)
    except RecursionError:
        message = "priority is nested too deeply"
        findings.error(text.begin, message, None, setting.span)
    else:
        for position in translator.doubtful:
            message = "C divides whole numbers without remainder; here `/` is Python's"
            hint = "write // in cord.toml if both are whole numbers"
            findings.note(text.offset(position), message, hint)
        return Priority(written, translator.names)
    return None


class _Translator:
    def __init__(self, kind: str | None) -> None:
        self._kind = kind
        self.names: list[str] = []
        self.doubtful: list[int] = []

    def value(self, tree: Tree[Token] | Token) -> _Value:
        assert isinstance(tree, Tree)
        rule = str(tree.data)
        if rule in _ARITHMETIC:
            return self._arithmetic(rule, tree)
        if rule in _BITS:
            left, right = (self._whole(child) for child in tree.children)
            natural = left.natural and right.natural
            return _Value(ast.BinOp(left.node, _BITS[rule], right.node), "int", natural)
        method = getattr(self, f"_{rule.rstrip('_')}")
        value: _Value = method(tree)
        return value

    def _whole(self, tree: Tree[Token] | Token) -> _Value:
        """An operand of what C has for whole numbers only."""
        value = self.value(tree)
        if value.kind in ("float", "string"):
            raise _Wrong(_place(tree), f"a {value.kind} cannot stand here")
        return value

    def _number_like(self, tree: Tree[Token] | Token) -> _Value:
        value = self.value(tree)
        if value.kind == "string":
            message = "C computes with the address of a string here, which has no equal"
            raise _Wrong(_place(tree), message)
        return value

    def _arithmetic(self, rule: str, tree: Tree[Token]) -> _Value:
        left, right = (self._number_like(child) for child in tree.children)
        natural = rule != "subtract" and left.natural and right.natural
        node = ast.BinOp(left.node, _ARITHMETIC[rule], right.node)
        return _Value(node, _common(left, right), natural)

    def _divide(self, tree: Tree[Token]) -> _Value:
        left, right = self._number_like(tree.children[0]), self._number_like(tree.children[2])
        kind = _common(left, right)
        if kind is None:
            self.doubtful.append(_place(tree.children[1]))
        if kind != "int":
            return _Value(ast.BinOp(left.node, ast.Div(), right.node), kind)
        return _Value(_quotient(left, right), "int", left.natural and right.natural)

    def _modulo(self, tree: Tree[Token]) -> _Value:
        left, right = self._whole(tree.children[0]), self._whole(tree.children[2])
        if left.natural and right.natural:
            return _Value(ast.BinOp(left.node, ast.Mod(), right.node), "int", natural=True)
        # C's remainder has the sign of the dividend
        whole = ast.BinOp(right.node, ast.Mult(), _quotient(left, right))
        return _Value(ast.BinOp(left.node, ast.Sub(), whole), "int")

    def _compare(self, tree: Tree[Token]) -> _Value:
        left, right = self._number_like(tree.children[0]), self._number_like(tree.children[2])
        node = ast.Compare(left.node, [_COMPARISONS[str(tree.children[1])]], [right.node])
        return _Value(node, "bool", natural=True)

    def _logical(self, tree: Tree[Token]) -> _Value:
        operator = ast.And() if tree.children[1] == "&&" else ast.Or()
        # what Python's operators give is one of the operands, in C it is 0 or 1
        left, right = (_truth(self._number_like(tree.children[at])) for at in (0, 2))
        return _Value(ast.BoolOp(operator, [left, right]), "bool", natural=True)

    def _not(self, tree: Tree[Token]) -> _Value:
        node = ast.UnaryOp(ast.Not(), self._number_like(tree.children[0]).node)
        return _Value(node, "bool", natural=True)

    def _minus(self, tree: Tree[Token]) -> _Value:
        value = self._number_like(tree.children[0])
        return _Value(ast.UnaryOp(ast.USub(), value.node), _promoted(value))

    def _plus(self, tree: Tree[Token]) -> _Value:
        return self._number_like(tree.children[0])

    def _invert(self, tree: Tree[Token]) -> _Value:
        # an int, since Python is giving up to invert truth values
        return _Value(ast.UnaryOp(ast.Invert(), _as_int(self._whole(tree.children[0]))), "int")

    def _choice(self, tree: Tree[Token]) -> _Value:
        condition = self._number_like(tree.children[0])
        left, right = self.value(tree.children[1]), self.value(tree.children[2])
        kind = left.kind if left.kind == right.kind else _common(left, right)
        natural = left.natural and right.natural
        return _Value(ast.IfExp(condition.node, left.node, right.node), kind, natural)

    def _cast(self, tree: Tree[Token]) -> _Value:
        *types, operand = tree.children
        value = self._number_like(operand)
        if "char" in types:
            raise _Wrong(_place(types[0]), "a cast to char has no equal")
        if {"float", "double"} & {str(kind) for kind in types}:
            return _Value(_call("float", value.node), "float")
        if value.kind == "int":
            return value
        return _Value(_call("int", value.node), "int", value.natural)

    def _call(self, tree: Tree[Token]) -> _Value:
        name, *arguments = tree.children
        known = _FUNCTIONS.get(str(name))
        if known is None:
            raise _Wrong(_place(name), f"the function {name} has no equal")
        wanted = 2 if known in ("min", "max") else 1
        if len(arguments) != wanted:
            raise _Wrong(_place(name), f"{name} takes {'two arguments' if wanted == 2 else 'one'}")
        if known == "len":
            return _Value(_call("len", self.value(arguments[0]).node), "int", natural=True)
        values = [self._number_like(argument) for argument in arguments]
        kind = _common(*values)
        natural = all(value.natural for value in values) or (known == "abs" and kind == "int")
        if str(name).startswith("f"):
            kind, natural = "float", False
        return _Value(_call(known, *(value.node for value in values)), kind, natural)

    def _index(self, tree: Tree[Token]) -> _Value:
        base, index = self.value(tree.children[0]), self._whole(tree.children[1])
        node = ast.Subscript(base.node, index.node)
        return (
            _Value(_call("ord", node), "int", natural=True)
            if base.kind == "string"
            else _Value(node)
        )

    def _field(self, tree: Tree[Token]) -> _Value:
        base, name = tree.children
        if iskeyword(str(name)):
            raise _Wrong(_place(name), f"{name} cannot be a name in Python")
        return _Value(ast.Attribute(self.value(base).node, str(name)))

    def _name(self, tree: Tree[Token]) -> _Value:
        name = str(tree.children[0])
        if iskeyword(name):
            raise _Wrong(_place(tree), f"{name} cannot be a name in Python")
        if name not in self.names:
            self.names.append(name)
        return _Value(ast.Name(name), self._kind if name == "x" else None)

    def _number(self, tree: Tree[Token]) -> _Value:
        text = str(tree.children[0]).lower()
        if text.startswith("0x"):
            return _Value(ast.Constant(int(text.rstrip("ul"), 16)), "int", natural=True)
        digits = text.rstrip("ulf")
        if not digits.isdecimal() or text.endswith("f"):
            return _Value(ast.Constant(float(digits)), "float")
        octal = len(digits) > 1 and digits[0] == "0"
        try:
            return _Value(ast.Constant(int(digits, 8 if octal else 10)), "int", natural=True)
        except ValueError:
            raise _Wrong(_place(tree), f"{text} is not a number in C") from None

    def _character(self, tree: Tree[Token]) -> _Value:
        text = str(tree.children[0])[1:-1]
        sign = _SIGNS.get(text[1], text[1]) if text[0] == "\\" else text
        return _Value(ast.Constant(ord(sign)), "int", natural=True)


def _quotient(left: _Value, right: _Value) -> ast.expr:
    """The division of whole numbers, which C rounds towards 0."""
    if left.natural and right.natural:
        return ast.BinOp(left.node, ast.FloorDiv(), right.node)
    return _call("int", ast.BinOp(left.node, ast.Div(), right.node))


def _promoted(value: _Value) -> str | None:
    return "int" if value.kind == "bool" else value.kind


def _common(*values: _Value) -> str | None:
    """The kind that C brings numbers to before it computes with them."""
    kinds = {_promoted(value) for value in values}
    if "float" in kinds:
        return "float"
    return "int" if kinds == {"int"} else None


def _truth(value: _Value) -> ast.expr:
    return value.node if value.kind == "bool" else _call("bool", value.node)


def _as_int(value: _Value) -> ast.expr:
    return _call("int", value.node) if value.kind == "bool" else value.node


def _call(name: str, *arguments: ast.expr) -> ast.Call:
    return ast.Call(ast.Name(name), list(arguments), [])


def _place(tree: Tree[Token] | Token) -> int:
    """Where it begins in the expression."""
    if isinstance(tree, Token):
        return tree.start_pos or 0
    return tree.meta.start_pos
