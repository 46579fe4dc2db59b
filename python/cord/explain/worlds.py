"""What the program sets between calls, so that one made ahead is not used; for explanations."""

from __future__ import annotations

import ast
from collections.abc import Callable, Container, Iterator, Mapping

from cord.knowledge.methods import CHANGER_NAMES
from cord.knowledge.outside import find
from cord.knowledge.rows import SETS
from cord.source.records import dataclass
from cord.source.scope import bound_names, own_nodes
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


@dataclass(frozen=True, slots=True)
class _Scope:
    """Where a node runs.

    Attributes:
        found: What is known of its module.
        local: The variables there that are no globals.
        owner: The class of whose methods it is; empty outside of classes.
        binds: Whether a name that is bound there is a global.
    """

    found: Found
    local: Container[str]
    owner: str
    binds: Callable[[str], bool]


class Worlds:
    """Tells what is set while scouts are ahead of the program.

    Args:
        foresight: What scouts foresee.
        reached: Tells for a remote function, by its module and name, by module which names of the
            project it may read; None where that is not known.
    """

    def __init__(
        self, foresight: Foresight, reached: Callable[[str, str], Mapping[str, set[str]] | None]
    ) -> None:
        self._foresight = foresight
        self._project = foresight.project
        self._reached_by = reached
        self._own: dict[ast.AST, list[ast.AST]] = {}
        self._reached: Mapping[str, set[str]] | None = None

    def set_between(self, place: Place, way: Way) -> ast.AST | None:
        """What sets something between a call and those from which scouts come to it.

        Args:
            place: The call, of a remote function.
            way: How scouts come to it.
        """
        nodes = [*self._before(place, way), *self._in_turns(place)]
        if way.kind == "caller":
            nodes += self._in_turns(way.at)
        site = self._foresight.sites[place]
        self._reached = self._reached_by(site.meaning.module, site.meaning.name)
        is_script = isinstance(site.region.node, ast.Module)
        found = self._foresight.scouts.found(place[0])
        scope = _Scope(found, () if is_script else site.region.local, "", lambda _: is_script)
        return next((node for node in nodes if self._sets(scope, node, set())), None)

    def _in_turns(self, place: Place) -> list[ast.AST]:
        loops = self._foresight.loops_around(place)
        return list(own_nodes(loops[0])) if loops else []

    def _before(self, place: Place, way: Way) -> Iterator[ast.AST]:
        site = self._foresight.sites[place]
        begin = self._foresight.sites[way.at].node.lineno if way.kind == "before" else 0
        if way.kind != "loop":
            if site.region.node not in self._own:
                self._own[site.region.node] = list(own_nodes(site.region.node))
            for node in self._own[site.region.node]:
                if begin <= getattr(node, "lineno", -1) < site.node.lineno:
                    yield node

    def _sets(self, scope: _Scope, node: ast.AST, seen: set[tuple[str, str]]) -> bool:
        if isinstance(node, (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Delete)):
            targets = node.targets if isinstance(node, (ast.Assign, ast.Delete)) else [node.target]
            return any(self._is_reached(scope, target) for target in targets)
        if not isinstance(node, ast.Call):
            return False
        meaning = scope.found.meaning_of.get(node)
        if meaning is not None and meaning.kind not in ("library", "builtin"):
            return any(self._does_set(*one, seen) for one in self._project.candidates(meaning))
        func = node.func
        if isinstance(func, ast.Attribute) and func.attr in CHANGER_NAMES:
            owner = self._global_of(scope, func.value)
            if owner is not None and owner[1] in (self._reached or {}).get(owner[0], ()):
                return True
        return _is_setter(scope.found, node, meaning)

    def _does_set(self, module: str, name: str, seen: set[tuple[str, str]]) -> bool:
        if (module, name) in seen or name not in self._project.surveys[module].functions:
            return False
        seen.add((module, name))
        node = self._project.function(module, name).node
        found = self._foresight.scouts.found(module)
        shared = {n for part in own_nodes(node) if isinstance(part, ast.Global) for n in part.names}
        owner = name.partition(".")[0] if name in found.module.methods else ""
        scope = _Scope(found, bound_names(node), owner, shared.__contains__)
        return any(self._sets(scope, part, seen) for part in own_nodes(node))

    def _is_reached(self, scope: _Scope, target: ast.expr) -> bool:
        """Whether a target is a global, or a part of one, that the remote function may read."""
        if isinstance(target, ast.Name) and not scope.binds(target.id):
            return False
        place = self._global_of(scope, target)
        if place is None:
            return False
        module, name = place
        if module in self._project.modules and self._reached is not None:
            return name in self._reached.get(module, ())
        return _is_of_module(scope.found, target)

    def _global_of(self, scope: _Scope, target: ast.expr) -> tuple[str, str] | None:
        """The global in which this is, by its module and name."""
        module, base, first = scope.found.module, target, ""
        while isinstance(base, (ast.Attribute, ast.Subscript, ast.Call)):
            first = base.attr if isinstance(base, ast.Attribute) else first
            base = base.func if isinstance(base, ast.Call) else base.value
        if not isinstance(base, ast.Name):
            return None
        if scope.owner and (base.id in ("cls", "type") or first == "__class__"):
            return module.name, scope.owner
        if base.id in scope.local:
            return None
        if base.id not in module.names:
            return module.name, base.id
        dotted = module.names[base.id]
        above, _, last = dotted.rpartition(".")
        return (above, last) if above in self._project.modules else (dotted, first)


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
