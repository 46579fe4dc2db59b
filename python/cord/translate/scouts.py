"""Scouts of a project: made on demand, from the region or what is left of it."""

from __future__ import annotations

import ast

from cord import stdlib
from cord.source.functions import class_around

from .analyse.attributes import late_attributes
from .analyse.checks import checked
from .analyse.facts import Facts
from .analyse.known import Known
from .analyse.needed import Slice
from .analyse.paths import Analysis
from .analyse.report import Reason, needs_result
from .analyse.resume import copies, rest_after
from .analyse.strands import apart_from
from .analyse.strictness import changed_names
from .emit.emit import Scout, emit
from .lower.access_paths import node_reads
from .lower.lower import lower
from .lower.tree import (
    ANYTHING,
    OPERATION,
    Assign,
    Call,
    Exit,
    Mutate,
    Node,
    Store,
    defined,
    walk,
)
from .sites.project import Meaning, Project
from .sites.sites import Found, sites_of
from .sites.survey import Region

# How many nodes of a region a scout looks at: a longer one gets a new scout where this one ends.
LONGEST = 600

# Numbers of sites, in order.
Sites = tuple[int, ...]

# Why a value is unknown to a scout that was born after it was computed.
BEFORE = Reason(0, "what it needs was computed before that scout began")


