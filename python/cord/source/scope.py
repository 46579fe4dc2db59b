"""Which names a function, a module, a comprehension or an import binds."""

from __future__ import annotations

import ast
from collections.abc import Iterator

_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
LEAVES = (ast.Name, ast.Constant)  # what is inside them tells nothing more
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)

_NAMERS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom)
_CAPTURES = (ast.ExceptHandler, ast.MatchAs, ast.MatchStar, ast.MatchMapping)
_BINDERS = frozenset({ast.Name, *_NAMERS, *_CAPTURES})


def own_nodes(scope: ast.AST, comprehensions: bool = True) -> Iterator[ast.AST]:
    """The nodes that run in a scope itself: not the bodies of functions and classes inside it."""
    stack: list[ast.AST] = []
    if isinstance(scope, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Module)):
        stack.extend(reversed(scope.body))
    elif isinstance(scope, ast.Lambda):
        stack.append(scope.body)
    else:
        stack.append(scope)
    while stack:
        node = stack.pop()
        yield node
        if isinstance(node, LEAVES):
            continue
        if isinstance(node, _SCOPES):
            if not isinstance(node, ast.Lambda):
                stack.extend(reversed(node.decorator_list))
            continue
        if not comprehensions and isinstance(node, _COMPREHENSIONS):
            continue
        stack.extend(reversed(list(ast.iter_child_nodes(node))))


def target_names(target: ast.expr) -> Iterator[str]:
    """The names an assignment target binds."""
    for node in ast.walk(target):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id


def bound_names(scope: ast.AST) -> set[str]:
    """The names that a scope binds itself (a comprehension's own variables left out)."""
    assigned, named, outer = bindings(scope)
    return (assigned | named) - outer


def bindings(scope: ast.AST) -> tuple[set[str], set[str], set[str]]:
    """The names that a scope assigns, those that it defines or imports, and which are not its."""
    assigned = set(parameter_names(scope))
    named: set[str] = set()
    outer: set[str] = set()
    for node in own_nodes(scope, comprehensions=False):
        kind = type(node)
        if kind in _BINDERS:
            (named if kind in _NAMERS else assigned).update(names_bound_by(node))
        elif isinstance(node, (ast.Global, ast.Nonlocal)):
            outer.update(node.names)
        elif isinstance(node, _COMPREHENSIONS):
            for inner in ast.walk(node):
                if isinstance(inner, ast.NamedExpr) and isinstance(inner.target, ast.Name):
                    assigned.add(inner.target.id)
    return assigned, named, outer


def parameter_names(scope: ast.AST) -> list[str]:
    """The names of a function's parameters, those with stars last."""
    if not isinstance(scope, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
        return []
    spec = scope.args
    starred = [one for one in (spec.vararg, spec.kwarg) if one is not None]
    return [one.arg for one in (*spec.posonlyargs, *spec.args, *spec.kwonlyargs, *starred)]


def names_bound_by(node: ast.AST) -> list[str]:
    """The names that a node itself binds."""
    match node:
        case ast.Name():
            return [] if isinstance(node.ctx, ast.Load) else [node.id]
        case ast.Import() | ast.ImportFrom():
            return [name for name, _ in import_bindings(node)]
        case ast.MatchMapping():
            return [node.rest] if node.rest else []
    name = getattr(node, "name", None)
    return [name] if name and type(node) in _BINDERS else []


def outer_names(scope: ast.AST) -> set[str]:
    """The names that a function declares `global` or `nonlocal`."""
    names: set[str] = set()
    for node in own_nodes(scope):
        if isinstance(node, (ast.Global, ast.Nonlocal)):
            names.update(node.names)
    return names


def global_names(scope: ast.AST) -> set[str]:
    """The names that a scope declares `global`."""
    shared: set[str] = set()
    for node in own_nodes(scope, comprehensions=False):
        if isinstance(node, ast.Global):
            shared.update(node.names)
    return shared


def bound_once(scope: ast.AST) -> set[str]:
    """The names that a scope assigns in one place only."""
    times: dict[str, int] = {}
    for node in own_nodes(scope):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            times[node.id] = times.get(node.id, 0) + 1
    return {name for name, count in times.items() if count == 1} - outer_names(scope)


def written_out(attribute: str, owner: str | None) -> str:
    """An attribute's name, as Python writes it out inside a class of the name `owner`."""
    private = attribute.startswith("__") and not attribute.endswith("__")
    owner = (owner or "").lstrip("_")
    return f"_{owner}{attribute}" if private and owner else attribute


def import_bindings(
    node: ast.Import | ast.ImportFrom, package: str = ""
) -> Iterator[tuple[str, str]]:
    """The names that an import binds, and what each stands for, as a dotted name.

    All names of a module `a` are `("*", "a")`.

    Args:
        node: The import.
        package: The package that it starts from where it is relative.
    """
    if isinstance(node, ast.Import):
        for alias in node.names:
            bound = alias.asname or alias.name.partition(".")[0]
            yield bound, alias.name if alias.asname else bound
        return
    base = _absolute(node, package)
    for alias in node.names:
        inside = f"{base}.{alias.name}" if base else alias.name
        yield (alias.asname or alias.name, inside) if alias.name != "*" else ("*", base)


def imported_modules(node: ast.Import | ast.ImportFrom, package: str) -> Iterator[str]:
    """The modules that an import may import, packages before what is in them."""
    if isinstance(node, ast.Import):
        for alias in node.names:
            yield from prefixes(alias.name)
        return
    base = _absolute(node, package)
    yield from prefixes(base) if base else ()
    yield from (dotted for name, dotted in import_bindings(node, package) if name != "*")


def prefixes(dotted: str) -> list[str]:
    """`a.b.c` → `a`, `a.b`, `a.b.c`: the packages that a module is in, and itself."""
    parts = dotted.split(".")
    return [".".join(parts[:end]) for end in range(1, len(parts) + 1)]


def _absolute(node: ast.ImportFrom, package: str) -> str:
    """The module that a `from ... import` names; empty if that is outside of all packages."""
    if node.level == 0:
        return node.module or ""
    parts = package.split(".")
    base = ".".join(parts[: len(parts) - node.level + 1])
    return f"{base}.{node.module}" if node.module and base else node.module or base
