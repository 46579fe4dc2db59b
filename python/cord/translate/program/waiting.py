"""The code of calls whose values are received late.

`r = remote(x)`, some local work and `print(r)` become, with lines where they were,

    try:
        try:
            if <late:0>.take(<activation:0>, remote, x):  # it is there
                r = <late:0>.taken(<activation:0>)
            ...
            if <late:0>.is_late(<activation:0>):
                r = <late:0>.receive(<activation:0>)
            print(r)
        except:  # the local work has raised: the outcome of the call comes first
            while <late:0>.are_left(<activation:0>):
                if <late:0>.is_next(<activation:0>):
                    r = <late:0>.receive(<activation:0>)
            raise
    except:
        if <late:0>.undoes(<activation:0>):  # the call has raised: nothing came after it
            ...
        raise

A value is received at the place of its call, so that an exception has the traceback that it has in
the plain program. What is asked before a line belongs to none.
"""

from __future__ import annotations

import ast

from cord import stdlib
from cord.translate.results import MARK

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeVar

    from cord.translate.sites.sites import Site

    from .stretches import Late, Split, Stretch

    Node = TypeVar("Node", bound=ast.AST)


class Waiting:
    """Puts values that are received late into the code of a module.

    Args:
        stretches: Where that is.
        activation: Gives the expression for the activation that a site belongs to.
    """

    def __init__(self, stretches: list[Stretch], activation: Callable[[Site], ast.expr]) -> None:
        self._activation = activation
        self._late = {late.statement: late for one in stretches for late in one.calls}
        self._stretch_of = {late: one for one in stretches for late in one.calls}
        self._before = {at: lates for one in stretches for at, lates in one.before.items()}
        self._after = {at: lates for one in stretches for at, lates in one.after.items()}
        self._first: dict[ast.stmt, list[ast.stmt]] = {}
        for stretch in stretches:
            for node, split in stretch.split.items():
                self._first[node] = self._divided(node, split)
        self._wrapped: dict[ast.Try, Stretch] = {}
        for stretch in stretches:
            part = slice(stretch.first, stretch.last + 1)
            inner = ast.Try(stretch.body[part], [], [], [])
            self._wrapped[inner] = stretch
            stretch.body[part] = [ast.copy_location(inner, inner.body[0])]

    def rewritten(self, node: ast.AST, new: Any) -> Any:
        """What stands for a statement whose own calls have been rewritten."""
        if node in self._wrapped and isinstance(new, ast.Try):
            return self._guarded(new, self._wrapped[node])
        if not isinstance(node, ast.stmt):
            return new
        late = self._late.get(node)  # type: ignore[call-overload]
        before, after = self._before.get(node, ()), self._after.get(node, ())
        if late is None and not before and not after:
            return new
        body = new if isinstance(new, list) else [new]
        assert all(isinstance(one, ast.stmt) for one in body)
        if late is not None:
            body = self._started(late)
        return [
            *self._first.get(node, ()),
            *(self._received(one) for one in before),
            *body,
            *(part for one in after for part in self._behind(one, node)),
        ]

    # ---- calls and values ----------------------------------------------------------------------

    def _started(self, late: Late) -> list[ast.stmt]:
        """The call: where its value is there at once, it is received at once."""
        take = late.site.node
        assert isinstance(take, ast.Call) and isinstance(take.func, ast.Attribute)
        at_once = self._with_value(late, stdlib.copy.deepcopy(take))
        native = ast.Constant(f"{MARK}late:{late.site.index}")
        take.func.value = ast.copy_location(native, take.func.value)
        value = self._call(late, "taken")
        for part in ast.walk(value):
            ast.copy_location(part, _target(late.statement) or late.statement)
        body = [self._with_value(late, value)]
        if len(self._stretch_of[late].calls) > 1:
            before = self._next(self._stretch_of[late])
            follows, is_there = self._call(late, "follows"), self._call(late, "is_there")
            for part in (*ast.walk(follows), *ast.walk(is_there)):
                ast.copy_location(part, _target(late.statement) or late.statement)
            body = [ast.While(follows, [before], []), ast.If(is_there, body, [])]
            for one in body:
                ast.copy_location(one, late.statement)
        started: list[ast.stmt] = [ast.copy_location(ast.If(take, body, []), late.statement)]
        if late.holder:  # it is looked up before the call, and so is its `append`, which a list has
            appended = isinstance(late.statement, ast.Expr)
            first: ast.expr = ast.Name(late.holder, ast.Load())
            if appended:
                is_list = ast.Attribute(stdlib.copy.copy(native), "is_list", ast.Load())
                first = ast.Call(is_list, [first], [])
            for part in ast.walk(first):
                ast.copy_location(part, _target(late.statement) or late.statement)
            if appended:
                started = [ast.copy_location(ast.If(first, started, [at_once]), late.statement)]
            else:
                started.insert(0, ast.copy_location(ast.Expr(first), first))
        return started

    def _received(self, late: Late) -> ast.stmt:
        """Receives a value, after those that were to come before it."""
        stretch = self._stretch_of[late]
        test = self._call(late, "is_late")
        if len(stretch.calls) == 1:
            return _nowhere(ast.If(_nowhere(test), [self._receive(late)], []))
        return self._while(test, [self._next(stretch)])

    def _behind(self, late: Late, node: ast.stmt) -> list[ast.stmt]:
        """Receives a value behind a statement, on its line: what follows may belong to none."""
        received = self._received(late)
        assert isinstance(received, (ast.If, ast.While))
        for part in (received, *ast.walk(received.test)):
            _at_line(part, node.lineno, node.col_offset)
        return [received, _at_line(ast.Pass(), node.lineno, node.col_offset)]

    def _next(self, stretch: Stretch) -> ast.stmt:
        """Receives the first of the values that are on their way."""
        chain: list[ast.stmt] = []
        for late in reversed(stretch.calls):
            test = _nowhere(self._call(late, "is_next"))
            chain = [_nowhere(ast.If(test, [self._receive(late)], chain))]
        return chain[0]

    def _receive(self, late: Late) -> ast.stmt:
        value = self._call(late, "receive")
        for part in ast.walk(value):
            ast.copy_location(part, late.site.node)
        value.take = late.site.node  # type: ignore[attr-defined]
        return self._with_value(late, value)

    def _with_value(self, late: Late, value: ast.expr) -> ast.stmt:
        """The statement of a call, with its value in the call's place."""
        statement = late.statement
        match statement:
            case ast.Assign(targets=[target]) | ast.AnnAssign(target=target):
                made: ast.stmt = ast.Assign([stdlib.copy.deepcopy(target)], value)
            case ast.AugAssign():
                made = ast.AugAssign(stdlib.copy.deepcopy(statement.target), statement.op, value)
            case ast.Expr(value=ast.Call() as call) if late.holder:
                call = ast.copy_location(
                    ast.Call(stdlib.copy.deepcopy(call.func), [value], []), call
                )
                made = ast.Expr(call)
            case _:
                made = ast.Expr(value)
        return ast.copy_location(made, statement)

    def _divided(self, node: ast.stmt, split: Split) -> list[ast.stmt]:
        """Computes a part of a statement first, which finds it where it stood."""
        first: list[ast.stmt] = []
        for part in split.parts:
            if isinstance(part, ast.Name):  # whether it is bound is found out here
                load: ast.stmt = ast.Expr(stdlib.copy.copy(part))
                if part.id in split.waits:
                    test = ast.UnaryOp(ast.Not(), self._call(split.late, "is_any"))
                    load = ast.If(test, [load], [])
                first.append(load)
                continue
            held = self._call(split.late, "held")
            _Replacing(part, held).visit(node)
            first.append(ast.Expr(self._call(split.late, "hold", part)))
            for one in ast.walk(held):
                ast.copy_location(one, part)
        for load in first:
            _put_around(load, node)
        return first

    # ---- exceptions ----------------------------------------------------------------------------

    def _guarded(self, node: ast.Try, stretch: Stretch) -> ast.Try:
        first = stretch.calls[0]
        left = self._while(self._call(first, "are_left"), [self._next(stretch)])
        undoes = _nowhere(self._call(first, "undoes"))
        names = sorted(set().union(*(late.reads.assigned for late in stretch.calls)))
        back = [self._back(first, name) for name in names]
        undone = ast.Expr(_nowhere(self._call(first, "undone")))
        whole = _nowhere(ast.If(undoes, [*back, _nowhere(undone)], []))
        node.handlers = [_handler([left])]
        outer = ast.Try([node], [_handler([whole])], [], [])
        return ast.copy_location(outer, node)

    def _back(self, late: Late, name: str) -> ast.stmt:
        """A variable is as it was when the call was made."""
        value = self._call(late, "kept", _nowhere(ast.Constant(name)))
        restored = ast.Assign([ast.Name(name, ast.Store())], value)
        bound = ast.Assign([ast.Name(name, ast.Store())], ast.Constant(None))
        unbound = ast.Delete([ast.Name(name, ast.Del())])
        was = self._call(late, "had", _nowhere(ast.Constant(name)))
        lacked = self._call(late, "lacked", _nowhere(ast.Constant(name)))
        other = ast.If(lacked, [_everywhere(bound), _everywhere(unbound)], [])
        return _nowhere(ast.If(was, [_everywhere(restored)], [_nowhere(other)]))

    # ---- nodes ---------------------------------------------------------------------------------

    def _call(self, late: Late, method: str, *more: ast.expr) -> ast.Call:
        native = ast.Constant(f"{MARK}late:{late.site.index}")
        function = ast.Attribute(native, method, ast.Load())
        call = _everywhere(ast.Call(function, [self._activation(late.site)], []))
        call.args += more
        return call

    def _while(self, test: ast.expr, body: list[ast.stmt]) -> ast.stmt:
        return _nowhere(ast.While(test, body, []))