class Scouts:
    """Makes scouts and remembers them.

    Args:
        project: The project whose modules they belong to.
    """

    def __init__(self, project: Project) -> None:
        self.project = project
        self._lowered: dict[Region, list[Node]] = {}
        self._after: dict[tuple[str, int, bool, Sites], Scout | None] = {}
        self._entered: dict[tuple[str, str, Sites], Scout] = {}
        self._answers: dict[str, bool] = {}
        self._whole: dict[tuple[str, str], Known] = {}  # of functions, from their start
        self._asked: set[str] = set()  # callees of which it is being found out whether they answer
        self._counted_on: set[str] = set()  # those of them that something has counted on meanwhile
        self._writes: dict[str, bool] = {}
        self._late: frozenset[str] | None = None

    def found(self, module: str) -> Found:
        """The sites and regions of a module of the project."""
        return sites_of(self.project, module)

    def after(
        self, module: str, site: int, with_result: bool = False, raising: Sites = ()
    ) -> Scout | None:
        """The scout that goes on after a call, or None where there is none to be made.

        Args:
            module: Module of the call.
            site: Number of the call.
            with_result: Whether it is to give what the region returns, if it can.
            raising: Sites of the module where calls raise exceptions: it looks out for that.
        """
        key = (module, site, with_result, raising)
        if key not in self._after:
            self._after[key] = self._make_after(*key)
        return self._after[key]

    def entered(self, module: str, name: str, raising: Sites = ()) -> Scout:
        """The scout of a function of the project, from its start; `raising` is as in `after`."""
        callee = (module, name, raising)
        if callee not in self._entered:
            region = self._region(module, name)
            if raising:
                body = checked(copies(self._lower(region)), raising)
                known = None
            else:
                body, known = self.analysis_entered(module, name)
            known, cut = self._cut(body, Facts({}, frozenset()), True, True, known=known)
            assert isinstance(region.node, (ast.FunctionDef, ast.Lambda))
            local, arguments = frozenset(region.local), region.node.args
            self._entered[callee] = emit(
                "scout",
                body,
                known,
                cut,
                local,
                arguments,
                region.around,
                owner=class_around(self.found(module).tree, region.node),
            )
        return self._entered[callee]

    def analysis_entered(self, module: str, name: str) -> tuple[list[Node], Known]:
        """A function of the project and what a scout knows that goes into it from a call."""
        return self._lower(self._region(module, name)), self._analyse_whole(module, name)

    def analysis_after(self, module: str, site: int) -> tuple[list[Node], Known] | None:
        """What is left after a call and what a scout knows there; for explanations."""
        left = self._left_after(module, site, ())
        if left is None:
            return None
        body, facts = left
        return body, self._analyse(body, facts)

    def _left_after(
        self, module: str, site: int, raising: Sites
    ) -> tuple[list[Node], Facts] | None:
        """What is left after a call, and the facts there."""
        region = self.found(module).sites[site].region
        if not region.scouted:
            return None
        whole = self._lower(region)
        body = rest_after(whole, site)
        if body is None:
            return None
        body, facts = self._beginning(whole, checked(body, raising))
        facts = self._with_result(whole, site, facts)
        start = next(n for n in walk(whole) if isinstance(n, Call) and n.site == site)
        if not start.helper and start.last and self.independent(start.callee):
            facts = facts.certain()
        return body, facts

    def _with_result(self, whole: list[Node], site: int, facts: Facts) -> Facts:
        """The facts once a call has been made."""
        start = next(n for n in walk(whole) if isinstance(n, Call) and n.site == site)
        reason = needs_result(start.line, start.callee)
        if start.refused is not None or (start.helper and not self.answers(start.callee)):
            facts = facts.lose((start.result,), reason)
        else:
            facts = facts.await_(start.result, reason)
        return facts

    def _beginning(self, whole: list[Node], body: list[Node]) -> tuple[list[Node], Facts]:
        """What a scout that is born in a region does, and what it knows then."""
        body = [*_computed_before(whole, body), *_nearest(body)]
        read = frozenset().union(*(node_reads(node) for node in walk(body)))
        unknown = dict.fromkeys(_temporaries(whole) & read, BEFORE)
        # who is born gets copies of what it changes
        return body, Facts(unknown, changed_names(walk(body)) - unknown.keys())

    def answers(self, callee: str) -> bool:
        """Whether a scout knows what a function returns when it knows the arguments."""
        if callee == ANYTHING:
            return True  # there will be a value, or none when the scout has seen what it is
        if callee in self._asked:  # recursion: yes, until something speaks against it
            self._counted_on.add(callee)
            return True
        if callee not in self._answers:
            self._answers[callee] = self._find_out(callee)
        return self._answers[callee]

    def _find_out(self, callee: str) -> bool:
        answers_before, whole_before = set(self._answers), set(self._whole)
        self._asked.add(callee)
        answers = False
        try:
            answers = all(
                _answers(self._analyse_whole(module, name))
                for module, name in self._candidates(callee)
            )
        finally:
            if not answers and callee in self._counted_on:  # what was found meanwhile is void
                for other in self._answers.keys() - answers_before:
                    del self._answers[other]
                for function in self._whole.keys() - whole_before:
                    del self._whole[function]
            self._asked.discard(callee)
            self._counted_on.discard(callee)
        return answers

    def _analyse_whole(self, module: str, name: str) -> Known:
        if (module, name) not in self._whole:
            body = self._lower(self._region(module, name))
            known = self._analyse(body, Facts({}, frozenset()), blocking=True)
            self._whole[module, name] = known
        return self._whole[module, name]

    def _candidates(self, callee: str) -> list[tuple[str, str]]:
        if callee.startswith("."):
            return self.project.candidates(Meaning("method", "", callee[1:]))
        module, _, name = callee.rpartition(".")
        if callee.startswith(OPERATION):
            kind, _, module = module.removeprefix(OPERATION).partition(".")
            return self.project.candidates(Meaning(kind, module, name))
        return [(module, name)]

    def writes(self, callee: str) -> bool:
        """Whether a function may change what others see."""
        if callee == ANYTHING:
            return False
        if callee not in self._writes:
            self._writes[callee] = False  # while it is being found out, for recursion
            self._writes[callee] = any(
                self._function_writes(module, name) for module, name in self._candidates(callee)
            )
        return self._writes[callee]

    def _function_writes(self, module: str, name: str) -> bool:
        return any(
            isinstance(node, (Mutate, Store))
            or (isinstance(node, Call) and node.helper and self.writes(node.callee))
            for node in walk(self._lower(self._region(module, name)))
        )

    def late(self) -> frozenset[str]:
        """The project's attributes in which there may be containers of results."""
        if self._late is None:
            calling = [
                region
                for module in self.project.modules
                for region in self.found(module).regions
                if region.scouted and region.sites
            ]
            self._late = late_attributes(self._lower(region) for region in calling)
        return self._late

    def ahead(self, callee: str) -> bool:
        module, _, name = callee.rpartition(".")
        return name in self.project.remote[module].ahead

    def independent(self, callee: str) -> bool:
        """Whether a remote function has effects, and no call of it depends on another."""
        module, _, name = callee.rpartition(".")
        return name in self.project.remote[module].independent

    def _make_after(
        self, module: str, site: int, with_result: bool, raising: Sites
    ) -> Scout | None:
        left = self._left_after(module, site, raising)
        if left is None:
            return None
        body, facts = left
        region = self.found(module).sites[site].region
        whole, outside = self._lower(region), not isinstance(region.node, ast.Module)
        known, cut = self._cut(body, facts, False, with_result, whole, outside=outside)
        local = frozenset(region.local) if outside else frozenset()
        owner = class_around(self.found(module).tree, region.node)
        return emit("scout", body, known, cut, local, owner=owner)

    def _cut(
        self,
        body: list[Node],
        facts: Facts,
        blocking: bool,
        with_result: bool,
        whole: list[Node] | None = None,
        known: Known | None = None,
        outside: bool = False,
    ) -> tuple[Known, Slice]:
        """What a scout knows where (`known`, if that was found out), and what it needs to do."""
        known = known or self._analyse(body, facts, blocking)
        cut = Slice(known, body, with_result and _answers(known), whole, outside)
        apart = apart_from(body, known, cut)
        if apart:
            known = self._analyse(body, facts, blocking, apart)
            cut = Slice(known, body, with_result and _answers(known), whole, outside)
        return known, cut

    def _analyse(
        self,
        body: list[Node],
        facts: Facts,
        blocking: bool = False,
        apart: frozenset[Node] = frozenset(),
    ) -> Known:
        analysis = Analysis(
            self.answers, self.ahead, self.independent, self.writes, self.late(), blocking, apart
        )
        analysis.block(body, facts)
        return analysis.known

    def _lower(self, region: Region) -> list[Node]:
        if region not in self._lowered:
            found = next(f for f in self.project.found.values() if region in f.regions)
            self._lowered[region] = lower(self.project, found, region)
        return self._lowered[region]

    def _region(self, module: str, name: str) -> Region:
        function = self.project.function(module, name)
        return self.found(module).region_of[function.node]


