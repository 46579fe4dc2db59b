"""Which loops surely run over a container, as far as the text tells; for explanations."""

from __future__ import annotations

import ast
import sys

from cord.knowledge.functions import CONTAINERS, WRAPPERS, find
from cord.knowledge.methods import VIEW_NAMES
from cord.knowledge.objects import CONTAINER_NAMES
from cord.source.scope import own_nodes
from cord.translate.sites.project import Meaning, Project
from cord.translate.sites.sites import Found
from cord.translate.sites.survey import Region

_MADE = (ast.List, ast.Tuple, ast.Set, ast.Dict, ast.ListComp, ast.SetComp, ast.DictComp)


def walked_by_loops(found: Found) -> dict[int, list[ast.expr]]:
    """What the numbered loops of a module run over, as it is written."""
    walked: dict[int, list[ast.expr]] = {}
    for node, number in found.loop_of.items():
        if isinstance(node, (ast.For, ast.comprehension)):
            walked[number] = [node.iter]
        elif isinstance(node, ast.Call) and node in found.applied_of:
            walked[number] = node.args[found.applied_of[node].walked]
    return walked


def is_container(found: Found, region: Region, node: ast.expr) -> bool:
    """Whether an expression gives a container that a scout can walk beside the program."""
    if isinstance(node, (*_MADE, ast.JoinedStr)):
        return True
    if isinstance(node, ast.Constant):
        return isinstance(node.value, (str, bytes))
    if isinstance(node, ast.Call):
        return _makes_container(found, region, node)
    if not isinstance(node, ast.Name):
        return False
    values = _values(region.node, node.id)
    if not values and node.id not in region.local:
        values = _values(found.tree, node.id)
    return bool(values) and all(
        value is not None and not isinstance(value, ast.Name) and is_container(found, region, value)
        for value in values
    )


def is_of_library(found: Found, region: Region, node: ast.expr) -> bool:
    """Whether this is something that a library keeps, as `sys.stdin` is."""
    if not isinstance(node, ast.Attribute):
        return False
    base: ast.expr = node
    while isinstance(base, ast.Attribute):
        base = base.value
    if not isinstance(base, ast.Name) or base.id in region.local:
        return False
    dotted = found.module.names.get(base.id, "")
    return dotted.partition(".")[0] in sys.stdlib_module_names


def is_declared(found: Found, region: Region, node: ast.expr, project: Project) -> bool:
    """Whether this is what a function gives that the user declares pure: an iterator, maybe."""
    if isinstance(node, ast.Call):
        meaning = found.meaning_of.get(node)
        named = isinstance(node.func, ast.Attribute) and project.assumes_method(node.func.attr)
        return named or (meaning is not None and meaning.dotted in project.assume_pure)
    if not isinstance(node, ast.Name):
        return False
    given = [value for value in _values(region.node, node.id) if isinstance(value, ast.Call)]
    return any(is_declared(found, region, value, project) for value in given)


def is_generator(found: Found, node: ast.expr, project: Project) -> bool:
    """Whether this surely is a generator of the program's."""
    if isinstance(node, ast.GeneratorExp):
        return not found.is_inlined(node)
    meaning = found.meaning_of.get(node) if isinstance(node, ast.Call) else None
    if meaning is None or meaning.kind not in ("project", "method"):
        return False
    return meaning.dotted not in project.assume_pure and bool(project.generates(meaning))


def is_made_by_program(found: Found, node: ast.expr) -> bool:
    """Whether this calls a class of the program's, or what is not known: an iterator, maybe."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
        return False
    meaning = found.meaning_of.get(node)
    return meaning is None or meaning.kind == "class"


def _makes_container(found: Found, region: Region, node: ast.Call) -> bool:
    meaning: Meaning | None = found.meaning_of.get(node)
    if meaning is not None and meaning.kind == "builtin":
        if meaning.name in WRAPPERS:
            walked = node.args if meaning.name == "zip" else node.args[:1]
            return all(is_container(found, region, argument) for argument in walked)
        return meaning.name in CONTAINERS
    if meaning is not None and meaning.kind == "library":
        row = find(meaning.of_library)
        if row is not None and row.gives_container and not row.lazy:
            return True
    if not isinstance(node.func, ast.Attribute):
        return False
    if node.func.attr in VIEW_NAMES:
        return is_container(found, region, node.func.value)
    return node.func.attr in CONTAINER_NAMES


def _values(scope: ast.AST, name: str) -> list[ast.expr | None]:
    """All that a variable is bound to in a scope; None for what is not a plain assignment."""
    values: list[ast.expr | None] = []
    plain: set[ast.AST] = set()
    for node in own_nodes(scope):
        targets: list[ast.expr] = []
        if isinstance(node, ast.Assign):
            targets = node.targets
        elif isinstance(node, ast.AnnAssign) and node.value is not None:
            targets = [node.target]
        for target in targets:
            if isinstance(target, ast.Name) and target.id == name:
                plain.add(target)
                values.append(node.value)  # type: ignore[attr-defined]
        bound = isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)
        if bound and node.id == name and node not in plain:  # type: ignore[attr-defined]
            values.append(None)
    return values
