"""Call sites, loops and regions of a module, numbered in the order in which they stand.

The numbering depends only on the source, so two parses of one file agree on it. A region is what
one scout covers: a function's body or the module's own; comprehensions belong to the region around
them, and so do generator expressions that are read to the end where they stand.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from . import pure
from .project import FunctionNode, Meaning, Module, Project, local_names
from .scope import own_nodes, target_names


@dataclass(eq=False, slots=True)
class Region:
    """A stretch of code with frames of its own. `scouted` is false where no scout can be made."""

    index: int
    node: FunctionNode | ast.Module | ast.GeneratorExp
    name: str
    local: dict[str, str | None]
    scouted: bool
    why_not: str | None = None
    sites: list[Site] = field(default_factory=list)


@dataclass(eq=False, slots=True)
class Site:
    """A call of a remote function, or of a helper that leads to one."""

    index: int
    node: ast.Call
    meaning: Meaning
    region: Region | None
    why_not: str | None = None

    @property
    def remote(self) -> bool:
        return self.meaning.kind == "remote"


@dataclass(slots=True)
class Found:
    """Everything of a module that the rewriting and the scouts need to agree on.

    `served` are the module's own functions that are remote: their bodies run in replicas.
    """

    module: Module
    tree: ast.Module
    sites: list[Site]
    regions: list[Region]
    site_of: dict[ast.Call, Site]
    loop_of: dict[ast.AST, int]
    region_of: dict[ast.AST, Region]
    meaning_of: dict[ast.Call, Meaning | None]
    served: set[FunctionNode] = field(default_factory=set)


_FRAME_READERS = frozenset({"locals", "vars", "dir", "eval", "exec"})


def find_sites(project: Project, module: Module, tree: ast.Module) -> Found:
    """Number the sites, loops and regions of one parse of a module."""
    finder = _Finder(project, module, tree)
    finder.scope(tree, tree.body, "", {})
    found = finder.found
    found.loop_of = _number_loops(tree, found.site_of)
    return found


class _Finder:
    def __init__(self, project: Project, module: Module, tree: ast.Module) -> None:
        self.project = project
        self.found = Found(module, tree, [], [], {}, {}, {}, {})

    def scope(
        self,
        node: FunctionNode | ast.Module,
        body: list[ast.stmt],
        prefix: str,
        local: dict[str, str | None],
    ) -> None:
        why_not = _why_unscouted(node)
        name = prefix or "the module's own code"
        region = Region(len(self.found.regions), node, name, local, why_not is None, why_not)
        self.found.regions.append(region)
        self.found.region_of[node] = region
        for statement in body:
            self.visit(statement, region, prefix, local, None)

    def visit(
        self,
        node: ast.AST,
        region: Region | None,
        prefix: str,
        local: dict[str, str | None],
        why_not: str | None,
    ) -> None:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                for outer in [*node.decorator_list, node.args]:
                    self.visit(outer, region, prefix, local, why_not)
                if not prefix and self.project.is_remote(self.found.module, node.name):
                    self.found.served.add(node)
                    return
                name = f"{prefix}.{node.name}" if prefix else node.name
                self.scope(node, node.body, name, {**local, **local_names(node)})
            case ast.Lambda():
                inner = {**local, **local_names(node)}
                self.visit(node.args, region, prefix, local, why_not)
                self.visit(node.body, None, prefix, inner, "it stands in a lambda")
            case ast.ClassDef():
                name = f"{prefix}.{node.name}" if prefix else node.name
                for outer in [*node.decorator_list, *node.bases]:
                    self.visit(outer, region, prefix, local, why_not)
                for statement in node.body:
                    self.visit(statement, None, name, local, "it stands in a class body")
            case ast.Call():
                self.call(node, region, prefix, local, why_not)
            case ast.GeneratorExp():
                self.generator(node, region, prefix, local, consumed=False)
            case _:
                for child in ast.iter_child_nodes(node):
                    self.visit(child, region, prefix, local, why_not)

    def call(
        self,
        node: ast.Call,
        region: Region | None,
        prefix: str,
        local: dict[str, str | None],
        why_not: str | None,
    ) -> None:
        meaning = self.project.meaning(self.found.module, node.func, local)
        if meaning is None and self.project.reaches_remote(self.project.method(node.func)):
            meaning = self.project.method(node.func)
        self.found.meaning_of[node] = meaning
        self.visit(node.func, region, prefix, local, why_not)
        for argument in node.args:
            if isinstance(argument, ast.GeneratorExp) and is_consumer(node, meaning):
                self.generator(argument, region, prefix, local, consumed=True)
            else:
                self.visit(argument, region, prefix, local, why_not)
        for keyword in node.keywords:
            self.visit(keyword.value, region, prefix, local, why_not)
        remote = meaning is not None and meaning.kind == "remote"
        if meaning is not None and (remote or self.project.reaches_remote(meaning)):
            site = Site(len(self.found.sites), node, meaning, region, why_not)
            if region is not None and not region.scouted:
                site.why_not = region.why_not
            self.found.sites.append(site)
            self.found.site_of[node] = site
            if region is not None:
                region.sites.append(site)

    def generator_region(
        self,
        node: ast.GeneratorExp,
        prefix: str,
        local: dict[str, str | None],
        why_not: str | None,
    ) -> Region:
        """A generator expression that is read elsewhere has a frame and a scout of its own."""
        targets = {name: None for part in node.generators for name in target_names(part.target)}
        name = f"{prefix}.<genexpr>" if prefix else "<genexpr>"
        region = Region(
            len(self.found.regions), node, name, {**local, **targets}, why_not is None, why_not
        )
        self.found.regions.append(region)
        self.found.region_of[node] = region
        return region

    def generator(
        self,
        node: ast.GeneratorExp,
        region: Region | None,
        prefix: str,
        local: dict[str, str | None],
        consumed: bool,
    ) -> None:
        first, *others = node.generators
        self.visit(first.iter, region, prefix, local, None)
        inner, why_not = region, None
        if not consumed:
            why_not = _why_unscouted_generator(node)
            inner = self.generator_region(node, prefix, local, why_not)
        for part in [*first.ifs, *others, node.elt]:
            self.visit(part, inner, prefix, local, why_not)


def _why_unscouted_generator(node: ast.GeneratorExp) -> str | None:
    for inner in ast.walk(node):
        if isinstance(inner, ast.NamedExpr):
            return "it stands in a generator expression that binds a variable outside"
        if isinstance(inner, ast.Name) and inner.id in _FRAME_READERS:
            return f"line {inner.lineno}: {inner.id} may look at the local variables"
        if isinstance(inner, ast.Await) or getattr(inner, "is_async", False):
            return "it stands in an asynchronous generator expression"
    return None


def is_consumer(node: ast.Call, meaning: Meaning | None) -> bool:
    """Whether a call reads its generator argument to the end at once."""
    if meaning is not None and meaning.kind == "builtin":
        return meaning.name in pure.CONSUMERS
    return isinstance(node.func, ast.Attribute) and node.func.attr in ("join", "extend", "update")


def _why_unscouted(node: FunctionNode | ast.Module) -> str | None:
    if isinstance(node, ast.AsyncFunctionDef):
        return "it stands in a coroutine, where a call blocks as it does in the plain program"
    if isinstance(node, ast.Module):
        return None
    for inner in own_nodes(node):
        if isinstance(inner, ast.Name) and inner.id in _FRAME_READERS:
            return f"line {inner.lineno}: {inner.id} may look at the local variables"
    return None


def _number_loops(tree: ast.Module, site_of: dict[ast.Call, Site]) -> dict[ast.AST, int]:
    """Number the `for` loops and comprehension generators that have a site inside."""
    containing: set[ast.AST] = set()

    def mark(node: ast.AST) -> bool:
        here = node in site_of
        for child in ast.iter_child_nodes(node):
            here = mark(child) or here
        if here:
            containing.add(node)
        return here

    mark(tree)
    numbers: dict[ast.AST, int] = {}
    for node in ast.walk(tree):
        if node not in containing:
            continue
        if isinstance(node, ast.For):
            numbers[node] = len(numbers)
        elif isinstance(node, (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
            for generator in node.generators:
                numbers[generator] = len(numbers)
    return numbers