def _answers(known: Known) -> bool:
    passed = known.passed.keys() - known.unreached
    skipped = any(isinstance(node, Exit) and node.kind == "return" for node in passed)
    return known.returns and not skipped and not known.ends


def _nearest(body: list[Node]) -> list[Node]:
    """The first statements of what is left, no more than a scout looks at."""
    total = 0
    for index, node in enumerate(body):
        total += len(walk([node]))
        if total > LONGEST and index > 0:
            return body[:index]
    return body


def _computed_before(whole: list[Node], rest: list[Node]) -> list[Node]:
    """What computes again the attributes that were read before the call and are used after it."""
    made: dict[str, list[Assign]] = {}
    for node in walk(whole):
        if isinstance(node, Assign) and isinstance(node.target, ast.Name):
            made.setdefault(node.target.id, []).append(node)
    wanted = frozenset().union(*(node_reads(node) for node in walk(rest)))
    found: list[Node] = []
    for name in sorted(wanted):
        makers = made.get(name, [])
        if not name.startswith(":") or len(makers) != 1:
            continue
        value = makers[0].value
        simple = isinstance(value, ast.Attribute) and isinstance(value.value, ast.Name)
        if simple and not value.value.id.startswith(":"):  # type: ignore[attr-defined]
            found.append(stdlib.copy.copy(makers[0]))
    return found


def _temporaries(body: list[Node]) -> set[str]:
    return {name for name in defined(walk(body)) if name.startswith(":")}
