"""The functions and classes of a project at any depth, and how its classes are derived."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from cord.source.records import dataclass, field

from . import functions, names
from .modules import Module
from .names import Found, Names
from .scope import LEAVES, bindings, global_names

FunctionNode = functions.FunctionNode | ast.Lambda
FunctionId = tuple[str, str]
"""Module and qualified name."""

BODY = "<module>"


@dataclass(eq=False, slots=True)
class Function:
    """A function, a method, a lambda, or a module's own code.

    Attributes:
        id: Module and qualified name.
        node: Its syntax.
        cls: The class whose method it is.
        parent: The function around it.
        inner: The functions and classes defined in it, by their nodes.
    """

    id: FunctionId
    node: FunctionNode | ast.Module
    cls: Class | None = None
    parent: Function | None = None
    inner: dict[ast.AST, Function | Class] = field(default_factory=dict)
    _names: tuple[set[str], set[str]] | None = None

    @property
    def locals(self) -> set[str]:
        """The names that it binds."""
        return self._bound()[0]

    @property
    def globals(self) -> set[str]:
        """The names that it declares `global`."""
        return self._bound()[1]

    def _bound(self) -> tuple[set[str], set[str]]:
        """Looked for when it is asked for: most functions of a large project never are."""
        if self._names is None:
            assigned, named, outer = bindings(self.node)
            shared = global_names(self.node) if outer else set()
            self._names = (assigned | named) - outer, shared
        return self._names

    @property
    def name(self) -> str:
        """Its name as messages show it."""
        return self.id[1].rpartition("<locals>.")[2]

    @property
    def is_method(self) -> bool:
        """Whether its first parameter is the object or the class."""
        return self.cls is not None and "staticmethod" not in decorator_names(self.node)


@dataclass(eq=False, slots=True)
class Class:
    """A class of the project.

    Attributes:
        id: Module and qualified name.
        node: Its syntax.
        methods: Its functions by name.
        attributes: What else its body assigns: the value's syntax.
        bases: The classes of the project that it is derived from.
        foreign: What else it is derived from: the dotted names.
        subclasses: The classes that are derived from it.
    """

    id: FunctionId
    node: ast.ClassDef
    methods: dict[str, Function] = field(default_factory=dict)
    attributes: dict[str, ast.expr] = field(default_factory=dict)
    bases: list[Class] = field(default_factory=list)
    foreign: list[str] = field(default_factory=list)
    subclasses: list[Class] = field(default_factory=list)

    def lineage(self) -> Iterator[Class]:
        """The class and its ancestors in the project, nearest first."""
        seen: set[FunctionId] = set()
        waiting = [self]
        while waiting:
            here = waiting.pop(0)
            if here.id not in seen:
                seen.add(here.id)
                yield here
                waiting = [*here.bases, *waiting]

    def find_method(self, name: str) -> Function | None:
        """The method that objects of exactly this class have."""
        return next((c.methods[name] for c in self.lineage() if name in c.methods), None)

    def find_attribute(self, name: str) -> Class | None:
        """The class in the lineage whose body assigns the name."""
        return next((c for c in self.lineage() if name in c.attributes), None)

    def overriding(self, name: str) -> list[Function]:
        """The methods of that name in classes derived from this one."""
        found: list[Function] = []
        waiting = list(self.subclasses)
        seen: set[FunctionId] = set()
        while waiting:
            here = waiting.pop()
            if here.id not in seen:
                seen.add(here.id)
                found += [here.methods[name]] if name in here.methods else []
                waiting += here.subclasses
        return found

    def ancestry(self) -> set[str]:
        """The library classes that it derives from, by dotted name."""
        return {name for c in self.lineage() for name in c.foreign}


Named = Found | Function | Class


class Definitions:
    """All functions and classes of a project.

    Args:
        project: The project's names.

    Attributes:
        functions: The functions, and each module's own code as `BODY`.
        classes: The classes.
        methods: The methods by name, whatever class they are in.
        of_node: What stands for a definition in the text.
    """

    def __init__(self, project: Names) -> None:
        self.functions: dict[FunctionId, Function] = {}
        self.classes: dict[FunctionId, Class] = {}
        self.methods: dict[str, list[Function]] = {}
        self.of_node: dict[ast.AST, Function | Class] = {}
        self._names = project
        for module in project.modules.values():
            self._add_module(module)
        for cls in self.classes.values():
            self._link_bases(cls)

    # ---- reading -------------------------------------------------------------------------------

    def _add_module(self, module: Module) -> None:
        body = Function((module.name, BODY), module.tree)
        self.functions[body.id] = body
        self._add_inner(body, "")

    def _add_inner(self, outer: Function, prefix: str) -> None:
        """Adds the functions and classes defined inside a function or a module."""
        for node in _scopes_in(outer.node):
            if isinstance(node, ast.ClassDef):
                self._add_class(node, outer, prefix)
            else:
                self._add_function(node, outer, prefix, None)

    def _add_function(
        self, node: FunctionNode, outer: Function, prefix: str, cls: Class | None
    ) -> Function:
        name = "<lambda>" if isinstance(node, ast.Lambda) else node.name
        qualified = prefix + name
        while (outer.id[0], qualified) in self.functions:
            qualified += "'"  # defined twice, or a lambda
        function = Function((outer.id[0], qualified), node, cls)
        function.parent = None if isinstance(outer.node, ast.Module) else outer
        self.functions[function.id] = function
        self.of_node[node] = outer.inner[node] = function
        if cls is not None:
            self.methods.setdefault(name, []).append(function)
        self._add_inner(function, f"{qualified}.<locals>.")
        return function

    def _add_class(self, node: ast.ClassDef, outer: Function, prefix: str) -> None:
        qualified = prefix + node.name
        while (outer.id[0], qualified) in self.classes:
            qualified += "'"
        cls = Class((outer.id[0], qualified), node)
        self.classes[cls.id] = cls
        self.of_node[node] = outer.inner[node] = cls
        for inner in _scopes_in(node):
            if isinstance(inner, ast.ClassDef):
                self._add_class(inner, outer, f"{qualified}.")
                continue
            made = self._add_function(inner, outer, f"{qualified}.", cls)
            if not isinstance(inner, ast.Lambda):
                cls.methods.setdefault(inner.name, made)
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

    def _link_bases(self, cls: Class) -> None:
        for base in cls.node.bases:
            expression = base.value if isinstance(base, ast.Subscript) else base
            for found in self.resolve(cls.id[0], expression):
                if isinstance(found, Found):
                    cls.foreign.append(_dotted(found))
                elif isinstance(found, Class) and found is not cls:
                    cls.bases.append(found)
                    found.subclasses.append(cls)
        for keyword in cls.node.keywords:
            if keyword.arg == "metaclass":
                found_all = self.resolve(cls.id[0], keyword.value)
                cls.foreign += [_dotted(one) for one in found_all if isinstance(one, Found)]

    # ---- what names mean -----------------------------------------------------------------------

    def resolve(self, module: str, expression: ast.expr) -> list[Named]:
        """What a dotted name may stand for at a module's top level."""
        if isinstance(expression, ast.Name):
            return self.of(module, expression.id)
        if isinstance(expression, ast.Attribute):
            owners = self.resolve(module, expression.value)
            return [one for owner in owners for one in self.member(owner, expression.attr)]
        return []

    def of(self, module: str, name: str) -> list[Named]:
        """What a name may stand for at a module's top level; see `Names.of`."""
        return self._known(self._names.of(module, name) or [Found(names.UNSEEN, module, name)])

    def dotted(self, dotted: str) -> list[Named]:
        """What a dotted name as imported may stand for."""
        return self._known(self._names.dotted(dotted))

    def member(self, owner: Named, name: str) -> list[Named]:
        """What an attribute of a module, of a class, or of something of a library may be."""
        if isinstance(owner, Found):
            return self._known(self._names.member(owner, name))
        if isinstance(owner, Function):
            return []
        method = owner.find_method(name)
        if method is not None:
            return [method]
        inner = self.classes.get((owner.id[0], f"{owner.id[1]}.{name}"))
        if inner is not None:
            return [inner]
        holder = owner.find_attribute(name)
        if holder is None:
            return []
        return [Found(names.VARIABLE, holder.id[0], f"{holder.id[1]}.{name}")]

    def _known(self, found: list[Found]) -> list[Named]:
        """What is not read counts where nothing else is found."""
        seen = [one for one in found if one.kind != names.UNSEEN] or found
        return [one if one.node is None else self.of_node[one.node] for one in seen]


def decorator_names(node: ast.AST) -> list[str]:
    """The last parts of a function's decorators: ["lru_cache", "staticmethod"]."""
    found = []
    for decorator in getattr(node, "decorator_list", ()):
        callee = decorator.func if isinstance(decorator, ast.Call) else decorator
        found.append(callee.attr if isinstance(callee, ast.Attribute) else ast.unparse(callee))
    return found


def _dotted(found: Found) -> str:
    return f"builtins.{found.name}" if found.kind == names.BUILTIN else found.name


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
        if not isinstance(node, LEAVES):
            stack.extend(reversed(list(ast.iter_child_nodes(node))))
