"""The program's own translation: its remote calls become takes, nothing else moves.

Each call keeps its place, line and columns. A function with calls gets one hidden local, bound by
its first statement, that holds its activation; `for` loops around calls show their iterators.
"""

from __future__ import annotations

import ast
from collections.abc import Set as AbstractSet

from .emit import MARK
from .positions import at_start, imported_names, move_to_name, stands_elsewhere
from .sites import Found, Region

ACTIVATION = ":cord"
SOURCE = ":source"


def rewrite(found: Found) -> ast.Module:
    """Rewrite the tree of `found` in place and return it."""
    if not found.sites and not found.served:
        return found.tree
    _Rewriter(found).visit(found.tree)
    return found.tree


class _Rewriter(ast.NodeTransformer):
    def __init__(self, found: Found) -> None:
        self.found = found
        self.regions: list[Region | None] = [found.regions[0]]
        self.imports: AbstractSet[str] | None = None

    def imported(self) -> AbstractSet[str]:
        """The names that the module imports; few modules need to know."""
        if self.imports is None:
            self.imports = imported_names(self.found.tree)
        return self.imports

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        return self.function(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        return self.function(node)

    def function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> ast.AST:
        node.decorator_list = [self.visit(item) for item in node.decorator_list]
        node.args = self.visit(node.args)
        if node in self.found.served:
            _serve(node)
            return node
        region = self.found.region_of[node]
        self.regions.append(region)
        node.body = self.statements(node.body)
        self.regions.pop()
        if region.scouted and region.sites:
            _enter(node, region)
        return node

    def statements(self, body: list[ast.stmt]) -> list[ast.stmt]:
        out: list[ast.stmt] = []
        for statement in body:
            new = self.visit(statement)
            out.extend(new if isinstance(new, list) else [new])
        return out

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        return self.without_region(node)

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        return self.without_region(node)

    def without_region(self, node: ast.AST) -> ast.AST:
        self.regions.append(None)
        self.generic_visit(node)
        self.regions.pop()
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        site = self.found.site_of.get(node)
        self.generic_visit(node)
        if site is None:
            return node
        if stands_elsewhere(node) and not _has_stars(node):
            move_to_name(node, self.imported())
        native = ast.Constant(f"{MARK}site:{site.index}")
        scouted = site.region is not None and site.region.scouted
        activation = _activation(site.region) if scouted and site.region else ast.Constant(None)
        if site.remote and _has_stars(node):
            # errors about the stars name the callee: bind it first, then call with all arguments
            bound = ast.Attribute(native, "bound", ast.Load())
            node.func = ast.Call(bound, [activation, node.func], [])
        elif site.remote:
            func = at_start(ast.Attribute(native, "take", ast.Load()), node)
            node.args = [activation, node.func, *node.args]
            node.func = func
        elif scouted:
            enter = ast.Attribute(native, "enter", ast.Load())
            node.func = ast.Call(enter, [activation, node.func], [])
        for part in ast.walk(node.func):
            if not hasattr(part, "lineno"):
                ast.copy_location(part, node)
        ast.copy_location(native, node)
        ast.copy_location(activation, node)
        return node

    def visit_For(self, node: ast.For) -> ast.AST | list[ast.stmt]:
        number = self.found.loop_of.get(node)
        self.generic_visit(node)
        if number is None:
            return node
        plain = node.iter
        node.iter = self.shown(plain, number)
        if node.iter is plain or not _may_break(node):
            return node
        # after a break the iterator would live on: the plain program's is gone by now
        region = self.regions[-1]
        assert region is not None
        native = ast.Constant(f"{MARK}loops")
        forget = ast.Call(
            ast.Attribute(native, "forget", ast.Load()),
            [_activation(region), ast.Constant(number)],
            [],
        )
        statement = ast.Expr(forget)
        for part in ast.walk(statement):
            ast.copy_location(part, node)
        return [node, statement]

    def visit_ListComp(self, node: ast.ListComp) -> ast.AST:
        return self.comprehension(node)

    def visit_SetComp(self, node: ast.SetComp) -> ast.AST:
        return self.comprehension(node)

    def visit_DictComp(self, node: ast.DictComp) -> ast.AST:
        return self.comprehension(node)

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> ast.AST:
        region = self.found.region_of.get(node)
        if region is None:  # read to its end where it stands: part of the region around
            return self.comprehension(node)
        first = node.generators[0]
        outside = self.visit(first.iter)
        first.iter = ast.copy_location(ast.Name(SOURCE, ast.Load()), outside)
        self.regions.append(region)
        new = self.comprehension(node)
        self.regions.pop()
        if not region.scouted or not region.sites:
            first.iter = outside
            return new
        return _with_activation(node, region, outside)

    def comprehension(
        self, node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
    ) -> ast.AST:
        numbers = [self.found.loop_of.get(generator) for generator in node.generators]
        self.generic_visit(node)
        for generator, number in zip(node.generators, numbers, strict=True):
            if number is not None and not generator.is_async:
                generator.iter = self.shown(generator.iter, number)
        return node

    def shown(self, iterable: ast.expr, number: int) -> ast.expr:
        """`iter(iterable)`, kept where a scout born inside the loop can copy it."""
        region = self.regions[-1]
        if region is None or not region.scouted or not region.sites:
            return iterable
        native = ast.Constant(f"{MARK}loops")
        call = ast.Call(
            ast.Attribute(native, "loop", ast.Load()),
            [_activation(region), ast.Constant(number), iterable],
            [],
        )
        for part in (native, call.func, call.args[0], call.args[1], call):
            ast.copy_location(part, iterable)
        return call


def _with_activation(node: ast.GeneratorExp, region: Region, outside: ast.expr) -> ast.expr:
    """`(lambda activation, source: node)(new activation, outside)`."""
    parameters = [ast.arg(ACTIVATION), ast.arg(SOURCE)]
    function = ast.Lambda(ast.arguments([], parameters, None, [], [], None, []), node)
    call = ast.Call(function, [_new_activation(region), outside], [])
    inside = set(ast.walk(node)) | set(ast.walk(outside))
    for part in ast.walk(call):
        if part not in inside:
            ast.copy_location(part, node)
    return call


def _new_activation(region: Region) -> ast.expr:
    native = ast.Constant(f"{MARK}region:{region.index}")
    return ast.Call(ast.Attribute(native, "enter", ast.Load()), [], [])


def _may_break(node: ast.For) -> bool:
    return any(isinstance(inner, ast.Break) for inner in ast.walk(node))


def _has_stars(node: ast.Call) -> bool:
    starred = any(isinstance(argument, ast.Starred) for argument in node.args)
    return starred or any(keyword.arg is None for keyword in node.keywords)


def _activation(region: Region) -> ast.expr:
    if isinstance(region.node, ast.Module):
        return ast.Constant(f"{MARK}activation:{region.index}")
    return ast.Name(ACTIVATION, ast.Load())


def _serve(node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
    """Make a function of the module's own remote: the outermost decorator does it."""
    native = ast.Constant(f"{MARK}own:{node.name}")
    first = [*node.decorator_list, node][0]
    node.decorator_list.insert(0, ast.copy_location(native, first))


def _enter(node: ast.FunctionDef | ast.AsyncFunctionDef, region: Region) -> None:
    """Bind the activation before the first statement that does something."""
    at = 0
    first = node.body[0]
    if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
        at = 1 if isinstance(first.value.value, str) and len(node.body) > 1 else 0
    binding = ast.Assign([ast.Name(ACTIVATION, ast.Store())], _new_activation(region))
    for part in ast.walk(binding):
        ast.copy_location(part, node.body[at])
    while at < len(node.body) and isinstance(node.body[at], (ast.Global, ast.Nonlocal)):
        at += 1
    node.body.insert(at, binding)
