"""What one parse of a module holds: its regions, its functions, and every call with its meaning.

A region is what one scout covers: a function's body or the module's own code; comprehensions belong
to the region around them, and so do generator expressions that are read to the end where they
stand, and lambdas that are called for each element there.
"""

from __future__ import annotations

import ast

from cord.knowledge.functions import builtin
from cord.knowledge.methods import WALKER_NAMES
from cord.knowledge.rows import FIRST
from cord.source.functions import (
    FunctionNode,
    captured_names,
    is_generator,
    is_getter,
    is_method,
    local_names,
    place,
    same_place,
)
from cord.source.records import dataclass, field, replace
from cord.source.scope import bound_names, own_nodes, target_names

from .applied import FRAME_READERS, Applied, find_applied

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cord.source.modules import Module

    from .project import Meaning, Project
    from .sites import Site

Names = dict[str, str | None]
_COROUTINE = "it stands in a coroutine, where a call blocks as it does in the plain program"


@dataclass(eq=False, slots=True)
class Region:
    """A stretch of code with frames of its own. `scouted` is false where no scout can be made.

    `key` is its function's, if a scout may enter that; `around` are the variables around it.
    """

    index: int
    node: FunctionNode | ast.Module | ast.GeneratorExp | ast.Lambda
    name: str
    local: Names
    scouted: bool
    why_not: str | None = None
    key: str | None = None
    around: frozenset[str] = frozenset()
    sites: list[Site] = field(default_factory=list)


@dataclass(eq=False, slots=True)
class Function:
    """A function that a scout may enter.

    `key` is its name in the module: that at top level, `Class.method`, or its place for another.
    `captured` are the variables of functions around that it reads, `method` its name in its class,
    `getter` that of a property there which it is the function of.
    """

    key: str
    node: ast.FunctionDef | ast.Lambda
    captured: tuple[str, ...]
    method: str | None = None
    getter: str | None = None

    @property
    def generates(self) -> bool:
        """Whether a call gives a generator."""
        return is_generator(self.node)


@dataclass(eq=False, slots=True)
class Called:
    """A call, what a call applies to each element, or an operation that may be a class's own.

    `dynamic`: it may be any function. `served`: it stands in a remote module, and calls no replica.
    """

    node: ast.expr
    func: ast.expr
    meaning: Meaning | None
    region: Region
    why_not: str | None
    dynamic: bool
    served: bool


@dataclass(slots=True)
class Survey:
    """Everything that one walk over a module finds."""

    module: Module
    tree: ast.Module
    regions: list[Region] = field(default_factory=list)
    region_of: dict[ast.AST, Region] = field(default_factory=dict)
    functions: dict[str, Function] = field(default_factory=dict)
    calls: list[Called] = field(default_factory=list)
    meaning_of: dict[ast.Call, Meaning | None] = field(default_factory=dict)
    applied_of: dict[ast.Call, Applied] = field(default_factory=dict)
    values: list[Meaning] = field(default_factory=list)
    served: set[FunctionNode] = field(default_factory=set)
    reflects: bool = False  # attributes are read by names that are computed


@dataclass(frozen=True, slots=True)
class _Place:
    """Where in the module a node stands."""

    region: Region
    prefix: str
    local: Names
    why_not: str | None = None
    owner: str | None = None  # the class in whose body it stands
    around: Names | None = None  # there, what is bound outside
    walked: bool = False  # in what a comprehension walks: no variable can be bound there
    fixed: bool = False  # in a pattern or an annotation, which must stay as it is written


def survey(project: Project, module: Module, tree: ast.Module) -> Survey:
    """Walk over one parse of a module."""
    surveyor = _Surveyor(project, Survey(module, tree))
    why_not = _why_unscouted(tree)
    region = surveyor.region(tree, "the module's own code", {}, frozenset(), why_not)
    for statement in tree.body:
        surveyor.visit(statement, _Place(region, "", {}))
    return surveyor.found


