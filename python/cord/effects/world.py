"""The modules that are analysed: their functions and classes, and what names stand for."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import islice

from cord.knowledge import outside
from cord.translate.scope import bound_names, outer_names, own_nodes

from .summary import FunctionId
from .values import CLASS, FUNC, GLOBAL, LIB, MODULE, NOTHING, UNKNOWN, Obj, Value, one, ordered

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
BODY = "<module>"
_BUILTINS = frozenset(dir(builtins))
_MAX_RE_EXPORTS = 8
MOST_NODES = 100_000  # of syntax trees; some twenty-five thousand lines


@dataclass(frozen=True, slots=True)
class Source:
    """One file to analyse.

    Attributes:
        name: Its module's name.
        path: Where it is.
        tree: Its parsed text.
        package: The package that its relative imports start from.
    """

    name: str
    path: str
    tree: ast.Module
    package: str = ""


Find = Callable[[str], Source | None]
"""Finds a module of the project by its dotted name."""


@dataclass(slots=True)
class Function:
    """A function, a method, a lambda, or a module's own code.

    Attributes:
        id: Module and qualified name.
        node: Its syntax.
        cls: The class whose method it is.
        parent: The function around it.
        locals: The names that it binds.
        globals: The names that it declares `global`.
        inner: The functions and classes defined in it, by their nodes.
    """

    id: FunctionId
    node: FunctionNode | ast.Module
    cls: Class | None = None
    parent: Function | None = None
    locals: set[str] = field(default_factory=set)
    globals: set[str] = field(default_factory=set)
    inner: dict[ast.AST, Obj] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """Its name as messages show it."""
        return self.id[1].rpartition("<locals>.")[2]

    @property
    def is_method(self) -> bool:
        """Whether its first parameter is the object or the class."""
        return self.cls is not None and "staticmethod" not in decorator_names(self.node)


@dataclass(slots=True)
class Class:
    """A class of the project.

    Attributes:
        id: Module and qualified name.
        node: Its syntax.
        methods: Its functions by name.
        attributes: What else its body assigns: the value's syntax.
    """

    id: FunctionId
    node: ast.ClassDef
    methods: dict[str, Function] = field(default_factory=dict)
    attributes: dict[str, ast.expr] = field(default_factory=dict)
    bases: list[Class] = field(default_factory=list)
    foreign: list[str] = field(default_factory=list)
    subclasses: list[Class] = field(default_factory=list)


@dataclass(slots=True)
class Module:
    """A module of the project; `names` are its functions, classes and imports at any depth."""

    source: Source
    names: dict[str, set[Obj]] = field(default_factory=dict)
    assigned: set[str] = field(default_factory=set)
    stars: list[str] = field(default_factory=list)
    uses_arrays: bool = False


class World:
    """All modules of a project, or those of a large one that are nearest to where it begins.

    Args:
        sources: The modules to begin with.
        find: Finds the modules that those import, where they belong to the project.
        most: How many nodes their syntax trees may have before no further one is added.

    Attributes:
        is_whole: Whether all are here; what others have counts as a library's that is not known.
    """

    def __init__(self, sources: list[Source], find: Find, most: int = MOST_NODES) -> None:
        self.modules: dict[str, Module] = {}
        self.functions: dict[FunctionId, Function] = {}
        self.classes: dict[FunctionId, Class] = {}
        self.methods: dict[str, list[Function]] = {}
        self.is_whole = True
        self._nodes = 0
        wanted: dict[str, None] = {}
        for source in sources:
            if source.name not in self.modules:
                wanted |= self._load(source)
        self._load_wanted(list(wanted), find, most)
        for cls in self.classes.values():
            self._link_bases(cls)

    def body(self, module: str) -> Function:
        """The code of a module that runs when it is imported."""
        return self.functions[module, BODY]

    # ---- loading -------------------------------------------------------------------------------

    def _load_wanted(self, waiting: list[str], find: Find, most: int) -> None:
        """Adds what is imported, the nearest first, as far as there is room."""
        asked = set(waiting)
        for name in waiting:
            if name in self.modules:
                continue
            source = find(name)
            if source is None:
                continue
            if self._nodes > most:
                self.is_whole = False
                return
            new = [one for one in self._load(source) if one not in asked]
            asked.update(new)
            waiting += new

    def _load(self, source: Source) -> dict[str, None]:
        """Adds a module; returns the modules that it may import."""
        module = Module(source)
        self.modules[source.name] = module
        known = len(self.functions)
        wanted: list[str] = []
        body = Function((source.name, BODY), source.tree)
        body.locals = bound_names(source.tree)
        self.functions[body.id] = body
        package = source.package
        for node in ast.walk(source.tree):
            self._nodes += 1
            if isinstance(node, ast.Import):
                wanted += [prefix for alias in node.names for prefix in _prefixes(alias.name)]
            elif isinstance(node, ast.ImportFrom):
                base = absolute(node, package)
                wanted += _prefixes(base)
                wanted += [f"{base}.{alias.name}" for alias in node.names if alias.name != "*"]
        for node in own_nodes(source.tree):
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                module.stars += self._bind_import(node, package, module.names)
        module.uses_arrays = any(name.partition(".")[0] in _ARRAYS for name in wanted)
        self._add_inner(body, "")
        for node in body.inner:
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                module.names.setdefault(node.name, set()).add(body.inner[node])
        stored = {
            node.id
            for node in own_nodes(source.tree)
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
        }
        for function in islice(self.functions.values(), known, None):
            stored |= function.globals
        module.assigned = stored
        return dict.fromkeys(wanted)

    def _add_inner(self, outer: Function, prefix: str) -> None:
        """Adds the functions and classes defined inside a function or a module."""
        for node in _scopes_in(outer.node):
            if isinstance(node, ast.ClassDef):
                outer.inner[node] = self._add_class(node, outer, prefix)
            else:
                outer.inner[node] = self._add_function(node, outer, prefix, None)

    def _add_function(
        self, node: FunctionNode, outer: Function, prefix: str, cls: Class | None
    ) -> Obj:
        name = "<lambda>" if isinstance(node, ast.Lambda) else node.name
        qualified = prefix + name
        while (outer.id[0], qualified) in self.functions:
            qualified += "'"  # defined twice, or a lambda
        function = Function((outer.id[0], qualified), node, cls)
        function.parent = None if isinstance(outer.node, ast.Module) else outer
        function.globals = {
            name
            for inner in own_nodes(node)
            if isinstance(inner, ast.Global)
            for name in inner.names
        }
        function.locals = bound_names(node) - outer_names(node)
        self.functions[function.id] = function
        if cls is not None:
            self.methods.setdefault(name, []).append(function)
        self._add_inner(function, f"{qualified}.<locals>.")
        return Obj(FUNC, *function.id)

    def _add_class(self, node: ast.ClassDef, outer: Function, prefix: str) -> Obj:
        qualified = prefix + node.name
        while (outer.id[0], qualified) in self.classes:
            qualified += "'"
        cls = Class((outer.id[0], qualified), node)
        self.classes[cls.id] = cls
        for inner in _scopes_in(node):
            if isinstance(inner, ast.ClassDef):
                outer.inner[inner] = self._add_class(inner, outer, f"{qualified}.")
                continue
            made = self._add_function(inner, outer, f"{qualified}.", cls)
            outer.inner[inner] = made
            if not isinstance(inner, ast.Lambda):
                cls.methods.setdefault(inner.name, self.functions[made.owner, made.name])
        is_record = "dataclass" in decorator_names(node)
        for statement in node.body:
            if isinstance(statement, ast.Assign):
                for target in statement.targets:
                    if isinstance(target, ast.Name):
                        cls.attributes[target.id] = statement.value
            elif isinstance(statement, ast.AnnAssign) and statement.value is not None:
                if is_record and "ClassVar" not in ast.unparse(statement.annotation):
                    continue  # the default of a field, which each object has of its own
                cls.attributes[ast.unparse(statement.target)] = statement.value
        return Obj(CLASS, *cls.id)

    def _bind_import(
        self, node: ast.Import | ast.ImportFrom, package: str, names: dict[str, set[Obj]]
    ) -> list[str]:
        """Binds what an import binds; returns the modules that it takes all names of."""
        if isinstance(node, ast.Import):
            for alias in node.names:
                bound = alias.asname or alias.name.partition(".")[0]
                whole = alias.name if alias.asname else bound
                names.setdefault(bound, set()).add(Obj(MODULE, "", whole))
            return []
        base = absolute(node, package)
        stars = []
        for alias in node.names:
            if alias.name == "*":
                stars.append(base)
            else:
                found = Obj(MODULE, "", f"{base}.{alias.name}")
                names.setdefault(alias.asname or alias.name, set()).add(found)
        return stars

    def _link_bases(self, cls: Class) -> None:
        for base in cls.node.bases:
            expression = base.value if isinstance(base, ast.Subscript) else base
            for found in ordered(self.resolve(cls.id[0], expression)):
                if found.kind == CLASS and (found.owner, found.name) != cls.id:
                    parent = self.classes[found.owner, found.name]
                    cls.bases.append(parent)
                    parent.subclasses.append(cls)
                elif found.kind != CLASS:
                    cls.foreign.append(found.name)
        if any(keyword.arg == "metaclass" for keyword in cls.node.keywords):
            metaclass = next(k.value for k in cls.node.keywords if k.arg == "metaclass")
            cls.foreign += [f.name for f in self.resolve(cls.id[0], metaclass) if f.kind != CLASS]

    # ---- what names mean -----------------------------------------------------------------------

    def local_import(
        self, function: Function, node: ast.Import | ast.ImportFrom
    ) -> dict[str, Value]:
        """What an import inside a function binds."""
        names: dict[str, set[Obj]] = {}
        source = self.modules[function.id[0]].source
        self._bind_import(node, source.package, names)
        return {
            name: frozenset().union(*(self.whole(found.name) for found in objects))
            for name, objects in names.items()
        }

    def resolve(self, module: str, expression: ast.expr) -> Value:
        """What a dotted name means at a module's top level."""
        if isinstance(expression, ast.Name):
            return self.global_name(module, expression.id)
        if isinstance(expression, ast.Attribute):
            found: set[Obj] = set()
            for obj in self.resolve(module, expression.value):
                found |= self.member(obj, expression.attr)
            return frozenset(found)
        return NOTHING

    def global_name(self, module: str, name: str, depth: int = 0) -> Value:
        """What a name means at a module's top level: a variable is a GLOBAL."""
        here = self.modules[module]
        found: set[Obj] = set()
        for obj in here.names.get(name, ()):
            found |= self.whole(obj.name, depth + 1) if obj.kind == MODULE else {obj}
        if name in here.assigned or (name.startswith("__") and name not in _BUILTINS):
            found.add(Obj(GLOBAL, module, name))
        if found or depth > _MAX_RE_EXPORTS:
            return frozenset(found)
        for star in here.stars:
            if star in self.modules:
                found |= {
                    obj
                    for obj in self.global_name(star, name, depth + 1)
                    if not obj.name.startswith("builtins.")
                }
            elif outside.find(f"{star}.{name}") is not None and name not in _BUILTINS:
                found.add(Obj(LIB, "", f"{star}.{name}"))
        if found:
            return frozenset(found)
        if name in _BUILTINS:
            return one(Obj(LIB, "", f"builtins.{name}"))
        return one(Obj(UNKNOWN, "", name))

    def whole(self, dotted: str, depth: int = 0) -> Value:
        """What a dotted name as imported means: a module, something in one, or of a library."""
        if dotted in self.modules:
            return one(Obj(MODULE, "", dotted))
        module, _, name = dotted.rpartition(".")
        if module in self.modules and depth <= _MAX_RE_EXPORTS:
            return self.global_name(module, name, depth)
        if module and module.partition(".")[0] in self.modules and depth <= _MAX_RE_EXPORTS:
            found: set[Obj] = set()
            for obj in self.whole(module, depth + 1):
                found |= self.member(obj, name, depth + 1)
            return frozenset(found)
        return one(Obj(LIB, "", dotted))

    def member(self, obj: Obj, name: str, depth: int = 0) -> Value:
        """What `obj.name` means where `obj` is a module, a class or of a library."""
        if obj.kind == MODULE:
            return self.whole(f"{obj.name}.{name}", depth)
        if obj.kind in (LIB, UNKNOWN):
            return one(Obj(obj.kind, "", f"{obj.name}.{name}"))
        if obj.kind == CLASS:
            cls = self.classes[obj.owner, obj.name]
            method = self.find_method(cls, name)
            if method is not None:
                return one(Obj(FUNC, *method.id))
            inner = self.classes.get((obj.owner, f"{obj.name}.{name}"))
            if inner is not None:
                return one(Obj(CLASS, *inner.id))
            holder = self.find_attribute(cls, name)
            if holder is not None:
                return one(Obj(GLOBAL, holder.id[0], f"{holder.id[1]}.{name}"))
        return NOTHING

    def lineage(self, cls: Class) -> Iterator[Class]:
        """A class and its ancestors in the project, nearest first."""
        seen: set[FunctionId] = set()
        waiting = [cls]
        while waiting:
            here = waiting.pop(0)
            if here.id not in seen:
                seen.add(here.id)
                yield here
                waiting = [*here.bases, *waiting]

    def find_method(self, cls: Class, name: str) -> Function | None:
        """The method that objects of exactly this class have."""
        return next((c.methods[name] for c in self.lineage(cls) if name in c.methods), None)

    def overriding(self, cls: Class, name: str) -> list[Function]:
        """The methods of that name in classes derived from this one."""
        found: list[Function] = []
        waiting = list(cls.subclasses)
        seen: set[FunctionId] = set()
        while waiting:
            here = waiting.pop()
            if here.id not in seen:
                seen.add(here.id)
                found += [here.methods[name]] if name in here.methods else []
                waiting += here.subclasses
        return found

    def find_attribute(self, cls: Class, name: str) -> Class | None:
        """The class in the lineage whose body assigns the name."""
        return next((c for c in self.lineage(cls) if name in c.attributes), None)

    def ancestry(self, cls: Class) -> set[str]:
        """The library classes that a class derives from, by dotted name."""
        return {name for c in self.lineage(cls) for name in c.foreign}


