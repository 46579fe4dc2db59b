"""What a scout relies on when it makes a call, for explanations."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from cord.knowledge.methods import AHEAD_NAMES, CHANGER_NAMES
from cord.source.functions import FunctionNode, local_names
from cord.source.modules import Module
from cord.source.records import dataclass, replace
from cord.source.scope import outer_names, own_nodes
from cord.translate.analyse.needed import Slice
from cord.translate.lower.access_paths import node_reads
from cord.translate.lower.tree import Call, Node, walk
from cord.translate.sites.project import Project
from cord.translate.sites.sites import Site

from .foresight import Way


@dataclass(frozen=True, slots=True)
class Kept:
    """Something that must stay as it is while the scout is ahead.

    Attributes:
        name: A global variable, or an attribute as the program writes it.
        lines: Where a function changes it.
    """

    name: str
    lines: tuple[int, ...]


class Assumptions:
    """Answers for the calls of one project.

    Args:
        project: The project.
    """

    def __init__(self, project: Project) -> None:
        self.project = project
        self._globals: dict[tuple[str, str], dict[FunctionNode, int]] = {}
        self._attributes: dict[str, dict[FunctionNode, int]] = {}
        self._of_classes: dict[str, set[int]] = {}  # by class and attribute, as they are written
        for module in project.modules.values():
            for node in ast.walk(module.tree):
                if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                    self._note(module, node)

    def kept(self, module: str, site: Site, way: Way) -> tuple[Kept, ...]:
        """What a scout reads for a call that functions of the project change."""
        found: dict[str, set[int]] = {}
        for name in _read_for(site, way):
            base, _, attribute = name.removesuffix(".*").rpartition(".")
            changes = self._attributes.get(attribute, {}) if base else {}
            if not base and name not in site.region.local:
                changes = self._globals.get((module, name), {})
            lines = {line for node, line in changes.items() if node is not site.region.node}
            if name.removesuffix(".*") in self._of_classes:  # no scout changes a class
                lines |= self._of_classes[name.removesuffix(".*")]
            if lines:
                found.setdefault(name.removesuffix(".*"), set()).update(lines)
        return tuple(Kept(name, tuple(sorted(lines))) for name, lines in sorted(found.items()))

    def declared(self, module: Module, site: Site, way: Way) -> tuple[str, ...]:
        """The names under `[assume]` that a scout relies on for a call."""
        names: set[str] = set()
        for node in _needed_for(site, way):
            for part in _expressions(node):
                if isinstance(part, ast.Call):
                    names.update(self._declared(module, part.func, site))
        return tuple(sorted(names))

    def _declared(self, module: Module, func: ast.expr, site: Site) -> list[str]:
        meaning = self.project.meaning(module, func, site.region.local)
        if meaning is not None:
            return [name for name in (meaning.dotted,) if name in self.project.assume_pure]
        if not isinstance(func, ast.Attribute) or func.attr in AHEAD_NAMES:
            return []
        return [name for name in self.project.assume_pure if name.endswith(f".{func.attr}")]

    # ---- what functions change -----------------------------------------------------------------

    def _note(self, module: Module, function: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        local = local_names(function).keys() - outer_names(function)
        region = self.project.surveys[module.name].region_of.get(function)
        entered = region is not None and region.key is not None
        for node in own_nodes(function):
            line = getattr(node, "lineno", 0)
            for target in _changed(node):
                if _is_of_class(target, module):
                    self._of_classes.setdefault(ast.unparse(target), set()).add(line)
                # containers a scout changes in its own copies, in what it goes into
                if entered and target is not node:
                    continue
                if isinstance(target, ast.Name) and target.id not in local:
                    self._globals.setdefault((module.name, target.id), {})[function] = line
                elif isinstance(target, ast.Attribute) and function.name != "__init__":
                    self._attributes.setdefault(target.attr, {})[function] = line


def _is_of_class(target: ast.expr, module: Module) -> bool:
    return (
        isinstance(target, ast.Attribute)
        and isinstance(target.value, ast.Name)
        and target.value.id in module.classes
    )


def _changed(node: ast.AST) -> Iterator[ast.expr]:
    """The variables and attributes that a node binds, or whose objects it changes."""
    if isinstance(node, (ast.Name, ast.Attribute)) and not isinstance(node.ctx, ast.Load):
        yield node
    elif isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load):
        yield node.value
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        yield from [node.func.value] if node.func.attr in CHANGER_NAMES else []


def _needed_for(site: Site, way: Way) -> list[Node]:
    """The nodes that a scout needs for one call of a site, and those it waits for."""
    wanted: set[Node] = {way.sighting.node}
    calls = [node for node in walk(way.body) if isinstance(node, Call)]
    while True:
        cut = Slice(replace(way.known, issued=wanted), way.body, False, whole=way.body)
        needed = [node for node in walk(way.body) if node in cut.needed]
        read = frozenset().union(*(node_reads(node) for node in needed))
        more = {call for call in calls if call.result in read and call in way.known.issued}
        if more <= wanted:
            return needed
        wanted |= more


def _read_for(site: Site, way: Way) -> frozenset[str]:
    return frozenset().union(*(node_reads(node) for node in _needed_for(site, way)))


def _expressions(node: Node) -> Iterator[ast.AST]:
    """The expressions of a node itself."""
    for name in ("value", "test", "iter", "func", "args", "keywords", "subject"):
        found = getattr(node, name, None)
        for part in found if isinstance(found, list) else [found]:
            if isinstance(part, ast.AST):
                yield from ast.walk(part)
