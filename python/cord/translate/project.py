"""The project: the program, the modules of its own that it imports, and what their names mean.

Only files beside the program (its folder and below) belong to the project; everything else is a
library. Nothing is imported or run here.
"""

from __future__ import annotations

import ast
import os
from collections.abc import Container, Iterator
from dataclasses import dataclass, field

from . import pure
from .scope import bound_names, own_nodes

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef
# a method with such a name is not told from a builtin type's by its name
_BUILTIN_METHODS = pure.METHOD_NAMES | pure.MUTATOR_NAMES
MAIN = "__main__"


@dataclass(slots=True)
class Module:
    """One source file of the project.

    `names` maps what imports bind, anywhere in the file, to dotted names as imported; `functions`
    are the plain functions at top level, `methods` those of classes there (as `Class.name`): what a
    scout may enter.
    """

    name: str
    path: str
    source: bytes
    tree: ast.Module
    package: str
    names: dict[str, str] = field(default_factory=dict)
    stars: list[str] = field(default_factory=list)
    functions: dict[str, ast.FunctionDef] = field(default_factory=dict)
    methods: dict[str, ast.FunctionDef] = field(default_factory=dict)
    defined: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a callee's name stands for: kind is remote, project, method, library or builtin.

    A method is known by its name alone; which class's it is shows at run time.
    """

    kind: str
    module: str
    name: str

    @property
    def dotted(self) -> str:
        return f"{self.module}.{self.name}" if self.module else self.name


@dataclass(frozen=True, slots=True)
class Remote:
    """A remote module as the translator sees it.

    `functions` are the names that are remote; `ahead` those that may be called ahead of time.
    """

    functions: Container[str]
    ahead: Container[str]


class Project:
    """All source of the program that Cord reads, with name resolution over it.

    Args:
        program: Path of the main script.
        remote: The remote modules by name.
        assume_pure: Dotted names that the user declares free of effects.

    Raises:
        SyntaxError: The program itself cannot be parsed (modules it imports that cannot are left
            out: their import fails where the program performs it).
    """

    def __init__(
        self, program: str, remote: dict[str, Remote], assume_pure: frozenset[str]
    ) -> None:
        self.root = os.path.dirname(os.path.realpath(program))
        self.remote = remote
        self.assume_pure = assume_pure
        self.modules: dict[str, Module] = {}
        self._reaching: set[tuple[str, str]] = set()
        self._methods: dict[str, list[tuple[str, str]]] = {}
        with open(program, "rb") as file:
            source = file.read()
        self._load(MAIN, os.path.abspath(program), source, "")
        self._find_reaching()

    # ---- loading -------------------------------------------------------------------------------

    def _load(self, name: str, path: str, source: bytes, package: str) -> None:
        tree = ast.parse(source, path)
        module = Module(name, path, source, tree, package)
        self.modules[name] = module
        wanted: list[str] = []
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                for alias in node.names:
                    bound = alias.asname or alias.name.partition(".")[0]
                    module.names[bound] = alias.name if alias.asname else bound
                    wanted.append(alias.name)
            elif isinstance(node, ast.ImportFrom):
                base = _absolute(node, package)
                wanted.append(base)
                for alias in node.names:
                    if alias.name == "*":
                        module.stars.append(base)
                        continue
                    module.names[alias.asname or alias.name] = f"{base}.{alias.name}"
                    wanted.append(f"{base}.{alias.name}")
        for statement in own_nodes(tree):
            if isinstance(statement, ast.FunctionDef) and _is_plain(statement):
                module.functions[statement.name] = statement
            elif isinstance(statement, ast.ClassDef):
                for inner in statement.body:
                    if isinstance(inner, ast.FunctionDef) and _is_plain(inner):
                        module.methods[f"{statement.name}.{inner.name}"] = inner
        module.defined = frozenset(bound_names(tree)) - module.names.keys()
        for dotted in wanted:
            for prefix in _prefixes(dotted):
                self._load_import(prefix)

    def _load_import(self, name: str) -> None:
        if name in self.modules or name in self.remote:
            return
        stem = os.path.join(self.root, *name.split("."))
        for path, package in (
            (os.path.join(stem, "__init__.py"), name),
            (stem + ".py", name.rpartition(".")[0]),
        ):
            try:
                with open(path, "rb") as file:
                    source = file.read()
                self._load(name, path, source, package)
            except (OSError, SyntaxError, ValueError):
                self.modules.pop(name, None)
                continue
            return

    def is_remote(self, module: Module, name: str) -> bool:
        """Whether a name at the top level of a module is a remote function of its own."""
        return module.name in self.remote and name in self.remote[module.name].functions

    # ---- what names mean -----------------------------------------------------------------------

    def meaning(
        self, module: Module, func: ast.expr, local: dict[str, str | None]
    ) -> Meaning | None:
        """What the callee `func` stands for, or None where that is not known from the text.

        Args:
            module: The module in which the expression stands.
            func: The callee's expression.
            local: Names bound in the functions around: to a dotted name by an import, else None.
        """
        parts: list[str] = []
        while isinstance(func, ast.Attribute):
            parts.append(func.attr)
            func = func.value
        if not isinstance(func, ast.Name):
            return None
        parts.reverse()
        if func.id in local:
            bound = local[func.id]
            return None if bound is None else self._dotted(".".join([bound, *parts]), 0)
        return self._global(module, func.id, parts, 0)

    def _global(self, module: Module, name: str, parts: list[str], depth: int) -> Meaning | None:
        if depth > 8:
            return None
        if name in module.names:
            return self._dotted(".".join([module.names[name], *parts]), depth)
        if self.is_remote(module, name):
            return None if parts else Meaning("remote", module.name, name)
        if name in module.functions and not parts:
            return Meaning("project", module.name, name)
        if name in module.defined:
            return None
        for star in module.stars:
            found = self._dotted(".".join([star, name, *parts]), depth)
            if found is not None and found.kind != "library":
                return found
        if module.stars or parts:
            return None
        return Meaning("builtin", "", name)

    def _dotted(self, dotted: str, depth: int) -> Meaning | None:
        for prefix in _prefixes(dotted):
            rest = dotted[len(prefix) + 1 :].split(".")
            if prefix in self.remote:
                if len(rest) == 1 and rest[0] in self.remote[prefix].functions:
                    return Meaning("remote", prefix, rest[0])
                return None
            if prefix in self.modules:
                if f"{prefix}.{rest[0]}" in self.modules or f"{prefix}.{rest[0]}" in self.remote:
                    continue
                found = self._global(self.modules[prefix], rest[0], rest[1:], depth + 1)
                return None if found is not None and found.kind == "builtin" else found
        module, _, name = dotted.rpartition(".")
        return Meaning("library", module, name) if module else None

    # ---- which functions of the project lead to remote calls -----------------------------------

    def reaches_remote(self, meaning: Meaning | None) -> bool:
        """Whether a call of this leads, directly or through helpers, to a remote call."""
        if meaning is None:
            return False
        return any(candidate in self._reaching for candidate in self.candidates(meaning))

    def candidates(self, meaning: Meaning) -> list[tuple[str, str]]:
        """The functions of the project that a call of this may run, as (module, name in it)."""
        if meaning.kind == "project":
            return [(meaning.module, meaning.name)]
        if meaning.kind == "method":
            return self._methods.get(meaning.name, [])
        return []

    def function(self, module: str, name: str) -> ast.FunctionDef:
        """The definition of one of the `candidates`."""
        source = self.modules[module]
        return source.methods[name] if "." in name else source.functions[name]

    def method(self, func: ast.expr) -> Meaning | None:
        """The meaning of `x.name` where classes of the project have a method `name`."""
        if isinstance(func, ast.Attribute) and func.attr in self._methods:
            return Meaning("method", "", func.attr)
        return None

    def _find_reaching(self) -> None:
        for module in self.modules.values():
            for name in module.methods:
                method = name.partition(".")[2]
                if method not in _BUILTIN_METHODS:
                    self._methods.setdefault(method, []).append((module.name, name))
        calls: dict[tuple[str, str], set[tuple[str, str]]] = {}
        for module in self.modules.values():
            for name, node in [*module.functions.items(), *module.methods.items()]:
                if self.is_remote(module, name):
                    continue  # its calls are made in the replica
                key = (module.name, name)
                called = calls.setdefault(key, set())
                for meaning in self._called(module, node):
                    if meaning.kind == "remote":
                        self._reaching.add(key)
                    called.update(self.candidates(meaning))
        changed = True
        while changed:
            changed = False
            for key, called in calls.items():
                if key not in self._reaching and called & self._reaching:
                    self._reaching.add(key)
                    changed = True

    def _called(self, module: Module, node: ast.FunctionDef) -> Iterator[Meaning]:
        local = local_names(node)
        for inner in ast.walk(node):
            if isinstance(inner, ast.Call):
                meaning = self.meaning(module, inner.func, local) or self.method(inner.func)
                if meaning is not None:
                    yield meaning


def local_names(node: FunctionNode | ast.Lambda) -> dict[str, str | None]:
    """The names a function binds: what an import inside it binds to its dotted name, else None."""
    local: dict[str, str | None] = {name: None for name in bound_names(node)}
    for inner in own_nodes(node):
        if isinstance(inner, ast.Import):
            for alias in inner.names:
                bound = alias.asname or alias.name.partition(".")[0]
                local[bound] = alias.name if alias.asname else bound
        elif isinstance(inner, ast.ImportFrom) and inner.level == 0:
            for alias in inner.names:
                local[alias.asname or alias.name] = f"{inner.module}.{alias.name}"
    return local


def _absolute(node: ast.ImportFrom, package: str) -> str:
    if node.level == 0:
        return node.module or ""
    parts = package.split(".")
    base = ".".join(parts[: len(parts) - node.level + 1])
    return f"{base}.{node.module}" if node.module and base else node.module or base


def _prefixes(dotted: str) -> list[str]:
    """`a.b.c` → `a.b.c`, `a.b`, `a`: longest first."""
    parts = dotted.split(".")
    return [".".join(parts[:end]) for end in range(len(parts), 0, -1)]


def _is_plain(node: ast.FunctionDef) -> bool:
    if node.decorator_list:
        return False
    return not any(isinstance(inner, (ast.Yield, ast.YieldFrom)) for inner in own_nodes(node))