class _Replacing(ast.NodeTransformer):
    """Puts an expression in the place of another one."""

    def __init__(self, old: ast.expr, new: ast.expr) -> None:
        self.old = old
        self.new = new

    def visit(self, node: ast.AST) -> Any:
        return self.new if node is self.old else super().visit(node)


def _put_around(statement: ast.stmt, at: ast.stmt) -> None:
    """Gives what has no line the place of a statement."""
    for part in ast.walk(statement):
        if getattr(part, "lineno", -1) == -1:
            ast.copy_location(part, at)


def _target(statement: ast.stmt) -> ast.expr | None:
    """What a value is assigned to."""
    if isinstance(statement, ast.Assign):
        return statement.targets[0]
    return statement.target if isinstance(statement, (ast.AnnAssign, ast.AugAssign)) else None


def _handler(body: list[ast.stmt]) -> ast.ExceptHandler:
    return _nowhere(ast.ExceptHandler(None, None, [*body, _nowhere(ast.Raise(None, None))]))


def _nowhere(node: Node) -> Node:
    return _at_line(node, -1, -1)


def _at_line(node: Node, line: int, column: int) -> Node:
    for name in node._attributes:
        setattr(node, name, line if name.endswith("lineno") else column)
    return node


def _everywhere(node: Node) -> Node:
    for part in ast.walk(node):
        _nowhere(part)
    return node
