"""Statements: follows a function from its first to its last, all paths at once."""

from __future__ import annotations

import ast
from collections.abc import Callable

from cord.source.definitions import decorator_names

from . import summary as kinds
from .arguments import Arguments
from .evidence import IMMUTABLE, evidence
from .expressions import Expressions
from .frame import MOST_NOTED, Env, Frame, join, shown
from .values import (
    ALLOC,
    CLASS,
    CONST,
    FUNC,
    GLOBAL,
    ITEM,
    LIB,
    NOTHING,
    OUTSIDE,
    PARAM,
    SCALAR,
    UNKNOWN,
    Obj,
    Value,
    const,
    may_be_new,
    one,
    ordered,
    outward,
)
from .world import object_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cord.source.definitions import Function

    from .analysis import Analysis

_MOST_PASSES = 4
_RETURNED_DEPTH = 2


class _Loop:
    """The variables at the loop's `break`s and `continue`s."""

    def __init__(self) -> None:
        self.breaks: Env | None = None
        self.continues: Env | None = None


class Flow:
    """Follows one function; may be asked again when its callees are known better."""

    def __init__(self, analysis: Analysis, function: Function) -> None:
        self.frame = Frame(analysis, function)
        self._expressions = Expressions(self.frame)
        self._function = function
        self._heads: dict[ast.AST, Env] = {}
        self._loops: list[_Loop] = []
        self._again = False
        found = evidence(analysis.world, function)
        self.frame.types = found.types
        self.frame.containers = found.containers
        self.frame.arrays = found.arrays
        self.frame.sequences = found.sequences
        self.frame.inner = found.inner
        self._statements: dict[type[ast.AST], Callable[..., None]] = {
            ast.Expr: self._expr,
            ast.Assign: self._assign,
            ast.AnnAssign: self._ann_assign,
            ast.AugAssign: self._aug_assign,
            ast.Return: self._return,
            ast.If: self._if,
            ast.For: self._for,
            ast.AsyncFor: self._for,
            ast.While: self._while,
            ast.Break: self._break,
            ast.Continue: self._continue,
            ast.Try: self._try,
            ast.TryStar: self._try,
            ast.With: self._with,
            ast.AsyncWith: self._with,
            ast.Raise: self._raise,
            ast.Assert: self._assert,
            ast.Delete: self._delete,
            ast.FunctionDef: self._def,
            ast.AsyncFunctionDef: self._def,
            ast.ClassDef: self._class,
            ast.Import: self._import,
            ast.ImportFrom: self._import,
            ast.Match: self._match,
        }

    def run(self) -> None:
        """Follows the function until what is known of it no longer grows."""
        for _ in range(_MOST_PASSES):
            self._again = False
            self._expressions.calls.begin()
            self.frame.env = self._parameters()
            node = self._function.node
            if isinstance(node, ast.Lambda):
                self.frame.dropped.add(node.body)
                self._returns(self._expressions.value(node.body))
            else:
                self._block(node.body)
                self._wrapped(node)
            if not self._again:
                break

    def _parameters(self) -> Env:
        env: Env = {}
        node = self._function.node
        if isinstance(node, ast.Module):
            return env
        spec = node.args
        self._read_defaults(spec)
        names = decorator_names(node)
        of_class = "classmethod" in names or getattr(node, "name", "") == "__new__"
        for number, argument in enumerate([*spec.posonlyargs, *spec.args, *spec.kwonlyargs]):
            if number == 0 and of_class and self._function.cls is not None:
                env[argument.arg] = one(Obj(CLASS, *self._function.cls.id))
                continue
            known = self.frame.types.get(argument.arg, "")
            if known in IMMUTABLE:
                env[argument.arg] = one(const(known))
            else:
                env[argument.arg] = one(Obj(PARAM, "", argument.arg))
        for extra in (spec.vararg, spec.kwarg):
            if extra is not None:
                env[extra.arg] = one(Obj(PARAM, "", extra.arg))
        for name, value in env.items():
            if not (value & {Obj(PARAM, "", name)}):
                continue
            self.frame.analysis.note_variable(self._function.id, name, value)
        return env

    def _read_defaults(self, spec: ast.arguments) -> None:
        """A default that is a global's object is as that is when the function runs."""
        if self._function.parent is not None:
            return
        for default in [*spec.defaults, *spec.kw_defaults]:
            if isinstance(default, (ast.Name, ast.Attribute)):
                for obj in self.frame.analysis.world.resolve(self._function.id[0], default):
                    self.frame.read_global(obj, default)

    def _block(self, body: list[ast.stmt]) -> None:
        for statement in body:
            if self.frame.env is None:
                return
            method = self._statements.get(type(statement))
            if method is not None:
                method(statement)

    # ---- simple statements ---------------------------------------------------------------------

    def _expr(self, node: ast.Expr) -> None:
        self.frame.dropped.add(node.value)
        self._expressions.value(node.value)

    def _assign(self, node: ast.Assign) -> None:
        value = self._expressions.value(node.value)
        for target in node.targets:
            elements = self._pairwise(target, node.value)
            if elements is None:
                self._expressions.assign(target, value, node)
                continue
            values = [(one_target, self._expressions.value(v)) for one_target, v in elements]
            for one_target, inner in values:
                self._expressions.assign(one_target, inner, node)

    def _pairwise(
        self, target: ast.expr, value: ast.expr
    ) -> list[tuple[ast.expr, ast.expr]] | None:
        """`a, b = x, y` as two assignments."""
        if not isinstance(target, (ast.Tuple, ast.List)) or not isinstance(value, ast.Tuple):
            return None
        if len(target.elts) != len(value.elts):
            return None
        if any(isinstance(element, ast.Starred) for element in [*target.elts, *value.elts]):
            return None
        return list(zip(target.elts, value.elts, strict=True))

    def _ann_assign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self._expressions.assign(node.target, self._expressions.value(node.value), node)

    def _aug_assign(self, node: ast.AugAssign) -> None:
        frame = self.frame
        target = node.target
        old = self._expressions.value(_as_load(target))
        right = self._expressions.value(node.value)
        result: set[Obj] = set()
        before, frame.unsure = frame.unsure, frame.unsure or may_be_new(old)
        for obj in ordered(old):
            result |= self._in_place(obj, right, node)
        frame.unsure = before
        value = frozenset(result) or SCALAR
        if isinstance(target, ast.Name):
            frame.bind(target.id, value, node)
        elif isinstance(target, (ast.Attribute, ast.Subscript)):
            self._expressions.assign(target, value - old or SCALAR, node)

    def _in_place(self, obj: Obj, right: Value, node: ast.AugAssign) -> Value:
        """`x += y` where x is `obj`: changes it if it can change, and gives it, or a new value."""
        frame = self.frame
        name = type(node.op).__name__.lower()
        name = {"mult": "mul", "div": "truediv", "bitor": "or", "bitand": "and"}.get(name, name)
        own = self._expressions.special(obj, f"__i{name}__", [right], node)
        if own is not None:
            return own
        if obj.kind in (CONST, UNKNOWN):
            return self._expressions.operate(one(obj), right, f"__{name}__", f"__r{name}__", node)
        types = frame.type_names(obj)
        if obj.kind == ALLOC:
            if types and not types & _CHANGING:
                return one(frame.alloc(node, min(types)))
            frame.put(obj, ITEM, frame.load(right, ITEM))
            return one(obj)
        if obj.kind in OUTSIDE and not types & _FIXED:
            if not types and self._is_arithmetic(node, right):
                if f"__i{name}__" in frame.world.methods:
                    frame.changed(obj, node, maybe=True)
                return SCALAR
            sure = bool(types & _CHANGING) or self._looks_like_container(obj, right)
            frame.changed(obj, node, maybe=not sure)
            return one(obj) | SCALAR
        return SCALAR

    def _is_arithmetic(self, node: ast.AugAssign, right: Value) -> bool:
        """`x += 1` changes nothing but an array, and there are none in the whole project."""
        if self.frame.world.arrays:
            return False
        numbers = all(obj.kind == CONST and obj.name in _NUMBERS for obj in right)
        lists = isinstance(node.op, (ast.Add, ast.Mult))
        sets = isinstance(node.op, (ast.Sub, ast.BitAnd, ast.BitOr, ast.BitXor))
        return (not lists and not sets) or (numbers and not isinstance(node.op, ast.Mult))

    def _looks_like_container(self, obj: Obj, right: Value) -> bool:
        """Whether something speaks for `obj` being a list or an array."""
        if any(o.kind == ALLOC and o.name in _CHANGING for o in right):
            return True
        return obj.kind == PARAM and not obj.path and obj.name in self.frame.containers

    def _return(self, node: ast.Return) -> None:
        self._returns(self._expressions.value(node.value) if node.value else SCALAR)
        self.frame.env = None

    def _returns(self, value: Value) -> None:
        self._seen_returned: set[tuple[tuple[str, ...], Obj]] = set()
        self._add_returned((), value)

    def _add_returned(self, path: tuple[str, ...], value: Value) -> None:
        frame, returns = self.frame, self.frame.summary.returns
        for obj in ordered(value):
            if len(returns) >= MOST_NOTED:
                frame.summary.overflow = True
                return
            if (path, obj) in self._seen_returned:
                continue
            self._seen_returned.add((path, obj))
            returns.add((path, outward(obj)))
            if obj.kind == ALLOC and len(path) < _RETURNED_DEPTH:
                for step, stored in list(frame.heap.get(obj, {}).items()):
                    self._add_returned((*path, step), frozenset(stored))

    def _raise(self, node: ast.Raise) -> None:
        self._expressions.value(node.exc)
        self._expressions.value(node.cause)
        self.frame.env = None

    def _assert(self, node: ast.Assert) -> None:
        self._expressions.value(node.test)
        self._expressions.value(node.msg)

    def _delete(self, node: ast.Delete) -> None:
        for target in node.targets:
            if isinstance(target, ast.Name):
                if target.id in self._function.globals:
                    self.frame.bind(target.id, SCALAR, node)
                elif self.frame.env is not None:
                    self.frame.env.pop(target.id, None)
            elif isinstance(target, (ast.Attribute, ast.Subscript)):
                self._expressions.assign(target, NOTHING, node)

    def _import(self, node: ast.Import | ast.ImportFrom) -> None:
        if self.frame.is_body:
            return
        for name, value in self.frame.world.local_import(self._function, node).items():
            found: set[Obj] = set()
            for obj in ordered(value):
                found |= self.frame.read_global(obj, node)
            self.frame.bind(name, frozenset(found), node)

    # ---- definitions ---------------------------------------------------------------------------

    def _def(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        for default in [*node.args.defaults, *node.args.kw_defaults]:
            self._expressions.value(default)
        made = object_of(self._function.inner[node])
        self.frame.bind(node.name, self._decorated(node, one(made)), node)

    def _wrapped(self, node: ast.Module | ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        """Who calls the function calls what its decorators have made of it."""
        function, frame = self._function, self.frame
        if isinstance(node, ast.Module) or not node.decorator_list or function.parent is not None:
            return
        frame.env = self._parameters()
        given = Arguments(rest=frozenset().union(*frame.env.values()))
        decorator = node.decorator_list[0]
        around = frame.analysis.made_of(function.id)
        if around:
            self._expressions.calls.call(around, given, decorator, node.name)
        for decorator in node.decorator_list:
            self._expressions.calls.libraries.decorate(decorator)

    def _decorated(self, node: ast.FunctionDef | ast.AsyncFunctionDef, value: Value) -> Value:
        """The function, and what decorators of the project make of it."""
        found = set(value)
        calls = self._expressions.calls
        for decorator in reversed(node.decorator_list):
            callees = self._expressions.value(decorator)
            own = frozenset(o for o in callees if o.kind in (FUNC, "class"))
            if own:
                calls.decorating = True
                found |= calls.call(own, Arguments([value]), decorator, node.name)
                calls.decorating = False
        return frozenset(o for o in found if o.kind in (FUNC, "bound", ALLOC))

    def _class(self, node: ast.ClassDef) -> None:
        for expression in [*node.decorator_list, *node.bases]:
            self._expressions.value(expression)
        made = object_of(self._function.inner[node])
        for statement in node.body:
            if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
                method = object_of(self._function.inner[statement])
                value = self._decorated(statement, one(method))
                self.frame.analysis.note_global(Obj(GLOBAL, method.owner, method.name), value)
            if isinstance(statement, (ast.Assign, ast.AnnAssign)) and statement.value is not None:
                value = self._expressions.value(statement.value)
                targets = (
                    statement.targets if isinstance(statement, ast.Assign) else [statement.target]
                )
                for target in targets:
                    if isinstance(target, ast.Name):
                        variable = Obj(GLOBAL, made.owner, f"{made.name}.{target.id}")
                        self.frame.analysis.note_global(variable, value)
        self.frame.bind(node.name, one(made), node)

    # ---- branches ------------------------------------------------------------------------------

    def _if(self, node: ast.If) -> None:
        self._expressions.value(node.test)
        before = self._copy()
        self._block(node.body)
        after, self.frame.env = self.frame.env, before
        self._block(node.orelse)
        self.frame.env = join(after, self.frame.env)

    def _match(self, node: ast.Match) -> None:
        subject = self._expressions.value(node.subject)
        merged = self._copy()
        before = self._copy()
        for case in node.cases:
            self.frame.env = None if before is None else dict(before)
            inner = subject | self.frame.load(subject, ITEM) | self.frame.load(subject, ".*")
            for name in _captured(case.pattern):
                self.frame.bind(name, inner, node)
            self._expressions.value(case.guard)
            self._block(case.body)
            merged = join(merged, self.frame.env)
        self.frame.env = merged

    def _try(self, node: ast.Try | ast.TryStar) -> None:
        seen = self._copy()
        for statement in node.body:
            self._block([statement])
            seen = join(seen, self.frame.env)
        self._block(node.orelse)
        merged = self.frame.env
        for handler in node.handlers:
            self.frame.env = None if seen is None else dict(seen)
            self._expressions.value(handler.type)
            if handler.name:
                error = one(self.frame.alloc(handler, "exception"))
                self.frame.bind(handler.name, error, handler)
            self._block(handler.body)
            merged = join(merged, self.frame.env)
        ended = merged is None
        self.frame.env = join(merged, seen) if node.finalbody else merged
        self._block(node.finalbody)
        if ended:
            self.frame.env = None

    def _with(self, node: ast.With | ast.AsyncWith) -> None:
        for item in node.items:
            value = self._expressions.value(item.context_expr)
            entered: set[Obj] = set()
            for obj in ordered(value):
                self._enter(obj, item.context_expr)
                result = self._expressions.special(obj, "__enter__", [], item.context_expr)
                entered |= one(obj) if result is None else result
                arguments = [SCALAR, SCALAR, SCALAR]
                self._expressions.special(obj, "__exit__", arguments, item.context_expr)
                entered |= self.frame.load(one(obj), ITEM) if obj.name == "iterator" else NOTHING
            if item.optional_vars is not None:
                self._expressions.assign(item.optional_vars, frozenset(entered), node)
        before = self._copy()
        self._block(node.body)
        if self.frame.env is None:  # it may have been suppressed
            self.frame.env = before

    def _enter(self, obj: Obj, node: ast.expr) -> None:
        """What is entered and left by `with` may do anything, unless its type is known."""
        if obj.kind in OUTSIDE and not self.frame.type_names(obj):
            self.frame.effect(kinds.UNKNOWN_CALL, Obj(LIB, "", f"with {shown(node)}"), node)

    # ---- loops ---------------------------------------------------------------------------------

    def _for(self, node: ast.For | ast.AsyncFor) -> None:
        value = self._expressions.value(node.iter)
        head = join(self.frame.env, self._heads.get(node))
        self.frame.env = None if head is None else dict(head)
        items = self._expressions.items(value, node)
        self._expressions.assign(node.target, items, node)
        loop = self._turn(node)
        self.frame.env = join(head, self._heads.get(node))
        self._block(node.orelse)
        self.frame.env = join(self.frame.env, loop.breaks)

    def _while(self, node: ast.While) -> None:
        head = join(self.frame.env, self._heads.get(node))
        self.frame.env = None if head is None else dict(head)
        self._expressions.value(node.test)
        left = self._copy()
        loop = self._turn(node)
        endless = isinstance(node.test, ast.Constant) and bool(node.test.value)
        self.frame.env = None if endless else join(left, self._heads.get(node))
        self._block(node.orelse)
        self.frame.env = join(self.frame.env, loop.breaks)

    def _turn(self, node: ast.For | ast.AsyncFor | ast.While) -> _Loop:
        """One turn of a loop; what its end knows is what the next turn begins with."""
        loop = _Loop()
        self._loops.append(loop)
        self._block(node.body)
        self._loops.pop()
        back = join(self.frame.env, loop.continues)
        old = self._heads.get(node)
        grown = join(old, back)
        if grown is not None and grown != old:
            self._heads[node] = grown
            self._again = True
        return loop

    def _break(self, node: ast.Break) -> None:
        if self._loops:
            self._loops[-1].breaks = join(self._loops[-1].breaks, self.frame.env)
        self.frame.env = None

    def _continue(self, node: ast.Continue) -> None:
        if self._loops:
            self._loops[-1].continues = join(self._loops[-1].continues, self.frame.env)
        self.frame.env = None

    def _copy(self) -> Env | None:
        return None if self.frame.env is None else dict(self.frame.env)


_CHANGING = frozenset(
    "list set dict bytearray ndarray array.array collections.deque collections.Counter".split()
)
_NUMBERS = frozenset({"int", "float", "complex", "bool", "number"})
_FIXED = frozenset({*IMMUTABLE, "tuple", "frozenset", "number"})


def _as_load(target: ast.expr) -> ast.expr:
    """The target of `x += y`, to be read."""
    if isinstance(target, ast.Name):
        return ast.copy_location(ast.Name(target.id, ast.Load()), target)
    if isinstance(target, ast.Attribute):
        return ast.copy_location(ast.Attribute(target.value, target.attr, ast.Load()), target)
    if isinstance(target, ast.Subscript):
        return ast.copy_location(ast.Subscript(target.value, target.slice, ast.Load()), target)
    return target


def _captured(pattern: ast.pattern) -> list[str]:
    names = []
    for inner in ast.walk(pattern):
        if isinstance(inner, (ast.MatchAs, ast.MatchStar)) and inner.name:
            names.append(inner.name)
        elif isinstance(inner, ast.MatchMapping) and inner.rest:
            names.append(inner.rest)
    return names