_ARRAYS = frozenset({"numpy", "array", "scipy", "pandas", "torch", "cupy", "jax"})


def absolute(node: ast.ImportFrom, package: str) -> str:
    """The module that a `from ... import` names."""
    if node.level == 0:
        return node.module or ""
    parts = package.split(".")
    base = ".".join(parts[: len(parts) - node.level + 1])
    return f"{base}.{node.module}" if node.module and base else node.module or base


def decorator_names(node: ast.AST) -> list[str]:
    """The last parts of a function's decorators: ["lru_cache", "staticmethod"]."""
    names = []
    for decorator in getattr(node, "decorator_list", ()):
        callee = decorator.func if isinstance(decorator, ast.Call) else decorator
        names.append(callee.attr if isinstance(callee, ast.Attribute) else ast.unparse(callee))
    return names


def _prefixes(dotted: str) -> list[str]:
    parts = dotted.split(".")
    return [".".join(parts[:end]) for end in range(1, len(parts) + 1)]


def _scopes_in(scope: ast.AST) -> Iterator[ast.ClassDef | FunctionNode]:
    """Functions, lambdas and classes right inside a scope, those in decorators and defaults too."""
    stack: list[ast.AST] = []
    if isinstance(scope, ast.Lambda):
        stack.append(scope.body)
    else:
        stack.extend(reversed(getattr(scope, "body", ())))
    while stack:
        node = stack.pop()
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)):
            yield node
            if isinstance(node, ast.ClassDef):
                stack.extend([*node.decorator_list, *node.bases])
            else:
                stack.extend(d for d in [*node.args.defaults, *node.args.kw_defaults] if d)
                stack.extend(getattr(node, "decorator_list", ()))
            continue
        stack.extend(reversed(list(ast.iter_child_nodes(node))))
