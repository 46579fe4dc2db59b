"""What scouts foresee of each call of a project, for explanations.

A scout comes to a call in three ways: born there, it goes on with the loops around; born at another
call of the same region, it gets there; or it comes in from a call of the function around.
"""

from __future__ import annotations

import ast
from collections.abc import Callable

from cord.source.records import dataclass, replace
from cord.translate.analyse.known import Known
from cord.translate.analyse.report import Reason, needs_result
from cord.translate.lower.lowered import GENERATES
from cord.translate.lower.tree import For, Node
from cord.translate.scouts import Scouts
from cord.translate.sites.project import INITIALIZERS, Meaning
from cord.translate.sites.sites import Site
from cord.translate.sites.survey import Region

from .containers import (
    is_container,
    is_declared,
    is_generator,
    is_made_by_program,
    is_of_library,
    walked_by_loops,
)
from .sightings import Sighting, sightings

# A call of the project: its module, and its number there.
Place = tuple[str, int]


@dataclass(frozen=True, slots=True)
class Way:
    """A way in which scouts come to a call and make it.

    Attributes:
        kind: "loop", "before" or "caller".
        sighting: What is known of it.
        at: The call at which such a scout is born, or comes in.
        known: What such a scout knows.
        body: What it goes through.
    """

    kind: str
    sighting: Sighting
    at: Place
    known: Known
    body: list[Node]

    @property
    def sure(self) -> bool:
        """Whether it depends on nothing that shows only at run time."""
        return not self.sighting.unsure and not self.sighting.handler


@dataclass(frozen=True, slots=True)
class Foreseen:
    """What scouts do about one call.

    Attributes:
        ways: How they come to it and make it, the most usual first; empty where the program makes
            it by itself.
        passed: Why scouts that come by do not make it; None where none comes by.
        end: Where a scout that is born there ends before the end of the region: a line, and why.
        callers: The calls of the function around, through which such a scout goes on.
        overtaken: A call at which scouts are born that pass this one by on their way to others, and
            why: while those are out, no scout is born here.
    """

    ways: tuple[Way, ...]
    passed: Reason | None
    end: tuple[int, Reason] | None
    callers: tuple[Place, ...]
    overtaken: tuple[Place, Reason] | None

    @property
    def sure(self) -> bool:
        """Whether some scout surely comes to the call."""
        return any(way.sure for way in self.ways)

    @property
    def usual(self) -> tuple[Way, ...]:
        """The ways that are like the most usual one."""
        first = self.ways[0]
        return tuple(one for one in self.ways if (one.sure, one.kind) == (first.sure, first.kind))

    @property
    def waits(self) -> frozenset[Reason]:
        """The results that it is always waited for before the call is made."""
        free = any(not way.sighting.waits for way in self.usual)
        return frozenset() if free else self.usual[0].sighting.waits


