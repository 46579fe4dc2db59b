"""From where slices come to each call of a project, as far as the text tells.

A slice comes to a call in three ways: born there, it goes on with the loops around; born at another
call of the same region, it gets there; or it comes in from a call of the function around. Whether
it may do at run time what it has to do on its way, only a run tells.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from cord.source.records import dataclass, replace
from cord.translate.analyse.known import Known
from cord.translate.analyse.report import Reason
from cord.translate.lower.lowered import GENERATES
from cord.translate.lower.tree import Call, Exit, Node, blocks, walk
from cord.translate.scouts import Scouts
from cord.translate.sites.project import INITIALIZERS, Meaning
from cord.translate.sites.sites import Site
from cord.translate.sites.survey import Region

# A call of the project: its module, and its number there.
Place = tuple[str, int]

_KINDS = ("loop", "caller", "before")
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


@dataclass(frozen=True, slots=True)
class Way:
    """A way in which slices come to a call and make it.

    Attributes:
        kind: "loop", "caller" or "before".
        at: The call at which such a slice is born, or comes in.
        waits: The results that it waits for.
        exits: The lines of the exits that it guesses are not taken.
    """

    kind: str
    at: Place
    waits: frozenset[Reason]
    exits: frozenset[int]


@dataclass(frozen=True, slots=True)
class Foreseen:
    """What slices do about one call.

    Attributes:
        ways: How they come to it and make it, the most usual kind; empty where the program makes it
            by itself.
        passed: Why slices that come by do not make it; None where none comes by.
        callers: The calls of the function around, through which one goes on that is born there.
    """

    ways: tuple[Way, ...]
    passed: Reason | None
    callers: tuple[Place, ...]

    @property
    def waits(self) -> frozenset[Reason]:
        """The results that it is always waited for before the call is made."""
        free = not self.ways or any(not one.waits for one in self.ways)
        return frozenset() if free else self.ways[0].waits


class Foresight:
    """Answers for every call of a project.

    Args:
        scouts: The slices of the project.
        ahead: Tells for a module and the dotted name of a remote function whether that module has
            it called ahead of time.
    """

    def __init__(self, scouts: Scouts, ahead: Callable[[str, str], bool]) -> None:
        self.scouts = scouts
        self.project = scouts.project
        self._ahead = ahead
        self.sites: dict[Place, Site] = {
            (module, site.index): site
            for module in self.project.modules
            for site in scouts.found(module).sites
        }
        self._values = self._used_as_values()
        self._of_function = self._calls_of_functions()
        self._ways: dict[Place, list[Way]] = {place: [] for place in self.sites}
        self._passed: dict[Place, Reason] = {}
        for place, site in self.sites.items():
            analysed = scouts.analysis_after(*place) if self._bears(place, set()) else None
            for inner, way in self._note(place, *analysed) if analysed is not None else ():
                kind = "loop" if inner.site == site.index else "before"
                self._ways[place[0], inner.site].append(replace(way, kind=kind))
        self._look_inside()

    def of(self, place: Place) -> Foreseen:
        """What slices do about a call."""
        first = min((_KINDS.index(way.kind) for way in self._ways[place]), default=0)
        ways = [way for way in self._ways[place] if way.kind == _KINDS[first]]
        ways.sort(key=lambda way: self.sites[way.at].node.lineno)
        key = self.sites[place].region.key
        callers = self._of_function.get((place[0], key), []) if key is not None else []
        return Foreseen(tuple(ways), self._passed.get(place), tuple(callers))

    def loops_around(self, place: Place) -> list[ast.AST]:
        """The loops and comprehensions in whose turns a call stands, innermost first."""
        site = self.sites[place]
        return [node for node in ast.walk(site.region.node) if _turns(node, site.node)][::-1]

    # ---- ways ----------------------------------------------------------------------------------

    def _note(self, start: Place, body: list[Node], known: Known) -> Iterator[tuple[Call, Way]]:
        """The calls that a slice makes; notes why it makes no others that it comes by."""
        exits = (one for guard in known.guards & {*walk(body)} for one in walk([guard]))
        lines = {one.line for one in exits if isinstance(one, Exit) and one.kind != "continue"}
        for node, waits in _calls(body, known, frozenset()):
            place, passed = (start[0], node.site), known.passed.get(node)
            if node in known.issued and self._is_generated(place):
                passed = Reason(node.line, GENERATES)
            elif node in known.issued:
                yield node, Way("before", start, waits, frozenset(lines))
            if passed is not None and node not in known.unreached:
                self._passed.setdefault(place, passed)

    def _is_generated(self, place: Place) -> bool:
        """Whether a loop around surely walks a generator of the program's."""
        found = self.scouts.found(place[0])
        for loop in self.loops_around(place):
            walked = [loop.iter] if isinstance(loop, ast.For) else []
            walked += [one.iter for one in getattr(loop, "generators", ())]
            for one in walked:
                meaning = found.meaning_of.get(one) if isinstance(one, ast.Call) else None
                if meaning is not None and meaning.kind in ("project", "method"):
                    is_pure = meaning.dotted in self.project.assume_pure
                    if not is_pure and self.project.generates(meaning):
                        return True
        return False

    def _look_inside(self) -> None:
        """Note what slices do inside the functions that they go into."""
        entered: set[tuple[Place, str]] = set()
        waiting = [place for place, ways in self._ways.items() if ways]
        while waiting:
            place = waiting.pop()
            for module, name in self._functions_of(place):
                makes = name.rpartition(".")[2] in INITIALIZERS
                if makes or (place, f"{module}.{name}") in entered:
                    continue
                entered.add((place, f"{module}.{name}"))
                analysed = self.scouts.analysis_entered(module, name)
                for node, way in self._note((module, -1), *analysed):
                    inner = module, node.site
                    if not self._ways[inner]:
                        waiting.append(inner)
                    self._ways[inner].append(replace(way, kind="caller", at=place))

    # ---- which calls lead where ----------------------------------------------------------------

    def _functions_of(self, place: Place) -> list[tuple[str, str]]:
        """The functions that a slice may go into from a call."""
        site = self.sites[place]
        if site.why_not is not None or site.remote:
            return []
        return self._values if site.dynamic else self._enterable(site.meaning)

    def _enterable(self, meaning: Meaning) -> list[tuple[str, str]]:
        """The functions that a call of this may run, if a slice can go into them."""
        return [
            (module, name)
            for module, name in self.project.candidates(meaning)
            if name in self.project.surveys[module].functions
            and self._region(module, name).key is not None
            and not self.project.function(module, name).generates
        ]

    def _used_as_values(self) -> list[tuple[str, str]]:
        """The functions that a call may run of which the text does not tell what it calls."""
        surveys = self.project.surveys.values()
        values = dict.fromkeys(value for found in surveys for value in found.values)
        names = [*("__call__", *INITIALIZERS), *self.project.reflected()]
        values.update((Meaning("method", "", name), None) for name in names)
        return list(dict.fromkeys(one for value in values for one in self._enterable(value)))

    def _region(self, module: str, name: str) -> Region:
        return self.scouts.found(module).region_of[self.project.function(module, name).node]

    def _calls_of_functions(self) -> dict[tuple[str, str], list[Place]]:
        calls: dict[tuple[str, str], list[Place]] = {}
        for place in self.sites:
            for module, name in self._functions_of(place):
                key = self._region(module, name).key
                assert key is not None
                calls.setdefault((module, key), []).append(place)
        return calls

    def _bears(self, place: Place, seen: set[Place]) -> bool:
        """Whether a slice may be born at a call: there, or in what it calls."""
        site = self.sites[place]
        if site.why_not is not None or not site.region.scouted:
            return False
        if site.remote:
            return self._ahead(place[0], site.meaning.dotted)
        seen.add(place)
        inside = [
            (module, inner.index)
            for module, name in self._functions_of(place)
            for inner in self._region(module, name).sites
        ]
        return site.dynamic or any(self._bears(one, seen) for one in inside if one not in seen)


def _calls(
    block: list[Node], known: Known, above: frozenset[Reason]
) -> Iterator[tuple[Call, frozenset[Reason]]]:
    """The calls of a block, each with the results that it, or a condition around it, waits for."""
    for node in block:
        waits = above | (known.needs.get(node, frozenset()) if node in known.waits else frozenset())
        if isinstance(node, Call) and node.site >= 0:
            yield node, waits
        for inner in blocks(node):
            yield from _calls(inner, known, waits)


def _turns(node: ast.AST, call: ast.expr) -> bool:
    """Whether a call is made in the turns of a loop."""
    if isinstance(node, ast.For):
        return any(inner is call for part in node.body for inner in ast.walk(part))
    loops = isinstance(node, (ast.While, *_COMPREHENSIONS))
    return loops and any(inner is call for inner in ast.walk(node))
