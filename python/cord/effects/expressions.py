"""Expressions: what they may be, and what evaluating them does."""

from __future__ import annotations

import ast
from collections.abc import Callable

from cord.knowledge.outside import READ_AS_NAME
from cord.source.operators import BINARY, ORDER

from . import summary as kinds
from .arguments import Arguments
from .attributes import Attributes
from .calls import SUPER, Calls, class_of
from .frame import Frame
from .replacing import note_call, note_look
from .values import (
    ALLOC,
    CLASS,
    CONST,
    ITEM,
    LIB,
    NOTHING,
    OUTSIDE,
    PARAM,
    SCALAR,
    SLICE,
    TEXT,
    UNKNOWN,
    WINDOWS,
    Obj,
    Value,
    const,
    may_be_new,
    one,
    ordered,
)
from .world import object_of

Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
_LISTS = frozenset({"list", "tuple", "str", "bytes", "dict", "set"})
_OPERATORS = {**BINARY, **ORDER}


class Expressions:
    """Evaluates expressions in a frame."""

    def __init__(self, frame: Frame) -> None:
        self.frame = frame
        self.calls = Calls(frame)
        self.attributes = Attributes(frame, self.calls)
        self._methods: dict[type[ast.AST], Callable[..., Value]] = {
            ast.Constant: self._constant,
            ast.Name: self._name,
            ast.Attribute: self._attribute,
            ast.Subscript: self._subscript,
            ast.Call: self._call,
            ast.BinOp: self._binary,
            ast.UnaryOp: self._unary,
            ast.BoolOp: self._bool,
            ast.Compare: self._compare,
            ast.IfExp: self._conditional,
            ast.Lambda: self._lambda,
            ast.List: self._display,
            ast.Tuple: self._display,
            ast.Set: self._display,
            ast.Dict: self._dict,
            ast.ListComp: self._comprehension,
            ast.SetComp: self._comprehension,
            ast.GeneratorExp: self._comprehension,
            ast.DictComp: self._comprehension,
            ast.JoinedStr: self._joined,
            ast.FormattedValue: self._formatted,
            ast.NamedExpr: self._walrus,
            ast.Starred: self._starred,
            ast.Await: self._await,
            ast.Yield: self._yield,
            ast.YieldFrom: self._yield_from,
            ast.Slice: self._slice,
        }

    def value(self, node: ast.expr | None) -> Value:
        """What the expression may be."""
        if node is None:
            return NOTHING
        self.frame.spend(1)
        method = self._methods.get(type(node))
        if method is not None:
            return method(node)
        for child in ast.iter_child_nodes(node):  # kinds of expressions that are yet to come
            if isinstance(child, ast.expr):
                self.value(child)
        return SCALAR

    def items(self, value: Value, node: ast.AST) -> Value:
        """What a loop over the value gives."""
        found: set[Obj] = set()
        for obj in ordered(value):
            iterated = self.special(obj, "__iter__", [], node)
            if iterated is not None:
                for step in ("__next__",):
                    for inner in ordered(iterated):
                        found |= self.special(inner, step, [], node) or NOTHING
                found |= self.frame.load(iterated, ITEM)
                continue
            item = self.special(obj, "__getitem__", [SCALAR], node)
            if item is None:
                self.frame.walked(obj, node)
            found |= self.frame.load(one(obj), ITEM) if item is None else item
        return frozenset(found)

    def special(self, obj: Obj, name: str, arguments: list[Value], node: ast.AST) -> Value | None:
        """Calls a special method of a project's class, if the object is known to have it."""
        found: set[Obj] = set()
        called = False
        for type_name in ordered(self.frame.type_names(obj)):
            if ":" not in type_name:
                continue
            cls = class_of(self.frame.world.classes, type_name)
            if cls is not None and cls.find_method(name) is not None:
                called = True
                found |= self.calls.method(one(obj), name, Arguments(list(arguments)), node)
        return frozenset(found) if called else None

    # ---- names and parts -----------------------------------------------------------------------

    def _constant(self, node: ast.Constant) -> Value:
        return one(const(type(node.value).__name__))

    def _name(self, node: ast.Name) -> Value:
        return self.frame.lookup(node.id, node)

    def _attribute(self, node: ast.Attribute) -> Value:
        return self.attributes.load(self.value(node.value), node)

    def _subscript(self, node: ast.Subscript) -> Value:
        value = self.value(node.value)
        index = self.value(node.slice)
        if isinstance(node.slice, ast.Slice):
            return self._part(value, node)
        found: set[Obj] = set()
        for obj in ordered(value):
            if obj.kind in (CLASS, LIB):
                found.add(obj if not obj.name.startswith("os.environ") else const("str"))
                continue
            item = self.special(obj, "__getitem__", [index], node)
            if item is None:
                self._may_insert(obj, node)
            if self.frame.type_names(obj) & WINDOWS:
                found.add(obj)
            found |= self.frame.load(one(obj), ITEM) if item is None else item
        return frozenset(found)

    def _may_insert(self, obj: Obj, node: ast.Subscript) -> None:
        """A lookup puts something into a dict that has a value for what it lacks."""
        frame = self.frame
        if frame.world.has_inserting and isinstance(node.ctx, ast.Load) and obj.kind in OUTSIDE:
            types = frame.type_names(obj)
            if "collections.defaultdict" in types:
                frame.changed(obj, node, maybe=True)
            elif obj.kind == PARAM and types <= {"dict"}:
                frame.effect(kinds.LOOKS, obj, node)

    def _part(self, value: Value, node: ast.Subscript) -> Value:
        """A slice: a list of its own, or a window on an array."""
        frame = self.frame
        found: set[Obj] = set()
        for obj in ordered(value):
            types = frame.type_names(obj)
            if obj.kind == CONST or types & WINDOWS:
                found.add(obj)
                continue
            item = self.special(obj, "__getitem__", [SCALAR], node)
            if item is not None:
                found |= item
                continue
            made = frame.alloc(node, "list" if not types or "list" in types else "")
            frame.put(made, ITEM, frame.load(one(obj), ITEM))
            found.add(made)
            arrays = frame.module in frame.world.arrays
            whole = isinstance(node.slice, ast.Slice) and not (node.slice.lower or node.slice.upper)
            if obj.kind in OUTSIDE and arrays and not whole and not types & _LISTS:
                found.add(obj.reach(SLICE))
        return frozenset(found)

    def _slice(self, node: ast.Slice) -> Value:
        for part in (node.lower, node.upper, node.step):
            self.value(part)
        return SCALAR

    # ---- calls ---------------------------------------------------------------------------------

    def _call(self, node: ast.Call) -> Value:
        func = node.func
        if isinstance(func, ast.Name) and func.id == "super":
            return self._super_object()
        if isinstance(func, ast.Attribute):
            receiver = self.value(func.value)
            self._note_read(receiver, func)
            note_look(self.frame, receiver, func.attr, node)
            arguments = self._arguments(node)
            note_call(self.frame, node, arguments)
            if _is_in_place(node):
                for obj in ordered(receiver):
                    self.frame.changed(obj, node)
            return self.calls.method(receiver, func.attr, arguments, node)
        callees = self.value(func)
        arguments = self._arguments(node)
        note_call(self.frame, node, arguments)
        text = func.id if isinstance(func, ast.Name) else ""
        if not callees:
            return SCALAR if not text else NOTHING
        return self.calls.call(callees, arguments, node, text or _text(func))

    def _note_read(self, receiver: Value, func: ast.Attribute) -> None:
        """`sys.stdin` and the like, reached by a call: `sys.stdin.read()`."""
        for obj in ordered(receiver):
            if obj.kind == LIB:
                for member in self.frame.world.member(obj, func.attr):
                    kind = READ_AS_NAME.get(member.name)
                    if kind is not None:
                        self.frame.effect(kind, member, func)

    def _super_object(self) -> Value:
        function = self.frame.function
        while function.cls is None and function.parent is not None:
            function = function.parent
        if function.cls is None or isinstance(function.node, ast.Module):
            return one(Obj(UNKNOWN, "", "super()"))
        spec = function.node.args
        first = [argument.arg for argument in [*spec.posonlyargs, *spec.args]][:1]
        return one(Obj(SUPER, *function.cls.id, tuple(first)))

    def _arguments(self, node: ast.Call) -> Arguments:
        arguments = Arguments()
        for argument in node.args:
            if isinstance(argument, ast.Starred):
                arguments.rest |= self.items(self.value(argument.value), argument)
            elif arguments.rest:
                arguments.rest |= self.value(argument)
            else:
                arguments.positional.append(self.value(argument))
        for keyword in node.keywords:
            value = self.value(keyword.value)
            if keyword.arg is None:
                arguments.rest |= self.frame.load(value, ITEM)
            else:
                arguments.keywords[keyword.arg] = value
        return arguments

    # ---- operators -----------------------------------------------------------------------------

    def _binary(self, node: ast.BinOp) -> Value:
        left, right = self.value(node.left), self.value(node.right)
        name = _OPERATORS.get(type(node.op), "")
        return self.operate(left, right, f"__{name}__", f"__r{name}__", node)

    def operate(self, left: Value, right: Value, name: str, swapped: str, node: ast.AST) -> Value:
        """The result of an operator that makes something new."""
        found: set[Obj] = set()
        plain: set[Obj] = set()
        for own, other, method in ((left, right, name), (right, left, swapped)):
            for obj in ordered(own):
                result = None
                if obj.kind != CONST:
                    result = self.special(obj, method, [other], node)
                if result is not None:
                    found |= result
                else:
                    plain.add(obj)
        if all(obj.kind in (CONST, LIB) for obj in plain):
            text = any(obj.name == "str" for obj in plain)
            return frozenset(found) | (TEXT if text else SCALAR)
        types = {type_name for obj in plain for type_name in self.frame.type_names(obj)}
        kept = next((t for t in ("ndarray", "list", "pathlib.Path", "set") if t in types), "")
        made = self.frame.alloc(node, kept)
        self.frame.put(made, ITEM, self.frame.load(frozenset(plain), ITEM))
        return frozenset(found) | one(made)

    def _unary(self, node: ast.UnaryOp) -> Value:
        value = self.value(node.operand)
        if isinstance(node.op, ast.Not) or all(obj.kind == CONST for obj in value):
            return SCALAR
        return one(self.frame.alloc(node, ""))

    def _bool(self, node: ast.BoolOp) -> Value:
        return frozenset().union(*(self.value(part) for part in node.values))

    def _compare(self, node: ast.Compare) -> Value:
        left = self.value(node.left)
        for operator, comparator in zip(node.ops, node.comparators, strict=True):
            right = self.value(comparator)
            if isinstance(operator, (ast.In, ast.NotIn)):
                for obj in ordered(right):
                    if self.special(obj, "__contains__", [left], node) is None:
                        self.frame.walked(obj, node)
            elif type(operator) in _OPERATORS:
                name = f"__{_OPERATORS[type(operator)]}__"
                for obj in ordered(left):
                    self.special(obj, name, [right], node)
            left = right
        return SCALAR

    def _conditional(self, node: ast.IfExp) -> Value:
        self.value(node.test)
        return self.value(node.body) | self.value(node.orelse)

    # ---- what makes something new --------------------------------------------------------------

    def _lambda(self, node: ast.Lambda) -> Value:
        for default in [*node.args.defaults, *node.args.kw_defaults]:
            self.value(default)
        made = self.frame.function.inner.get(node)
        return one(object_of(made)) if made is not None else NOTHING

    def _display(self, node: ast.List | ast.Tuple | ast.Set) -> Value:
        made = self.frame.alloc(node, type(node).__name__.lower())
        for element in node.elts:
            self.frame.put(made, ITEM, self.value(element))
        return one(made)

    def _dict(self, node: ast.Dict) -> Value:
        made = self.frame.alloc(node, "dict")
        for key, element in zip(node.keys, node.values, strict=True):
            value = self.value(element)
            if key is None:
                value = self.frame.load(value, ITEM)
            self.value(key)
            self.frame.put(made, ITEM, value)
        return one(made)

    def _comprehension(self, node: Comprehension) -> Value:
        frame = self.frame
        before = dict(frame.env or {})
        own = {
            inner.id
            for generator in node.generators
            for inner in ast.walk(generator.target)
            if isinstance(inner, ast.Name)
        }
        for generator in node.generators:
            self.assign(generator.target, self.items(self.value(generator.iter), node), node, own)
            for condition in generator.ifs:
                self.value(condition)
        if isinstance(node, ast.DictComp):
            self.value(node.key)
            value = self.value(node.value)
        else:
            self.frame.dropped.add(node.elt)
            value = self.value(node.elt)
        type_name = {ast.ListComp: "list", ast.SetComp: "set", ast.DictComp: "dict"}
        made = frame.alloc(node, type_name.get(type(node), "iterator"))
        frame.put(made, ITEM, value)
        if frame.env is not None:
            for name in own:
                frame.env.pop(name, None)
                if name in before:
                    frame.env[name] = before[name]
        return one(made)

    def _joined(self, node: ast.JoinedStr) -> Value:
        for part in node.values:
            self.value(part)
        return TEXT

    def _formatted(self, node: ast.FormattedValue) -> Value:
        for obj in self.value(node.value):
            for name in ("__format__", "__str__", "__repr__"):
                arguments = [TEXT] if name == "__format__" else []
                if self.special(obj, name, arguments, node) is not None:
                    break
        self.value(node.format_spec)
        return TEXT

    def _walrus(self, node: ast.NamedExpr) -> Value:
        value = self.value(node.value)
        self.frame.bind(node.target.id, value, node)
        return value

    def _starred(self, node: ast.Starred) -> Value:
        return self.items(self.value(node.value), node)

    def _await(self, node: ast.Await) -> Value:
        return self.value(node.value)

    def _yield(self, node: ast.Yield) -> Value:
        self._yields(self.value(node.value))
        return one(Obj(UNKNOWN, "", "yield"))

    def _yield_from(self, node: ast.YieldFrom) -> Value:
        self._yields(self.items(self.value(node.value), node))
        return one(Obj(UNKNOWN, "", "yield"))

    def _yields(self, value: Value) -> None:
        self.frame.summary.returns.add(((), Obj(ALLOC, "", "iterator")))
        self.frame.summary.returns.update(((ITEM,), obj) for obj in value)

    # ---- targets -------------------------------------------------------------------------------

    def assign(
        self, target: ast.expr, value: Value, node: ast.AST, own: set[str] | None = None
    ) -> None:
        """Assigns to a target; names in `own` are a comprehension's."""
        frame = self.frame
        if isinstance(target, ast.Name):
            if own is not None and target.id in own:
                if frame.env is not None:
                    frame.env[target.id] = value
                if not frame.is_body:
                    frame.analysis.note_variable(frame.function.id, target.id, value)
            else:
                frame.bind(target.id, value, node)
        elif isinstance(target, (ast.Tuple, ast.List)):
            items = self.items(value, node)
            for element in target.elts:
                self.assign(element, items, node, own)
        elif isinstance(target, ast.Starred):
            made = frame.alloc(target, "list")
            frame.put(made, ITEM, value)
            self.assign(target.value, one(made), node, own)
        elif isinstance(target, ast.Attribute):
            self.attributes.store(self.value(target.value), target.attr, value, node)
        elif isinstance(target, ast.Subscript):
            holder, index = self.value(target.value), self.value(target.slice)
            before, frame.unsure = frame.unsure, frame.unsure or may_be_new(holder)
            for obj in ordered(holder):
                if self.special(obj, "__setitem__", [index, value], node) is None:
                    inside = value
                    if isinstance(target.slice, ast.Slice):
                        inside = frame.load(value, ITEM)
                    frame.store(one(obj), ITEM, inside, node)
            frame.unsure = before


def _is_in_place(node: ast.Call) -> bool:
    """Whether a method is told to change its object: `frame.dropna(inplace=True)`."""
    return any(
        one.arg == "inplace" and isinstance(one.value, ast.Constant) and one.value.value is True
        for one in node.keywords
    )


def _text(node: ast.expr) -> str:
    text = " ".join(ast.unparse(node).split())
    return text if len(text) < 40 else f"{text[:37]}..."
