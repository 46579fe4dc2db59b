"""Reading the outline of a module from its source: `outlines.py` says what that is."""

from __future__ import annotations

import ast

from cord.plan.outlines import Outline
from cord.source.functions import FunctionNode, is_generator
from cord.source.scope import import_bindings, parameter_names, target_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_SCOPES = (*_FUNCTIONS, ast.ClassDef, ast.Lambda)


def outline_of(tree: ast.Module) -> Outline:
    """What a module binds at its top level."""
    outline = Outline({}, {})
    for statement in top_level(tree.body):
        _add(outline, statement)
    return outline


def stays_local(function: FunctionNode) -> str | None:
    """Why calls of `function` cannot travel ("a generator function"), or None."""
    generates = is_generator(function)
    if isinstance(function, ast.AsyncFunctionDef):
        return "an asynchronous generator function" if generates else "a coroutine function"
    return "a generator function" if generates else None


def _add(outline: Outline, statement: ast.stmt) -> None:
    if isinstance(statement, _FUNCTIONS):
        outline.functions[statement.name] = statement.lineno, stays_local(statement)
        outline.parameters[statement.name] = parameter_names(statement)
    elif isinstance(statement, ast.ClassDef):
        outline.others[statement.name] = "a class"
    elif isinstance(statement, (ast.Import, ast.ImportFrom)):
        for name, _ in import_bindings(statement):
            outline.has_star_import |= name == "*"
            outline.others[name] = "imported"
    else:
        for name in _assigned(statement):
            outline.others[name] = "assigned"
        _note_exports(outline, statement)


def _note_exports(outline: Outline, statement: ast.stmt) -> None:
    if isinstance(statement, ast.Assign):
        targets, value = statement.targets, statement.value
    elif isinstance(statement, (ast.AnnAssign, ast.AugAssign)) and statement.value is not None:
        targets, value = [statement.target], statement.value
    else:
        return
    if not any(isinstance(target, ast.Name) and target.id == "__all__" for target in targets):
        return
    listed = _strings(value)
    if listed is None:
        outline.exported = None
    elif isinstance(statement, ast.AugAssign):
        if outline.exported is not None:
            outline.exported |= listed
    else:
        outline.exported = listed


def top_level(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements that run when the module is imported, those inside `if`, `try`, ... too."""
    for statement in body:
        yield statement
        if isinstance(statement, _SCOPES):
            continue
        for field in ("body", "handlers", "cases", "orelse", "finalbody"):
            for part in getattr(statement, field, ()):
                # A handler or a case is no statement, but holds some.
                yield from top_level([part] if isinstance(part, ast.stmt) else part.body)


def _assigned(statement: ast.stmt) -> Iterator[str]:
    targets: list[ast.expr] = []
    if isinstance(statement, ast.Assign):
        targets = statement.targets
    elif isinstance(statement, (ast.AnnAssign, ast.AugAssign, ast.For)):
        targets = [statement.target]
    elif isinstance(statement, ast.With):
        targets = [item.optional_vars for item in statement.items if item.optional_vars]
    for target in targets:
        yield from target_names(target)


def _strings(value: ast.expr) -> set[str] | None:
    if not isinstance(value, (ast.List, ast.Tuple, ast.Set)):
        return None
    listed = set()
    for element in value.elts:
        if not (isinstance(element, ast.Constant) and isinstance(element.value, str)):
            return None
        listed.add(element.value)
    return listed
