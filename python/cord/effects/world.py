"""What the analysis asks of a project's text, in its own terms: what names stand for, as values."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from cord.knowledge import outside
from cord.source import names
from cord.source.definitions import Class, Definitions, Function, Named
from cord.source.modules import Find, Module, Modules
from cord.source.names import Found, Names
from cord.source.scope import import_bindings

from .values import CLASS, FUNC, GLOBAL, LIB, MODULE, NOTHING, UNKNOWN, Obj, Value

MOST_NODES = 100_000  # of syntax trees; some twenty-five thousand lines
_ARRAYS = frozenset({"numpy", "array", "scipy", "pandas", "torch", "cupy", "jax"})
_KINDS = {MODULE: names.MODULE, LIB: names.LIBRARY, UNKNOWN: names.UNSEEN}


class World:
    """All modules of a project, or those of a large one that are nearest to where it begins.

    Args:
        modules: The modules to begin with.
        find: Finds the modules that those import, where they belong to the project.
        most: How many nodes their syntax trees may have before no further one is added.

    Attributes:
        is_whole: Whether all are here; what others have counts as a library's that is not known.
        arrays: The modules that may import a library of arrays.
        has_inserting: Whether there are dicts that put something in when it is looked up.
    """

    def __init__(self, modules: list[Module], find: Find, most: int = MOST_NODES) -> None:
        loaded = Modules(find, most)
        loaded.add(modules)
        self.modules = loaded.named
        self.is_whole = loaded.is_whole
        self.definitions = Definitions(Names(self.modules))
        self.functions = self.definitions.functions
        self.classes = self.definitions.classes
        self.methods = self.definitions.methods
        self.has_inserting = any(_has_inserting(module.tree) for module in self.modules.values())
        self.arrays = {
            name
            for name, module in self.modules.items()
            if any(wanted.partition(".")[0] in _ARRAYS for wanted in module.wanted)
        }

    def local_import(
        self, function: Function, node: ast.Import | ast.ImportFrom
    ) -> dict[str, Value]:
        """What an import inside a function binds."""
        package = self.modules[function.id[0]].package
        found: dict[str, Value] = {}
        for name, dotted in import_bindings(node, package):
            if name != "*":
                meant = self._value(self.definitions.dotted(dotted))
                found[name] = found.get(name, NOTHING) | meant
        return found

    def resolve(self, module: str, expression: ast.expr) -> Value:
        """What a dotted name means at a module's top level."""
        return self._value(self.definitions.resolve(module, expression))

    def global_name(self, module: str, name: str) -> Value:
        """What a name means at a module's top level: a variable is a GLOBAL."""
        return self._value(self.definitions.of(module, name))

    def member(self, obj: Obj, name: str) -> Value:
        """What `obj.name` means where `obj` is a module, a class or of a library."""
        if obj.kind == CLASS:
            return self._value(self.definitions.member(self.classes[obj.owner, obj.name], name))
        if obj.kind not in _KINDS:
            return NOTHING
        return self._value(self.definitions.member(Found(_KINDS[obj.kind], "", obj.name), name))

    def _value(self, found: Iterable[Named]) -> Value:
        return frozenset(self._object(one) for one in found)

    def _object(self, found: Named) -> Obj:
        if not isinstance(found, Found):
            return object_of(found)
        kind, module, name = found.kind, found.module, found.name
        if kind == names.MODULE:
            return Obj(MODULE, "", name)
        if kind == names.VARIABLE:
            return Obj(GLOBAL, module, name)
        if kind == names.LIBRARY:
            return Obj(LIB, "", name)
        if kind == names.BUILTIN:
            return Obj(LIB, "", f"builtins.{name}")
        dotted = f"{module}.{name}"
        if module in self.modules or outside.find(dotted) is None:
            return Obj(UNKNOWN, "", name)
        return Obj(LIB, "", dotted)  # by `from math import *`


def _has_inserting(tree: ast.Module) -> bool:
    for node in ast.walk(tree):
        if isinstance(node, ast.alias) and node.name == "defaultdict":
            return True
        if isinstance(node, ast.Attribute) and node.attr == "defaultdict":
            return True
        if isinstance(node, ast.FunctionDef) and node.name == "__missing__":
            return True
    return False


def object_of(made: Function | Class) -> Obj:
    """A function or class of the project as a value."""
    return Obj(CLASS if isinstance(made, Class) else FUNC, *made.id)
