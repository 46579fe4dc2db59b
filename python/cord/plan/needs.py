"""Which modules functions of the main script need: what they mention, followed by its text.

A guess. It is used to import in replicas what a call would import there anyway, so a module too few
or too many costs time, no more.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from cord.plan.public import top_level
from cord.source.scope import import_bindings

_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def modules_behind(tree: ast.Module, functions: Iterable[str]) -> list[str]:
    """The modules that the script imports at its top level under names that lead from functions.

    Args:
        tree: The script.
        functions: Names of functions that it defines.

    Returns:
        Their names, in the order of the imports. `from a import b` stands for both `a` and `a.b`.
    """
    imported, mentioned = _bindings(tree)
    seen: set[str] = set()
    waiting = list(functions)
    while waiting:
        name = waiting.pop()
        if name not in seen:
            seen.add(name)
            waiting.extend(mentioned.get(name, ()))
    found = (module for name, modules in imported.items() if name in seen for module in modules)
    return list(dict.fromkeys(found))


def _bindings(tree: ast.Module) -> tuple[dict[str, list[str]], dict[str, set[str]]]:
    """By name: the modules that importing it imports, and the names that its value mentions."""
    imported: dict[str, list[str]] = {}
    mentioned: dict[str, set[str]] = {}
    for statement in top_level(tree.body):
        if isinstance(statement, ast.Import):
            for alias in statement.names:
                name = alias.asname or alias.name.partition(".")[0]
                imported.setdefault(name, []).append(alias.name)
        elif isinstance(statement, ast.ImportFrom):
            if statement.module is not None and not statement.level:
                for name, dotted in import_bindings(statement):
                    imported.setdefault(name, []).extend([statement.module, dotted])
        else:
            names_read = {node.id for node in ast.walk(statement) if isinstance(node, ast.Name)}
            for name in _bound(statement):
                mentioned.setdefault(name, set()).update(names_read)
    return imported, mentioned


def _bound(statement: ast.stmt) -> Iterator[str]:
    if isinstance(statement, _DEFINITIONS):
        yield statement.name
        return
    for node in ast.walk(statement):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
