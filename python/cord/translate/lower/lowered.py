"""What the lowering of a region has come to: the nodes so far, and the names in them."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from cord.source.scope import bound_names, bound_once, outer_names
from cord.source.targets import as_load, text_of
from cord.translate.sites.project import Project
from cord.translate.sites.sites import Found, Site
from cord.translate.sites.survey import Region

from .making import why_not_made
from .tree import ANYTHING, OPERATION, Assign, Call, Mutate, Node, Opaque

# Why a scout does not know what a generator of the program's yields.
GENERATES = "no scout goes into a generator"


class Lowered:
    """The nodes go to `out`; values between them have names of their own.

    Args:
        project: The project.
        found: The sites of the module.
        region: The region that is lowered.
    """

    def __init__(self, project: Project, found: Found, region: Region) -> None:
        self.project = project
        self.found = found
        self.region = region
        self.outer = outer_names(region.node)
        self.bound = bound_names(region.node)
        self.out: list[Node] = []
        self.renamed: dict[str, str] = {}
        self.temporaries = 0
        self.unseen = 0
        # variables that hold a `map` or `filter` that was not read yet
        self.lazies: dict[str, ast.Call] = {}
        self.once = bound_once(region.node)
        self.making: list[str] = []
        # calls at the end of their statement, with the list that their result is appended to
        self.last: dict[ast.Call, str | None] = {}

    # ---- names ---------------------------------------------------------------------------------

    def temporary(self, node: ast.AST) -> ast.Name:
        self.temporaries += 1
        name = ast.Name(f":t{self.temporaries}", ast.Store())
        line = getattr(node, "lineno", 1)
        name.lineno, name.col_offset = line, 0
        name.end_lineno, name.end_col_offset = line, 0
        return name

    def moved(self, value: ast.expr) -> ast.expr:
        """A value that has a name, so that it can be kept before it is there."""
        if isinstance(value, (ast.Name, ast.Constant)):
            return value
        name = self.temporary(value)
        self.out.append(Assign(name.lineno, name, value))
        return as_load(name)

    def rename(self, name: str) -> str:
        return self.renamed.get(name, name)

    def fresh_name(self, name: str) -> str:
        """Another name for a variable that hides one outside."""
        self.temporaries += 1
        self.renamed[name] = f"{name}:{self.temporaries}"
        return self.renamed[name]

    def target(self, target: ast.expr) -> ast.expr:
        if isinstance(target, ast.Name):
            return ast.copy_location(ast.Name(self.rename(target.id), ast.Store()), target)
        if isinstance(target, ast.Starred):
            return ast.copy_location(ast.Starred(self.target(target.value), ast.Store()), target)
        assert isinstance(target, (ast.Tuple, ast.List))
        elements = [self.target(part) for part in target.elts]
        return ast.copy_location(ast.Tuple(elements, ast.Store()), target)

    def taken_apart(self, target: ast.expr) -> ast.expr:
        """A target of the same shape, of temporary names."""
        if isinstance(target, ast.Starred):
            inner = self.taken_apart(target.value)
            return ast.copy_location(ast.Starred(inner, ast.Store()), target)
        if isinstance(target, (ast.Tuple, ast.List)):
            parts = [self.taken_apart(part) for part in target.elts]
            return ast.copy_location(ast.Tuple(parts, ast.Store()), target)
        return self.temporary(target)

    def loop_number(self, node: ast.AST) -> int:
        """The number of a loop; the program does not show those with negative ones."""
        self.unseen -= 1
        return self.found.loop_of.get(node, self.unseen)

    # ---- nodes ---------------------------------------------------------------------------------

    def give(self, node: ast.AST) -> None:
        """A generator gives a value: who reads it may do anything before it goes on, or end it."""
        self.opaque(node, (), "something else is done here")

    def site_call(
        self, site: Site, func: ast.expr, args: list[ast.expr], keywords: list[ast.keyword]
    ) -> ast.expr:
        node = site.node
        assert isinstance(node, ast.Call)
        if site.operation:
            return self.operation(site, ast.copy_location(ast.Call(func, args, keywords), node))
        result = f":r{site.index}"
        name = site.meaning.dotted if site.meaning.module else f".{site.meaning.name}"
        generates = self.project.generates(site.meaning)
        if site.dynamic or generates is None:
            name = ANYTHING
        call = Call(node.lineno, site.index, func, args, keywords, result, not site.remote, name)
        call.refused = GENERATES if generates else None
        if node in self.last:
            call.last, call.into = True, self.last[node]
        self.out.append(call)
        return ast.copy_location(ast.Name(result, ast.Load()), node)

    def operation(self, site: Site, value: ast.expr) -> ast.expr:
        """An operation that calls a function of the project, if that is what it comes to."""
        result = f":r{site.index}"
        name = f"{OPERATION}{site.meaning.kind}.{site.meaning.dotted}"
        call = Call(site.node.lineno, site.index, value, [], [], result, True, name)
        call.operation = True
        if site.meaning.kind == "class":
            call.refused = why_not_made(self.project, site.meaning)
        self.out.append(call)
        return ast.copy_location(ast.Name(result, ast.Load()), site.node)

    def helper_call(
        self,
        node: ast.Call,
        func: ast.expr,
        args: list[ast.expr],
        keywords: list[ast.keyword],
        name: str,
    ) -> ast.expr:
        """A call that leads to no remote call."""
        result = self.temporary(node)
        call = Call(node.lineno, -1, func, args, keywords, result.id, True, name)
        self.out.append(call)
        return as_load(result)

    def mutate(
        self,
        line: int,
        name: str,
        method: str,
        args: list[ast.expr],
        result: str | None,
        path: str | None = None,
        keywords: Iterable[ast.keyword] = (),
    ) -> None:
        """A change; `name` is one of this scout's."""
        named = {keyword.arg: keyword.value for keyword in keywords if keyword.arg is not None}
        change = Mutate(line, name, method, [*args, *named.values()], result, path)
        change.keywords = tuple(named)
        self.out.append(change)

    def unknown(self, node: ast.AST, text: str, callee: str | None = None) -> ast.expr:
        result = self.temporary(node)
        self.opaque(node, (result.id,), text, callee)
        return as_load(result)

    def opaque(
        self, node: ast.AST, defines: tuple[str, ...], reason: str, callee: str | None = None
    ) -> None:
        self.out.append(Opaque(getattr(node, "lineno", 0), defines, reason, callee))

    def may_change(self, node: ast.Call, callee: str | None = None) -> None:
        """An unknown function may change the objects it is given."""
        for argument in [*node.args, *(k.value for k in node.keywords)]:
            if isinstance(argument, ast.Name):
                name = self.rename(argument.id)
                if name.partition(".")[0] not in self.found.module.names:
                    reason = f"{text_of(node.func)}() may change {argument.id}"
                    self.opaque(node, (name,), reason, callee)
