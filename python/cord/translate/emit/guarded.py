"""Expressions of a scout: every operation of them guarded.

The code refers to native objects by string constants that start with `MARK`; `code.patch` puts the
objects in their place.
"""

from __future__ import annotations

import ast

from cord.source.operators import BINARY, ORDER, UNARY
from cord.source.scope import written_out
from cord.translate.results import MARK

STATE = ":s"

_COMPARE = {**ORDER, ast.In: "in", ast.NotIn: "not in"}


class Guarded:
    """Writes expressions.

    Args:
        owner: The class in which the code stands, to which names like `__x` belong.
    """

    def __init__(self, owner: str | None = None) -> None:
        self.count = 0
        self.owner = owner

    def fresh(self) -> str:
        """A name for a value in between."""
        self.count += 1
        return f":x{self.count}"

    def truth(self, node: ast.expr) -> ast.expr:
        if isinstance(node, ast.Compare) and len(node.ops) == 1:
            return self.expr(node)
        return guard("truth", self.expr(node))

    def expr(self, node: ast.expr) -> ast.expr:
        """An expression, at the place of the program's: who asks learns where a guard refused."""
        return ast.copy_location(self._written(node), node)

    def _written(self, node: ast.expr) -> ast.expr:
        match node:
            case ast.Constant():
                return node
            case ast.Name():
                return load(node.id)
            case ast.BinOp():
                op = ast.Constant(_name_of(node.op))
                return guard("binary", op, self.expr(node.left), self.expr(node.right))
            case ast.UnaryOp():
                if isinstance(node.op, ast.Not):
                    return ast.UnaryOp(ast.Not(), self.truth(node.operand))
                op = ast.Constant(UNARY[type(node.op)])
                return guard("unary", op, self.expr(node.operand))
            case ast.Compare():
                return self.compare(node)
            case ast.BoolOp():
                return self.short_circuit(node.op, node.values)
            case ast.IfExp():
                return ast.IfExp(
                    self.truth(node.test), self.expr(node.body), self.expr(node.orelse)
                )
            case ast.Attribute():
                return guard("attr", self.expr(node.value), self.written_out(node.attr))
            case ast.Subscript():
                return guard("item", self.expr(node.value), self.expr(node.slice))
            case ast.Slice():
                parts = (node.lower, node.upper, node.step)
                bounds = [ast.Constant(None) if p is None else self.expr(p) for p in parts]
                return guard("slice", *bounds)
            case ast.Tuple() | ast.List() | ast.Set():
                parts_ = [self.expr(part) for part in node.elts]
                if isinstance(node, ast.Set):
                    return guard("set", *parts_)
                return type(node)(parts_, ast.Load())
            case ast.Dict():
                keys: list[ast.expr | None] = [
                    None if key is None else guard("key", self.expr(key)) for key in node.keys
                ]
                values = [
                    self.expr(v) if k is not None else guard("mapping", self.expr(v))
                    for k, v in zip(node.keys, node.values, strict=True)
                ]
                return ast.Dict(keys, values)
            case ast.Starred():
                return ast.Starred(guard("spread", self.expr(node.value)), ast.Load())
            case ast.JoinedStr():
                return guard("join", *(self.expr(part) for part in node.values))
            case ast.FormattedValue():
                spec = ast.Constant("") if node.format_spec is None else self.expr(node.format_spec)
                return guard("format", self.expr(node.value), ast.Constant(node.conversion), spec)
            case ast.Call():
                return self.pure_call(node)
        raise AssertionError(ast.dump(node))

    def written_out(self, attribute: str) -> ast.Constant:
        return ast.Constant(written_out(attribute, self.owner))

    def pure_call(self, node: ast.Call) -> ast.expr:
        args = [self.expr(argument) for argument in node.args]
        keywords = [
            ast.keyword(
                k.arg, self.expr(k.value) if k.arg else guard("mapping", self.expr(k.value))
            )
            for k in node.keywords
        ]
        if isinstance(node.func, ast.Attribute):
            receiver = self.expr(node.func.value)
            call = guard("method", receiver, self.written_out(node.func.attr), *args)
        else:
            call = guard("call", self.expr(node.func), *args)
        call.keywords = keywords
        return call

    def compare(self, node: ast.Compare) -> ast.expr:
        parts: list[ast.expr] = []
        left: ast.expr = self.expr(node.left)
        for index, (op, right) in enumerate(zip(node.ops, node.comparators, strict=True)):
            value = self.expr(right)
            if index + 1 < len(node.ops):
                name = self.fresh()
                value = ast.NamedExpr(store(name), value)
                after: ast.expr = load(name)
            else:
                after = value
            if isinstance(op, (ast.Is, ast.IsNot)):
                parts.append(ast.Compare(left, [op], [value]))
            else:
                parts.append(guard("compare", ast.Constant(_COMPARE[type(op)]), left, value))
            left = after
        if len(parts) == 1:
            return parts[0]
        result = parts[-1]
        for part in reversed(parts[:-1]):
            name = self.fresh()
            test = guard("truth", ast.NamedExpr(store(name), part))
            result = ast.IfExp(test, result, load(name))
        return result

    def short_circuit(self, op: ast.boolop, values: list[ast.expr]) -> ast.expr:
        result = self.expr(values[-1])
        for value in reversed(values[:-1]):
            name = self.fresh()
            test = guard("truth", ast.NamedExpr(store(name), self.expr(value)))
            if isinstance(op, ast.And):
                result = ast.IfExp(test, result, load(name))
            else:
                result = ast.IfExp(test, load(name), result)
        return result


def guard(name: str, *args: ast.expr) -> ast.Call:
    """Call a guarded operation."""
    return ast.Call(ast.Attribute(ast.Constant(MARK + "guard"), name, ast.Load()), list(args), [])


def load(name: str) -> ast.Name:
    """Read a variable."""
    return ast.Name(name, ast.Load())


def store(name: str) -> ast.Name:
    """Name a variable that is bound."""
    return ast.Name(name, ast.Store())


def placed(written: list[ast.stmt], line: int) -> list[ast.stmt]:
    """Statements at a line of the program's, of which the columns are not known."""
    for statement in written:
        if not hasattr(statement, "lineno"):
            statement.lineno = statement.end_lineno = line
            statement.col_offset = statement.end_col_offset = 0
    return written


def assign(name: str, value: ast.expr) -> ast.stmt:
    """Bind a variable."""
    return ast.Assign([store(name)], value)


def state(name: str, *args: ast.expr) -> ast.Call:
    """Call a method of the run that the scout belongs to."""
    return ast.Call(ast.Attribute(load(STATE), name, ast.Load()), list(args), [])


def _name_of(op: ast.operator) -> str:
    """An operator by its name, as guards know it."""
    known = BINARY.get(type(op))
    return known if known is not None else f"in place {BINARY[type(op).__mro__[1]]}"
