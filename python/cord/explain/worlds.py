"""What the program sets between calls, so that one made ahead is not used; for explanations."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from cord.knowledge.outside import find
from cord.knowledge.rows import SETS
from cord.source.scope import own_nodes
from cord.translate.sites.project import Meaning
from cord.translate.sites.sites import Found

from .foresight import Foresight, Place, Way

# What sets something for as long as a block runs.
_FOR_A_WHILE = frozenset(
    """decimal.localcontext numpy.errstate numpy.printoptions pandas.option_context
    warnings.catch_warnings unittest.mock.patch unittest.mock.patch.object
    unittest.mock.patch.dict unittest.mock.patch.multiple""".split()
)
# What is no part of the world of calls, or shows in no call.
_OTHERS = ("random.", "numpy.random.", "gc.collect", "gc.freeze", "csv.", "os.system")
# Objects whose methods set something, and the methods.
_HOLDERS = frozenset({"os.environ", "os.environb", "sys.path", "warnings.filters"})
_CHANGES = frozenset(
    "update pop popitem setdefault clear append insert extend remove sort reverse".split()
)


class Worlds:
    """Tells what is set while scouts are ahead of the program.

    Args:
        foresight: What scouts foresee.
    """

    def __init__(self, foresight: Foresight) -> None:
        self._foresight = foresight
        self._project = foresight.project

    def set_between(self, place: Place, way: Way) -> ast.AST | None:
        """What sets something between a call and those from which scouts come to it.

        Args:
            place: The call.
            way: How scouts come to it.
        """
        nodes = [*self._before(place, way), *self._in_turns(place)]
        if way.kind == "caller":
            nodes += self._in_turns(way.at)
        module = place[0]
        return next((node for node in nodes if self._sets(module, node, set())), None)

    def _in_turns(self, place: Place) -> list[ast.AST]:
        loops = self._foresight.loops_around(place)
        return list(own_nodes(loops[0])) if loops else []

    def _before(self, place: Place, way: Way) -> Iterator[ast.AST]:
        site = self._foresight.sites[place]
        begin = self._foresight.sites[way.at].node.lineno if way.kind == "before" else 0
        if way.kind != "loop":
            for node in own_nodes(site.region.node):
                if begin <= getattr(node, "lineno", -1) < site.node.lineno:
                    yield node

    def _sets(self, module: str, node: ast.AST, seen: set[tuple[str, str]]) -> bool:
        found = self._foresight.scouts.found(module)
        if isinstance(node, (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Delete)):
            targets = node.targets if isinstance(node, (ast.Assign, ast.Delete)) else [node.target]
            return any(_is_of_module(found, target) for target in targets)
        if not isinstance(node, ast.Call):
            return False
        meaning = found.meaning_of.get(node)
        if meaning is not None and meaning.kind not in ("library", "builtin"):
            return any(self._does_set(*one, seen) for one in self._project.candidates(meaning))
        return _is_setter(found, node, meaning)

    def _does_set(self, module: str, name: str, seen: set[tuple[str, str]]) -> bool:
        if (module, name) in seen or name not in self._project.surveys[module].functions:
            return False
        seen.add((module, name))
        nodes = own_nodes(self._project.function(module, name).node)
        return any(self._sets(module, node, seen) for node in nodes)


def _is_setter(found: Found, node: ast.Call, meaning: Meaning | None) -> bool:
    func = node.func
    dotted = _dotted(found, func) if meaning is None else meaning.dotted
    if dotted.startswith(_OTHERS):
        return False
    if dotted in _FOR_A_WHILE:
        return dotted != "warnings.catch_warnings" or bool(node.keywords)
    row = find(dotted) if dotted else None
    if row is not None and SETS in row.effects:
        return True
    if not isinstance(func, ast.Attribute):
        return False
    is_change = func.attr in _CHANGES and _dotted(found, func.value) in _HOLDERS
    return is_change or func.attr == "setLevel"


def _is_of_module(found: Found, target: ast.expr) -> bool:
    """Whether this is an attribute of what a module has, or an item of that."""
    if not isinstance(target, (ast.Attribute, ast.Subscript)):
        return False
    base: ast.expr = target
    while isinstance(base, (ast.Attribute, ast.Subscript, ast.Call)):
        base = base.func if isinstance(base, ast.Call) else base.value
    return isinstance(base, ast.Name) and base.id in found.module.names


def _dotted(found: Found, node: ast.expr) -> str:
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name) or node.id not in found.module.names:
        return ""
    return ".".join([found.module.names[node.id], *reversed(parts)])
