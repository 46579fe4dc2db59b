"""Reading the outline of a module from its source: `outlines.py` says what that is."""

from __future__ import annotations

import ast

from cord.plan.outlines import COROUTINE, Outline
from cord.source.functions import FunctionNode, is_generator
from cord.source.scope import import_bindings, parameter_names, target_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
# What gives a function that a variable holds: a partial, a lambda, another name, ...
_MAY_BE_FUNCTIONS = (ast.Call, ast.Lambda, ast.Name, ast.Attribute, ast.Subscript, ast.IfExp)
_PROPERTIES = frozenset({"property", "cached_property", "setter", "getter", "deleter"})
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
        return "an asynchronous generator function" if generates else COROUTINE
    return "a generator function" if generates else None


def _add(outline: Outline, statement: ast.stmt) -> None:
    if isinstance(statement, _FUNCTIONS):
        outline.functions[statement.name] = statement.lineno, stays_local(statement)
        outline.parameters[statement.name] = parameter_names(statement)
    elif isinstance(statement, ast.ClassDef):
        outline.others[statement.name] = "a class"
        _add_methods(outline, statement, statement.name)
    elif isinstance(statement, (ast.Import, ast.ImportFrom)):
        for name, _ in import_bindings(statement):
            outline.has_star_import |= name == "*"
            outline.others[name] = "imported"
        _note_imports(outline, statement)
    else:
        for name in _assigned(statement):
            outline.others[name] = "assigned"
            outline.variables.discard(name)
            if isinstance(getattr(statement, "value", None), _MAY_BE_FUNCTIONS):
                outline.variables.add(name)
        _note_exports(outline, statement)


def _note_imports(outline: Outline, statement: ast.Import | ast.ImportFrom) -> None:
    if isinstance(statement, ast.Import):
        return  # it binds modules
    base = "." * statement.level + (statement.module or "")
    for alias in statement.names:
        if alias.name == "*":
            outline.stars.append(base)
        else:
            outline.imports[alias.asname or alias.name] = base, alias.name


def _add_methods(outline: Outline, definition: ast.ClassDef, name: str) -> None:
    for statement in definition.body:
        if isinstance(statement, ast.ClassDef):
            _add_methods(outline, statement, f"{name}.{statement.name}")
        elif isinstance(statement, _FUNCTIONS):
            key = f"{name}.{statement.name}"
            made = (_made_by(one) for one in statement.decorator_list)
            kept = next(filter(None, made), None) or stays_local(statement)
            outline.methods[key] = statement.lineno, kept
            outline.parameters[key] = parameter_names(statement)


def _made_by(decorator: ast.expr) -> str | None:
    """What a decorator makes of a method that is called by being read."""
    name = decorator.attr if isinstance(decorator, ast.Attribute) else ""
    name = decorator.id if isinstance(decorator, ast.Name) else name
    return "a property" if name in _PROPERTIES else None


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
