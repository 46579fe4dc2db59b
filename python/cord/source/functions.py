"""The functions of a module, wherever they stand, and the names that are bound inside them."""

from __future__ import annotations

import ast
from collections import Counter

from .scope import bound_names, import_bindings, names_bound_by, own_nodes, parameter_names

_OUTER = (ast.Global, ast.Nonlocal)
FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef

# Says in a map of names that a name is bound to a function of the module, by its key.
DEFINED = ":"


def place(node: ast.FunctionDef | ast.Lambda) -> str:
    """The key of a function that has no name of its own at top level."""
    return f"@{node.lineno}:{node.col_offset}"


def same_place(one: ast.FunctionDef | None, other: ast.FunctionDef) -> bool:
    """Whether nodes of two parses are the same function."""
    return one is not None and place(one) == place(other)


def class_around(tree: ast.AST, node: ast.AST) -> str | None:
    """The innermost class that a node of a tree stands in."""
    stack: list[tuple[ast.AST, str | None]] = [(tree, None)]
    while stack:
        outer, owner = stack.pop()
        if outer is node:
            return owner
        inside = outer.name if isinstance(outer, ast.ClassDef) else owner
        stack.extend((child, inside) for child in ast.iter_child_nodes(outer))
    return None


def is_plain(node: ast.FunctionDef) -> bool:
    """Whether a call runs the body, or gives a generator that does: there is no decorator."""
    return not node.decorator_list


def is_generator(node: FunctionNode | ast.Lambda) -> bool:
    """Whether a call gives a generator."""
    return any(isinstance(inner, (ast.Yield, ast.YieldFrom)) for inner in own_nodes(node))


def is_method(node: ast.FunctionDef) -> bool:
    """Whether a function in a class body is a method that `x.name()` calls."""
    simple = ("staticmethod", "classmethod")
    return all(isinstance(d, ast.Name) and d.id in simple for d in node.decorator_list)


def is_getter(node: ast.FunctionDef) -> bool:
    """Whether reading an attribute calls a function in a class body."""
    if len(node.decorator_list) != 1:
        return False
    return ast.unparse(node.decorator_list[0]) in (
        "property",
        "cached_property",
        "functools.cached_property",
    )


def local_names(node: FunctionNode | ast.Lambda, package: str = "") -> dict[str, str | None]:
    """The names a function binds, and what they mean.

    What an import inside it binds has its dotted name, what a `def` or `name = lambda` alone binds
    the key of that function after `DEFINED`, all others None.

    Args:
        node: The function.
        package: The package that relative imports in it start from.
    """
    local: dict[str, str | None] = {name: None for name in bound_names(node)}
    for name, key in defined_once(node).items():
        if name in local:
            local[name] = DEFINED + key
    for inner in own_nodes(node):
        if isinstance(inner, (ast.Import, ast.ImportFrom)):
            imported = import_bindings(inner, package)
            local.update((name, dotted) for name, dotted in imported if name in local)
    return local


def defined_once(scope: ast.AST) -> dict[str, str]:
    """Names that a scope binds to one function and to nothing else, with the functions' keys."""
    keys: dict[str, str] = {}
    times = Counter(parameter_names(scope))
    for node in own_nodes(scope):
        times.update(node.names if isinstance(node, _OUTER) else names_bound_by(node))
        if isinstance(node, ast.FunctionDef) and is_plain(node):
            keys[node.name] = place(node)
        elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Lambda):
            target = node.targets[0]
            if len(node.targets) == 1 and isinstance(target, ast.Name):
                keys[target.id] = place(node.value)
    return {name: key for name, key in keys.items() if times[name] == 1}


def captured_names(node: ast.FunctionDef | ast.Lambda, around: frozenset[str]) -> tuple[str, ...]:
    """The variables of functions and comprehensions around that a function reads."""
    body = node.body if isinstance(node, ast.FunctionDef) else [node.body]
    inner = [part for top in body for part in ast.walk(top)]
    read = {n.id for n in inner if isinstance(n, ast.Name)}
    if any(isinstance(n, ast.Name) and n.id == "super" for n in inner):
        read.add("__class__")
    shared = {name for n in inner if isinstance(n, ast.Global) for name in n.names}
    return tuple(sorted((read & around) - bound_names(node) - shared))