class _Surveyor:
    def __init__(self, project: Project, found: Survey) -> None:
        self.project = project
        self.found = found

    def visit(self, node: ast.AST, at: _Place) -> None:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                self.function(node, at)
            case ast.Lambda():
                self.function_value(node, at)
            case ast.ClassDef():
                name = f"{at.prefix}.{node.name}" if at.prefix else node.name
                for outer in [*node.decorator_list, *node.bases, *node.keywords]:
                    self.visit(outer, at)
                # a class body is a part of the code around; what is bound there is seen there only
                own: Names = dict.fromkeys(bound_names(node))
                inside = replace(at, prefix=name, local={**at.local, **own}, owner=name)
                inside = replace(inside, around=at.local if at.around is None else at.around)
                for statement in node.body:
                    self.visit(statement, inside)
            case ast.Call():
                self.call(node, at)
            case ast.GeneratorExp():
                self.generator(node, at, consumed=False)
            case ast.Compare(
                ops=[ast.In() | ast.NotIn()], comparators=[ast.GeneratorExp() as made]
            ):
                self.visit(node.left, at)
                self.generator(made, at, consumed=True)
            case ast.ListComp() | ast.SetComp() | ast.DictComp():
                self.comprehension(node, at)
            case ast.Name():
                self.value(node, at)
            case ast.Attribute():
                self.value(node, at)
                self.visit(node.value, at)
                self.attribute(node, at)
            case ast.AnnAssign():
                for part in (node.target, node.annotation, node.value):
                    if part is not None:
                        fixed = at.fixed or part is node.annotation
                        self.visit(part, replace(at, fixed=fixed))
            case ast.pattern() | ast.arg():
                for child in ast.iter_child_nodes(node):
                    self.visit(child, replace(at, fixed=True))
            case _:
                for child in ast.iter_child_nodes(node):
                    self.visit(child, at)

    # ---- functions -----------------------------------------------------------------------------

    def region(
        self,
        node: FunctionNode | ast.Module | ast.GeneratorExp | ast.Lambda,
        name: str,
        local: Names,
        around: frozenset[str],
        why_not: str | None,
    ) -> Region:
        index = len(self.found.regions)
        region = Region(index, node, name, local, why_not is None, why_not, None, around)
        self.found.regions.append(region)
        self.found.region_of[node] = region
        return region

    def function(self, node: FunctionNode, at: _Place) -> None:
        for outer in [*node.decorator_list, node.args]:
            self.visit(outer, at)
        if not at.prefix and self.project.is_remote(self.found.module, node.name):
            self.found.served.add(node)  # its calls are made in the replica
            return
        name = f"{at.prefix}.{node.name}" if at.prefix else node.name
        region = self.inside(node, name, at)
        if isinstance(node, ast.FunctionDef):
            if at.owner is None or is_method(node):
                method = None if at.owner is None else node.name
                region.key = self.add(self.key(node, at), node, region, method)
            elif is_getter(node):
                region.key = self.define(place(node), node, region, None, node.name)
        inner = _Place(region, name, region.local)
        for statement in node.body:
            self.visit(statement, inner)

    def function_value(self, node: ast.Lambda, at: _Place) -> None:
        """A lambda that is kept, passed on or called."""
        self.visit(node.args, at)
        region = self.inside(node, f"{at.prefix}.<lambda>" if at.prefix else "<lambda>", at)
        region.key = self.add(place(node), node, region, None)
        self.visit(node.body, _Place(region, at.prefix, region.local))
        meaning = self.project.defined(self.found.module, place(node))
        self.found.values.append(meaning)

    def inside(self, node: FunctionNode | ast.Lambda, name: str, at: _Place) -> Region:
        own = local_names(node, self.found.module.package)
        outer = dict(at.local if at.around is None else at.around)
        if at.owner is not None:
            outer["__class__"] = None
        why_not = _why_unscouted(node)
        if isinstance(node, ast.Lambda) and at.walked:
            why_not = "it stands in a lambda in what a comprehension walks"
        return self.region(node, name, {**outer, **own}, frozenset(outer) - own.keys(), why_not)

    def key(self, node: ast.FunctionDef, at: _Place) -> str:
        module = self.found.module
        if at.owner is not None and same_place(module.methods.get(f"{at.owner}.{node.name}"), node):
            return f"{at.owner}.{node.name}"
        if same_place(module.functions.get(node.name), node):
            return node.name
        return place(node)

    def add(
        self, key: str, node: ast.FunctionDef | ast.Lambda, region: Region, method: str | None
    ) -> str | None:
        found = self.define(key, node, region, method)
        if found and isinstance(node, ast.FunctionDef) and node.decorator_list and method is None:
            # what the decorator makes of it is called through a value
            self.found.values.append(self.project.defined(self.found.module, key))
        return found

    def define(
        self,
        key: str,
        node: ast.FunctionDef | ast.Lambda,
        region: Region,
        method: str | None,
        getter: str | None = None,
    ) -> str | None:
        captured = captured_names(node, region.around)
        self.found.functions[key] = Function(key, node, captured, method, getter)
        return key if region.scouted else None

    # ---- comprehensions ------------------------------------------------------------------------

    def comprehension(self, node: ast.ListComp | ast.SetComp | ast.DictComp, at: _Place) -> None:
        elements = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
        self.generators(node.generators, elements, at, at)

    def generator(self, node: ast.GeneratorExp, at: _Place, consumed: bool) -> None:
        if consumed:
            self.generators(node.generators, [node.elt], at, at)
            return
        why_not = _why_unscouted_generator(node)
        name = f"{at.prefix}.<genexpr>" if at.prefix else "<genexpr>"
        targets = {name: None for part in node.generators for name in target_names(part.target)}
        local = {**at.local, **targets}
        region = self.region(node, name, local, frozenset(at.local), why_not)
        inside = replace(at, region=region, why_not=why_not)
        self.generators(node.generators, [node.elt], at, inside)

    def generators(
        self,
        generators: list[ast.comprehension],
        elements: list[ast.expr],
        at: _Place,
        inside: _Place,
    ) -> None:
        first, *others = generators
        self.visit(first.iter, replace(at, walked=True))
        targets = {name: None for part in generators for name in target_names(part.target)}
        here = replace(inside, local={**inside.local, **targets})
        for test in first.ifs:
            self.visit(test, here)
        for part in others:
            self.visit(part.iter, replace(here, walked=True))
            for test in part.ifs:
                self.visit(test, here)
        for element in elements:
            self.visit(element, here)

    # ---- calls and values ----------------------------------------------------------------------

    def call(self, node: ast.Call, at: _Place) -> None:
        meaning = self.project.meaning(self.found.module, node.func, at.local)
        self.found.meaning_of[node] = meaning
        applied = find_applied(node, meaning)
        if applied is not None:
            self.applied(node, applied, at)
            return
        if meaning is not None and (meaning.kind, meaning.name) == ("builtin", "getattr"):
            self.found.reflects = True
        self.callee(node.func, at)
        for argument in node.args:
            if isinstance(argument, ast.GeneratorExp) and is_consumer(node, meaning):
                self.generator(argument, at, consumed=True)
            else:
                self.visit(argument, at)
        for keyword in node.keywords:
            self.visit(keyword.value, at)
        self.note(node, node.func, meaning, at)

    def applied(self, node: ast.Call, applied: Applied, at: _Place) -> None:
        self.found.applied_of[node] = applied
        function = applied.function
        for argument in [*node.args, *(k.value for k in node.keywords)]:
            if argument is function:
                continue
            if isinstance(argument, ast.GeneratorExp) and applied.keyed:
                self.generator(argument, at, consumed=True)
            else:
                self.visit(argument, at)
        lambda_ = applied.inlined
        if lambda_ is not None:
            self.visit(lambda_.body, replace(at, local={**at.local, **local_names(lambda_)}))
            return
        self.callee(function, at)
        meaning = self.project.meaning(self.found.module, function, at.local)
        self.note(node, function, meaning, at)

    def note(self, node: ast.Call, func: ast.expr, meaning: Meaning | None, at: _Place) -> None:
        dynamic = meaning is None and self.project.may_be_any(self.found.module, func, at.local)
        if meaning is None:
            meaning = self.project.method(func)
        if meaning is not None or dynamic:
            self.add_call(node, func, meaning, at, dynamic)

    def add_call(
        self,
        node: ast.expr,
        func: ast.expr,
        meaning: Meaning | None,
        at: _Place,
        dynamic: bool = False,
    ) -> None:
        why_not = at.why_not if at.region.scouted else at.region.why_not
        served = self.found.module.served
        self.found.calls.append(Called(node, func, meaning, at.region, why_not, dynamic, served))

    def attribute(self, node: ast.Attribute, at: _Place) -> None:
        """An attribute that is read may be a property."""
        meaning = self.project.property(node.attr)
        if meaning is not None and isinstance(node.ctx, ast.Load) and not at.fixed:
            self.add_call(node, node, meaning, at)

    def callee(self, func: ast.expr, at: _Place) -> None:
        """A callee's name is no value that is passed on."""
        if isinstance(func, ast.Attribute):
            self.visit(func.value, at)
        elif not isinstance(func, ast.Name):
            self.visit(func, at)

    def value(self, node: ast.Name | ast.Attribute, at: _Place) -> None:
        if not isinstance(node.ctx, ast.Load):
            return
        meaning = self.project.meaning(self.found.module, node, at.local)
        meaning = meaning or self.project.method(node)
        if meaning is not None and meaning.kind in ("remote", "project", "method", "class"):
            self.found.values.append(meaning)


