"""Attributes: of modules, of classes, of objects; properties and methods as values."""

from __future__ import annotations

import ast

from cord.knowledge import objects
from cord.source.definitions import decorator_names

from . import summary as kinds
from .arguments import Arguments
from .calls import METHOD, Calls, class_of
from .replacing import note_look, note_namespace
from .values import (
    ALLOC,
    BOUND,
    CLASS,
    CONST,
    FUNC,
    GLOBAL,
    LIB,
    MODULE,
    NOTHING,
    SCALAR,
    TEXT,
    UNKNOWN,
    WINDOWS,
    Obj,
    Value,
    may_be_new,
    one,
    ordered,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .frame import Frame

_PARENTS = frozenset({"parent", "parents"})  # a path like the one that has it
_PROPERTIES = frozenset({"property", "cached_property", "abstractproperty"})


class Attributes:
    """Reads and writes attributes in a frame."""

    def __init__(self, frame: Frame, calls: Calls) -> None:
        self._frame = frame
        self._calls = calls

    def load(self, value: Value, node: ast.Attribute) -> Value:
        """What `value.attr` may be."""
        found: set[Obj] = set()
        for obj in ordered(value):
            found |= self._of(obj, node)
        return frozenset(found)

    def store(self, holder: Value, name: str, value: Value, node: ast.AST) -> None:
        """Stores an attribute, through a property's setter where there is one."""
        frame = self._frame
        before, frame.unsure = frame.unsure, frame.unsure or may_be_new(holder)
        for obj in ordered(holder):
            setters = [
                function
                for function in frame.world.methods.get(name, ())
                if "setter" in decorator_names(function.node)
            ]
            if setters and obj.kind not in (MODULE, LIB, CLASS):
                for function in setters:
                    self._calls.call(self._bound(obj, function.id), Arguments([value]), node, name)
                continue
            frame.store(one(obj), f".{name}", value, node)
        frame.unsure = before

    def _of(self, obj: Obj, node: ast.Attribute) -> Value:
        """What `obj.attr` may be."""
        frame, name = self._frame, node.attr
        if name == "__dict__":
            note_namespace(frame, obj, node)
        if obj.kind in (MODULE, LIB, CLASS):
            return self._member(obj, node)
        if obj.kind == FUNC:
            note_look(frame, one(obj), name, node)
            if not name.startswith("__"):
                frame.effect(kinds.READS, Obj(GLOBAL, obj.owner, f"{obj.name}.{name}"), node)
            return one(Obj(UNKNOWN, "", name))
        if obj.kind == CONST:
            return SCALAR
        types = frame.type_names(obj)
        if types & WINDOWS or (name in _PARENTS and "pathlib.Path" in types):
            return one(obj)
        found: set[Obj] = set()
        known = False
        for type_name in ordered(types):
            if ":" in type_name:
                value = self._of_class(obj, type_name, node)
                known = known or value is not None
                found |= value or NOTHING
        if name == "__class__":
            return self._class_of(types)
        if not types:
            found |= self._guessed(obj, node)
        if known:
            return frozenset(found) | frozenset(frame.heap.get(obj, {}).get(f".{name}", ()))
        loaded = frame.load(one(obj), f".{name}")
        if not loaded and obj.kind == ALLOC and objects.by_name(name) is not None:
            found.add(self._bound_builtin(obj, node))
        return frozenset(found) | loaded

    def _class_of(self, types: set[str]) -> Value:
        names = [name.partition(":") for name in types if ":" in name]
        return frozenset(Obj(CLASS, module, name) for module, _, name in names) or SCALAR

    def _bound_builtin(self, obj: Obj, node: ast.Attribute) -> Obj:
        """`out.append` as a value."""
        bound = self._frame.alloc(node, METHOD + node.attr)
        self._frame.put(bound, "$self", one(obj))
        return bound

    def _member(self, obj: Obj, node: ast.Attribute) -> Value:
        found: set[Obj] = set()
        for member in self._frame.world.member(obj, node.attr):
            found |= self._frame.read_global(member, node)
        return frozenset(found) or one(Obj(UNKNOWN, "", f"{obj.name}.{node.attr}"))

    def _of_class(self, obj: Obj, type_name: str, node: ast.Attribute) -> Value | None:
        """A property, a method or a class's attribute; None where it is the object's own."""
        world, name = self._frame.world, node.attr
        cls = class_of(world.classes, type_name)
        if cls is None:
            return None
        method = cls.find_method(name)
        if method is not None:
            if _PROPERTIES & set(decorator_names(method.node)):
                return self._calls.method(one(obj), name, Arguments(), node)
            return self._bound(obj, method.id)
        holder = cls.find_attribute(name)
        if holder is not None:
            variable = Obj(GLOBAL, holder.id[0], f"{holder.id[1]}.{name}")
            stored = self._frame.analysis.field_values(
                type_name, f".{name}", self._frame.function.id
            )
            return self._frame.read_global(variable, node) if not stored else None
        if cls.find_method("__getattr__") is not None:
            stored = self._frame.analysis.field_values(
                type_name, f".{name}", self._frame.function.id
            )
            if not stored:
                return self._calls.method(one(obj), "__getattr__", Arguments([TEXT]), node)
        return None

    def _guessed(self, obj: Obj, node: ast.Attribute) -> Value:
        """Properties that some class of the project has under that name."""
        found: set[Obj] = set()
        for function in self._frame.world.methods.get(node.attr, ()):
            if _PROPERTIES & set(decorator_names(function.node)):
                found |= self._calls.method(one(obj), node.attr, Arguments(), node)
                break
            if objects.by_name(node.attr) is None:
                found |= self._bound(obj, function.id)
        return frozenset(found)

    def _bound(self, obj: Obj, function: tuple[str, str]) -> Value:
        bound = Obj(BOUND, *function)
        self._frame.put(bound, "$self", one(obj))
        return one(bound)
