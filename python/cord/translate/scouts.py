"""Scouts of a project: made on demand, from the region or what is left of it."""

from __future__ import annotations

import ast

from .emit import Scout, emit
from .known import Analysis, Facts, Known
from .lower import lower
from .needed import Slice
from .project import Meaning, Module, Project
from .report import Reason
from .resume import rest_after
from .scope import target_names
from .sites import Found, Region, find_sites
from .tree import Assign, Call, Exit, Mutate, Node, Opaque, walk
from .uses import node_reads

# How many nodes of a region a scout looks at: a longer one gets a new scout where this one ends.
LONGEST = 600

# Why a value is unknown to a scout that was born after it was computed.
BEFORE = Reason(0, "it was computed before the scout began")


class Scouts:
    """Makes scouts and remembers them.

    Args:
        project: The project whose modules they belong to.
    """

    def __init__(self, project: Project) -> None:
        self.project = project
        self._found: dict[str, Found] = {}
        self._lowered: dict[Region, list[Node]] = {}
        self._after: dict[tuple[str, int], Scout | None] = {}
        self._entered: dict[tuple[str, str], Scout] = {}
        self._answers: dict[str, bool] = {}

    def found(self, module: str) -> Found:
        """The sites and regions of a module of the project."""
        if module not in self._found:
            source: Module = self.project.modules[module]
            self._found[module] = find_sites(self.project, source, source.tree)
        return self._found[module]

    def after(self, module: str, site: int) -> Scout | None:
        """The scout that goes on after a call, or None where there is none to be made."""
        key = (module, site)
        if key not in self._after:
            self._after[key] = self._make_after(module, site)
        return self._after[key]

    def entered(self, module: str, name: str) -> Scout:
        """The scout of a function of the project, from its start."""
        callee = (module, name)
        if callee not in self._entered:
            region = self._region(module, name)
            body = self._lower(region)
            known = self._analyse(body, {}, frozenset())
            cut = Slice(known, body, with_result=_answers(known))
            assert isinstance(region.node, ast.FunctionDef)
            self._entered[callee] = emit(
                region.node.name, body, known, cut, frozenset(region.local), region.node.args
            )
        return self._entered[callee]

    def analysis_after(self, module: str, site: int) -> tuple[list[Node], Known] | None:
        """What is left after a call and what a scout knows there; for explanations."""
        region = self.found(module).sites[site].region
        if region is None or not region.scouted:
            return None
        body = rest_after(self._lower(region), site)
        if body is None:
            return None
        whole = self._lower(region)
        body = _nearest(body)
        read = frozenset().union(*(node_reads(node) for node in walk(body)))
        unknown = dict.fromkeys(_temporaries(whole) & read, BEFORE)
        start = next(n for n in walk(whole) if isinstance(n, Call) and n.site == site)
        unknown[start.result] = Reason(start.line, f"it needs the result of {start.callee}()")
        # who is born gets copies of what it changes
        return body, self._analyse(body, unknown, _changed(body) - unknown.keys())

    def answers(self, callee: str) -> bool:
        """Whether a scout knows what a function returns when it knows the arguments."""
        if callee not in self._answers:
            self._answers[callee] = False  # while it is being found out, for recursion
            self._answers[callee] = all(
                self._function_answers(module, name) for module, name in self._candidates(callee)
            )
        return self._answers[callee]

    def _function_answers(self, module: str, name: str) -> bool:
        body = self._lower(self._region(module, name))
        return _answers(self._analyse(body, {}, frozenset()))

    def _candidates(self, callee: str) -> list[tuple[str, str]]:
        if callee.startswith("."):
            return self.project.candidates(Meaning("method", "", callee[1:]))
        module, _, name = callee.rpartition(".")
        return [(module, name)]

    def ahead(self, callee: str) -> bool:
        module, _, name = callee.rpartition(".")
        return name in self.project.remote[module].ahead

    def _make_after(self, module: str, site: int) -> Scout | None:
        analysed = self.analysis_after(module, site)
        if analysed is None:
            return None
        body, known = analysed
        region = self.found(module).sites[site].region
        assert region is not None
        cut = Slice(known, body, with_result=False)
        if isinstance(region.node, ast.Module):
            return emit("scout", body, known, cut, frozenset())
        return emit("scout", body, known, cut, frozenset(region.local))

    def loops_from_start(self, region: Region) -> dict[int, Reason]:
        """For explanations: why it is not known, for some loops (by number), what they run over."""
        known = self._analyse(self._lower(region), {}, frozenset())
        return {node.loop: reason for node, reason in known.iterables.items()}

    def _analyse(
        self, body: list[Node], unknown: dict[str, Reason], owned: frozenset[str]
    ) -> Known:
        analysis = Analysis(self.answers, self.ahead)
        analysis.block(body, Facts(unknown, owned))
        return analysis.known

    def _lower(self, region: Region) -> list[Node]:
        if region not in self._lowered:
            found = next(f for f in self._found.values() if region in f.regions)
            self._lowered[region] = lower(self.project, found, region)
        return self._lowered[region]

    def _region(self, module: str, name: str) -> Region:
        node = self.project.function(module, name)
        return self.found(module).region_of[node]


def _answers(known: Known) -> bool:
    skipped = any(isinstance(n, Exit) and n.kind == "return" for n in known.passed)
    return known.returns and not skipped and not known.ends


def _nearest(body: list[Node]) -> list[Node]:
    """The first statements of what is left, no more than a scout looks at."""
    total = 0
    for index, node in enumerate(body):
        total += len(walk([node]))
        if total > LONGEST and index > 0:
            return body[:index]
    return body


def _changed(body: list[Node]) -> frozenset[str]:
    """Names whose objects the region changes: a scout that starts here gets copies of them."""
    return frozenset(node.name for node in walk(body) if isinstance(node, Mutate))


def _temporaries(body: list[Node]) -> set[str]:
    names: set[str] = set()
    for node in walk(body):
        match node:
            case Assign():
                names.update(target_names(node.target))
            case Opaque():
                names.update(node.defines)
            case Mutate():
                names.add(node.name)
            case Call():
                names.add(node.result)
    return {name for name in names if name.startswith(":")}