class Foresight:
    """Answers for every call of a project.

    Args:
        scouts: The scouts of the project.
        ahead: Tells for a module and the dotted name of a remote function whether that module has
            it called ahead of time.
    """

    def __init__(self, scouts: Scouts, ahead: Callable[[str, str], bool]) -> None:
        self.scouts = scouts
        self._ahead = ahead
        self.project = scouts.project
        self.sites: dict[Place, Site] = {
            (module, site.index): site
            for module in self.project.modules
            for site in scouts.found(module).sites
        }
        self._values = self._used_as_values()
        self._of_function = self._calls_of_functions()
        self._ways: dict[Place, list[Way]] = {place: [] for place in self.sites}
        self._overtaken: dict[Place, tuple[Place, Reason]] = {}
        self._around: dict[Place, list[ast.AST]] = {}
        self._passed: dict[Place, list[Reason]] = {place: [] for place in self.sites}
        for place, site in self.sites.items():
            if self._bears(place, set()):
                self._look_after(place, site)
        self._look_inside()

    def of(self, place: Place) -> Foreseen:
        """What scouts do about a call."""
        site = self.sites[place]
        ways = sorted(self._ways[place], key=self._rank)
        passed = [*self._passed[place], None]
        key = site.region.key
        callers = self._of_function.get((place[0], key), []) if key is not None else []
        return Foreseen(
            tuple(ways), passed[0], self._end(place), tuple(callers), self._overtaken.get(place)
        )

    def _rank(self, way: Way) -> tuple[bool, int, int]:
        kinds = ("loop", "caller", "before")
        return not way.sure, kinds.index(way.kind), self.sites[way.at].node.lineno

    # ---- ways ----------------------------------------------------------------------------------

    def _look_after(self, place: Place, start: Site) -> None:
        """Note what a scout does that is born at a call."""
        module = place[0]
        analysed = self.scouts.analysis_after(*place)
        if analysed is None:
            return
        body, known = analysed
        unsure = self._unsure(module, start.region)
        found = [self._unless_generated(module, seen) for seen in sightings(body, known, unsure)]
        for seen in found:
            kind = "loop" if seen.node.site == start.index else "before"
            self._note((module, seen.node.site), Way(kind, seen, place, known, body))
        self._note_overtaken(place, found, known)

    def _unless_generated(self, module: str, seen: Sighting) -> Sighting:
        """A sighting; passed by, where a loop on the way surely walks a generator."""
        found = self.scouts.found(module)
        walked = walked_by_loops(found)
        for loop in seen.unsure:
            for one in walked.get(loop.loop, []):
                if is_generator(found, one, self.project):
                    return replace(seen, passed=Reason(loop.line, GENERATES))
        return seen

    def _note_overtaken(self, start: Place, found: list[Sighting], known: Known) -> None:
        """Note the calls that a scout passes by on its way to others.

        While those are out, no other scout starts here.
        """
        made = {seen.node.site for seen in found if seen.passed is None}
        last = max((at for at, seen in enumerate(found) if seen.passed is None), default=-1)
        for seen in found[: max(last, 0)]:
            place = start[0], seen.node.site
            if seen.passed is None or seen.node.site in made or seen.node in known.unreached:
                continue
            loops = self.loops_around(place)
            if not loops or not _holds(loops[0], self.sites[start].node):
                self._overtaken.setdefault(place, (start, seen.passed))

    def walked_unseen(self, way: Way) -> list[str]:
        """What the loops of a way run over, where the text does not tell that it is a container."""
        module = way.at[0]
        found, region = self.scouts.found(module), self.sites[way.at].region
        walked = walked_by_loops(found)
        numbers = [loop.loop for loop in way.sighting.loops if isinstance(loop, For)]
        return [
            ast.unparse(one)
            for number in numbers
            for one in walked.get(number, [])
            if isinstance(one, (ast.Name, ast.Attribute)) and not is_container(found, region, one)
        ]

    def loops_around(self, place: Place) -> list[ast.AST]:
        """The loops and comprehensions in whose turns a call stands, innermost first."""
        if place not in self._around:
            site = self.sites[place]
            around = [node for node in ast.walk(site.region.node) if _turns(node, site.node)]
            self._around[place] = around[::-1]
        return self._around[place]

    def _unsure(self, module: str, region: Region) -> set[int]:
        """Numbers of the loops whose iterators a scout may not be able to copy."""
        found = self.scouts.found(module)
        unknown = self.scouts.loops_from_start(region)
        return {
            loop
            for loop, walked in walked_by_loops(found).items()
            for one in walked
            if (loop in unknown and not is_container(found, region, one))
            or is_of_library(found, region, one)
            or is_made_by_program(found, one)
            or is_declared(found, region, one, self.project)
        }

    def _look_inside(self) -> None:
        """Note what scouts do inside the functions that they go into."""
        entered: set[tuple[Place, str]] = set()
        waiting = [place for place, ways in self._ways.items() if ways]
        while waiting:
            place = waiting.pop()
            for module, name in self._functions_of(place):
                makes = name.rpartition(".")[2] in INITIALIZERS
                if makes or (place, f"{module}.{name}") in entered:
                    continue
                entered.add((place, f"{module}.{name}"))
                body, known = self.scouts.analysis_entered(module, name)
                for seen in sightings(body, known, ()):
                    inner = (module, seen.node.site)
                    before = bool(self._ways[inner])
                    self._note(inner, Way("caller", seen, place, known, body))
                    if not before and self._ways[inner]:
                        waiting.append(inner)

    def _note(self, place: Place, way: Way) -> None:
        if way.sighting.passed is None:
            self._ways[place].append(way)
        else:
            self._passed[place].append(way.sighting.passed)

    # ---- which calls lead where ----------------------------------------------------------------

    def _functions_of(self, place: Place) -> list[tuple[str, str]]:
        """The functions that a scout may go into from a call."""
        site = self.sites[place]
        if site.why_not is not None or site.remote:
            return []
        return self._values if site.dynamic else self._enterable(site.meaning)

    def _enterable(self, meaning: Meaning) -> list[tuple[str, str]]:
        """The functions that a call of this may run, if a scout can go into them."""
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
        """Whether a scout may be born at a call: there, or in what it calls."""
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

    def _end(self, place: Place) -> tuple[int, Reason] | None:
        analysed = self.scouts.analysis_after(*place)
        if analysed is None:
            return None
        _, known = analysed
        return next(((node.line, reason) for node, reason in known.ends.items()), None)


def _turns(node: ast.AST, call: ast.expr) -> bool:
    """Whether a call is made in the turns of a loop."""
    if isinstance(node, ast.For):
        return any(_holds(part, call) for part in node.body)
    comprehensions = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
    return isinstance(node, (ast.While, *comprehensions)) and _holds(node, call)


def _holds(node: ast.AST, call: ast.expr) -> bool:
    return any(inner is call for inner in ast.walk(node))


def waits_for_itself(way: Way) -> bool:
    """Whether a call needs its own result of the turn before."""
    node = way.sighting.node
    return needs_result(node.line, node.callee) in way.sighting.waits
