"""The program's own translation: its remote calls become takes, nothing else moves.

Each call keeps its place, line and columns. A function with calls gets one hidden local, bound by
its first statement, that holds its activation; `for` loops around calls show their iterators.
"""

from __future__ import annotations

import ast

from cord.source.scope import written_out
from cord.translate.results import MARK
from cord.translate.sites.applied import Applied
from cord.translate.sites.sites import Found, Site, named
from cord.translate.sites.survey import Region

from .places import settle
from .waiting import Waiting

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .stretches import Stretch

ACTIVATION = ":cord"
SOURCE = ":source"


def rewrite(found: Found, stretches: list[Stretch] | None = None) -> ast.Module:
    """Rewrite the tree of `found` in place and return it.

    Args:
        found: What was found in the tree.
        stretches: Where values are received late.
    """
    if not found.sites and not found.served:
        return found.tree
    waiting = Waiting(stretches or [], lambda site: _activation(site.region))
    _Rewriter(found, waiting).visit(found.tree)
    settle(found.tree)
    return found.tree


class _Rewriter(ast.NodeTransformer):
    def __init__(self, found: Found, waiting: Waiting) -> None:
        self.found = found
        self.waiting = waiting
        self.regions: list[Region] = [found.regions[0]]
        self.owner: str | None = None  # the class in which the code stands

    def visit(self, node: ast.AST) -> Any:
        return self.waiting.rewritten(node, super().visit(node))

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
        region = self.found.region_of.get(node)
        if region is None:  # called where it stands: part of the region around
            self.generic_visit(node)
            return node
        node.args = self.visit(node.args)
        self.regions.append(region)
        node.body = self.visit(node.body)
        self.regions.pop()
        if region.scouted and region.sites:
            node.body = _entering(node.body, region)
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        owner, self.owner = self.owner, node.name
        self.generic_visit(node)
        self.owner = owner
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        site = self.found.site_of.get(node)
        self.generic_visit(node)
        if site is not None and site.region.scouted:
            name = ast.Constant(written_out(node.attr, self.owner))
            place, owner = _activation(site.region), node.value
            node.value = _native(f"site:{site.index}", "reading", place, owner, name, at=owner)
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        site = self.found.site_of.get(node)
        applied = self.found.applied_of.get(node)
        self.generic_visit(node)
        if applied is not None:
            self.apply(node, applied, site)
            return node
        if site is None:
            return node
        scouted = site.region.scouted
        activation = _activation(site.region) if scouted else ast.Constant(None)
        if site.dynamic or (site.remote and _has_stars(node)):
            # errors about the stars name the callee: bind it first, then call with all arguments
            node.func = _native(f"site:{site.index}", "bound", activation, node.func, at=node)
        elif site.remote:
            method = named("take", node.keywords)
            take = _native(f"site:{site.index}", method, activation, node.func, at=node)
            node.func = take.func
            node.args = [*take.args, *node.args]
        elif scouted:
            node.func = _native(f"site:{site.index}", "enter", activation, node.func, at=node)
        return node

    def apply(self, node: ast.Call, applied: Applied, site: Site | None) -> None:
        """A call that calls a function for each element shows what it walks, and the function."""
        region = self.regions[-1]
        number = self.found.loop_of.get(node)
        if number is None or not region.scouted or not region.sites:
            return
        if site is not None:
            function = applied.function
            bound = _native(
                f"site:{site.index}", "bound", _activation(region), function, at=function
            )
            applied.replace_function(bound)
        if applied.sorts:  # reads all before it calls
            follow = _loops("follow", region, number, applied.function, at=applied.function)
            applied.replace_function(follow)
        first = "keyed" if applied.sorts else "loop"
        if applied.receiver is not None:
            assert isinstance(node.func, ast.Attribute)
            receiver = applied.receiver
            node.func.value = _loops("keyed", region, number, receiver, at=receiver)
        for index in range(*applied.walked.indices(len(node.args))):
            method = first if index == applied.walked.start else "beside"
            walked = node.args[index]
            node.args[index] = _loops(method, region, number, walked, at=walked)

    def visit_For(self, node: ast.For) -> ast.AST | list[ast.stmt]:
        number = self.found.loop_of.get(node)
        inside = self.found.applied_of.get(node.iter) if isinstance(node.iter, ast.Call) else None
        if isinstance(node.iter, ast.GeneratorExp) and self.found.is_inlined(node.iter):
            number = self.found.loop_of.get(node.iter.generators[0])
        if inside is not None and inside.lazy:  # its own iterator is the one to show
            number = self.found.loop_of.get(node.iter)
        self.generic_visit(node)
        if number is None:
            return node
        plain = node.iter
        if inside is None or not inside.lazy:
            node.iter = self.shown(plain, number)
            if node.iter is plain:
                return node
        region = self.regions[-1]
        if not region.scouted or not _may_break(node):
            return node
        # after a break the iterator would live on: the plain program's is gone by now
        forget = _native("loops", "forget", _activation(region), ast.Constant(number), at=node)
        statement = ast.copy_location(ast.Expr(forget), node)
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
        outside = _as_iterated(self.visit(first.iter))
        first.iter = ast.copy_location(ast.Name(SOURCE, ast.Load()), outside)
        self.regions.append(region)
        new = self.comprehension(node)
        self.regions.pop()
        if not region.scouted or not region.sites:
            number = self.found.loop_of.get(first)
            first.iter = outside if number is None else self.shown(outside, number)
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
        if not region.scouted or not region.sites:
            return iterable
        return _loops("loop", region, number, _as_iterated(iterable), at=iterable)


def _native(mark: str, method: str, *args: ast.expr, at: ast.AST) -> ast.Call:
    """`<mark>.method(*args)` with the place of `at` for all of it that is new."""
    native = ast.Constant(f"{MARK}{mark}")
    call = ast.Call(ast.Attribute(native, method, ast.Load()), list(args), [])
    for part in (native, call.func, call, *args):
        if not hasattr(part, "lineno"):
            ast.copy_location(part, at)
    return call


def _loops(method: str, region: Region, number: int, value: ast.expr, at: ast.AST) -> ast.Call:
    return _native("loops", method, _activation(region), ast.Constant(number), value, at=at)


def _entering(body: ast.expr, region: Region) -> ast.expr:
    """A lambda's body behind the binding of its activation, which is always true."""
    binding = ast.NamedExpr(ast.Name(ACTIVATION, ast.Store()), _new_activation(region))
    both = ast.BoolOp(ast.And(), [binding, body])
    for part in [both, *ast.walk(binding)]:
        ast.copy_location(part, body)
    return both


def _as_iterated(iterable: ast.expr) -> ast.expr:
    """What the compiler makes of a display of constants that a loop runs over.

    For a set that is a frozenset, which may be walked in another order than a set built from it.
    """
    if not isinstance(iterable, ast.Set):
        return iterable
    try:
        items = [ast.literal_eval(item) for item in iterable.elts]
        return ast.copy_location(ast.Constant(frozenset(items)), iterable)  # type: ignore[arg-type]
    except (ValueError, TypeError):  # not all are constants
        return iterable


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