def is_consumer(node: ast.Call, meaning: Meaning | None) -> bool:
    """Whether a call reads its generator argument at once, as far as it ever will."""
    if meaning is not None and meaning.kind == "builtin":
        row = builtin(meaning.name)
        return row is not None and row.walks == FIRST and not row.lazy
    return isinstance(node.func, ast.Attribute) and node.func.attr in WALKER_NAMES


def _why_unscouted(node: FunctionNode | ast.Module | ast.Lambda) -> str | None:
    if isinstance(node, ast.AsyncFunctionDef):
        return _COROUTINE
    if isinstance(node, ast.Module):
        return None
    for inner in own_nodes(node):
        if isinstance(inner, ast.Name) and inner.id in FRAME_READERS:
            return f"line {inner.lineno}: {inner.id} may look at the local variables"
        if isinstance(node, ast.Lambda) and isinstance(inner, (ast.Yield, ast.YieldFrom)):
            return "it stands in a lambda that is a generator"
    return None


def _why_unscouted_generator(node: ast.GeneratorExp) -> str | None:
    for inner in ast.walk(node):
        if isinstance(inner, ast.NamedExpr):
            return "it stands in a generator expression that binds a variable outside"
        if isinstance(inner, ast.Name) and inner.id in FRAME_READERS:
            return f"line {inner.lineno}: {inner.id} may look at the local variables"
        if isinstance(inner, ast.Await) or getattr(inner, "is_async", False):
            return "it stands in an asynchronous generator expression"
    return None
