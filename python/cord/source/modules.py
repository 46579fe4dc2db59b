"""The modules of a project, and what the text of each binds at its top level."""

from __future__ import annotations

import ast
import os
from collections.abc import Callable, Iterable

from .functions import FunctionNode, defined_once, is_method, is_plain
from .scope import bindings, import_bindings, imported_modules, own_nodes

Definition = FunctionNode | ast.ClassDef


class Module:
    """One source file, and what it binds.

    Args:
        name: The module's dotted name.
        path: Where the file is.
        tree: Its parsed text.
        package: The package that its relative imports start from.
        source: Its text.

    Attributes:
        size: How many nodes the tree has.
        wanted: The modules that it may import, wherever in it, in order.
        names: What imports bind, anywhere in the file: the dotted name, the last one counts.
        imports: What imports bind at top level, those of functions included that declare the name
            `global`: the dotted names.
        stars: The modules that all names are taken from.
        definitions: The functions and classes at top level by name, in order.
        functions: Those of the functions that have no decorators; the last one counts.
        methods: The methods of the classes there, as `Class.name`.
        classes: The classes there; the last one counts.
        lambdas: Names that are bound to one lambda, or one decorated function, and to nothing else,
            with its key.
        defined: All names that are bound at top level but by imports.
        assigned: Those that are, there or by functions that declare them `global`, and by something
            else than a definition.
        all_classes: The classes at any depth.
        stored: The names of attributes that are set, at any depth.
        served: Whether it is a remote module, whose own code calls its functions as they are.
    """

    def __init__(
        self, name: str, path: str, tree: ast.Module, package: str = "", source: bytes = b""
    ) -> None:
        self.name = name
        self.path = path
        self.tree = tree
        self.package = package
        self.source = source
        self.served = False
        self.size = 0
        self.names: dict[str, str] = {}
        self.imports: dict[str, list[str]] = {}
        self.stars: list[str] = []
        self.all_classes: list[ast.ClassDef] = []
        self.stored: set[str] = set()
        wanted: dict[str, None] = {}
        shared: set[str] = set()
        for node in ast.walk(tree):
            self.size += 1
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                wanted.update(dict.fromkeys(imported_modules(node, package)))
                self.names.update(import_bindings(node, package))
            elif isinstance(node, ast.ClassDef):
                self.all_classes.append(node)
            elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
                self.stored.add(node.attr)
            elif isinstance(node, ast.Global):
                shared.update(node.names)
        self.names.pop("*", None)
        self.wanted = list(wanted)
        self._define(shared)
        if not shared.isdisjoint(self.names):
            self._import_globals()

    def _define(self, shared: set[str]) -> None:
        """Note what the module's own code binds."""
        self.definitions: dict[str, list[Definition]] = {}
        self.functions: dict[str, ast.FunctionDef] = {}
        self.methods: dict[str, ast.FunctionDef] = {}
        self.classes: dict[str, ast.ClassDef] = {}
        for node in own_nodes(self.tree):
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                self._import(node)
            elif isinstance(node, Definition):
                self.definitions.setdefault(node.name, []).append(node)
            if isinstance(node, ast.FunctionDef) and is_plain(node):
                self.functions[node.name] = node
            elif isinstance(node, ast.ClassDef):
                self.classes[node.name] = node
                for inner in node.body:
                    if isinstance(inner, ast.FunctionDef) and is_method(inner):
                        self.methods[f"{node.name}.{inner.name}"] = inner
        once = defined_once(self.tree)
        self.lambdas = {n: key for n, key in once.items() if n not in self.functions}
        assigned, named, _ = bindings(self.tree)
        self.defined = frozenset(assigned | named | shared) - self.imports.keys()
        self.assigned = frozenset(assigned | shared)

    def _import_globals(self) -> None:
        """Note what functions import into the module."""
        for node in ast.walk(self.tree):
            if isinstance(node, FunctionNode):
                own = list(own_nodes(node))
                shared = {n for part in own if isinstance(part, ast.Global) for n in part.names}
                for part in own if shared else ():
                    if isinstance(part, (ast.Import, ast.ImportFrom)):
                        self._import(part, shared)

    def _import(self, node: ast.Import | ast.ImportFrom, only: set[str] | None = None) -> None:
        for name, dotted in import_bindings(node, self.package):
            if name == "*":
                self.stars.append(dotted)
            elif only is None or name in only:
                self.imports.setdefault(name, []).append(dotted)


def package_of(name: str, path: str) -> str:
    """The package that relative imports in a module's file start from."""
    is_package = os.path.basename(path) == "__init__.py"
    return name if is_package else name.rpartition(".")[0]


Find = Callable[[str], Module | None]
"""Finds a module of the project by its dotted name."""


class Modules:
    """All modules of a project, or those of a large one that are nearest to where it begins.

    Args:
        find: Finds the modules that others import, where they belong to the project.
        most: How many nodes their syntax trees may have before no further one is added; None for no
            bound.

    Attributes:
        named: The modules by name.
        is_whole: Whether all are here.
    """

    def __init__(self, find: Find, most: int | None = None) -> None:
        self.named: dict[str, Module] = {}
        self.is_whole = True
        self._find = find
        self._most = most
        self._size = 0

    def add(self, modules: Iterable[Module]) -> None:
        """Add modules, then what they import, the nearest first, as far as there is room."""
        waiting: list[str] = []
        for module in modules:
            self._add(module)
            waiting += module.wanted
        asked: set[str] = set()
        for name in waiting:
            if name in asked or name in self.named:
                continue
            asked.add(name)
            found = self._find(name)
            if found is None:
                continue
            if self._most is not None and self._size > self._most:
                self.is_whole = False
                return
            self._add(found)
            waiting += found.wanted

    def _add(self, module: Module) -> None:
        self.named[module.name] = module
        self._size += module.size
