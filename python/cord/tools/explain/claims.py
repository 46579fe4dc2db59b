"""What Cord claims of every call of a program: how far ahead it is made, and why not farther."""

from __future__ import annotations

import ast
import os
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from cord._core import SHORTEST_COPIED
from cord.plan.document import key_text
from cord.tools.explain import wording
from cord.tools.explain.foresight import Foreseen, Foresight, Place
from cord.tools.explain.reception import Reception
from cord.tools.names import module_of
from cord.translate.results import MAIN, Remote
from cord.translate.scouts import Scouts
from cord.translate.sites.sites import Site

if TYPE_CHECKING:
    from cord.plan.model import FunctionPlan, Plan, RemotePlan
    from cord.tools.names import Kept
    from cord.tools.purity import Effects
    from cord.translate.sites.project import Project

AHEAD = "ahead"
BY_COPY = (
    f"ahead by a copy of the program if calls take {SHORTEST_COPIED * 1000:.0f} ms, by no scout"
)
IN_PLACE = "in place"


@dataclass(frozen=True, slots=True)
class Claim:
    """What is claimed of one call.

    Attributes:
        site: Module of the call, and its number there.
        place: File and line, as "search.py:14".
        file: The file, with its folders.
        line: The line.
        last: The line on which it ends.
        call: The call as it is written.
        verdict: `AHEAD`: as far as the text shows, a scout makes it before the program comes to it,
            the first time apart; `BY_COPY`: no scout does, but a copy of the program may;
            `IN_PLACE`: the program makes it.
        waits: The calls whose results are waited for first, in words.
        reason: How far it is made ahead, or why it is not, in words.
        remedy: What the user can do about that; None if there is nothing.
        assumes: What is taken for granted, in words; empty if nothing is.
        result: Where its result goes, in words; empty if it is not passed on.
        kept: What replicas keep of its arguments, and what a call pays for that, in words; empty if
            they keep none.
        is_remote: Whether it calls a remote function, not one of the program's own that leads to
            such calls, or a value.
        function: The remote function that it calls, with its module; empty if it calls none.
        received: Where its value is received, if that is not where the call stands, or why it is
            there although local work follows; empty for all others.
        late: Whether it may be received late.
        unlate: What the user can do where it is not.
        passed: Why scouts from some calls leave it to the program, though others make it, in words.
    """

    site: Place
    place: str
    file: str
    line: int
    last: int
    call: str
    verdict: str
    waits: tuple[str, ...]
    reason: str
    remedy: str | None
    assumes: str = ""
    result: str = ""
    kept: str = ""
    is_remote: bool = True
    function: str = ""
    received: str = ""
    late: bool = False
    unlate: str | None = None
    passed: str = ""


def claims_of(plan: Plan, project: Project, kept: Kept, effects: Effects) -> list[Claim]:
    """The claims for every call of a project, in the order of modules and lines.

    Args:
        plan: The plan.
        project: The program's own modules.
        kept: The resident parameters of each function, as `kept_parameters` names them.
        effects: What speaks against declaring functions pure that are not declared so.
    """
    claimant = _Claimant(plan, project, kept, effects)
    places = [(module, site.index) for module in project.modules for site in claimant.sites(module)]
    return [claimant.claim(place) for place in places]


class _Claimant:
    def __init__(self, plan: Plan, project: Project, kept: Kept, effects: Effects) -> None:
        self.project = project
        self.effects = effects
        self.kept = kept
        self.remote = {module_of(remote): remote for remote in plan.remote.values()}
        self.foresight = Foresight(Scouts(project), self._is_ahead)
        self.copies = plan.copies
        self.reception = Reception(project, self.foresight.scouts)

    def sites(self, module: str) -> list[Site]:
        """The calls of a module by line."""
        sites = self.foresight.scouts.found(module).sites
        return sorted(sites, key=lambda site: (site.node.lineno, site.node.col_offset))

    def claim(self, place: Place) -> Claim:
        refused = self._refused(place)
        if refused is not None:
            by_copy = self.foresight.sites[place].why_not is not None and self.copies
            verdict = BY_COPY if by_copy and self._may_be_copied(place) else IN_PLACE
            return self._make(place, verdict, *refused)
        foreseen = self.foresight.of(place)
        if not foreseen.ways:
            unseen = foreseen.passed is not None or self._unseen(place, foreseen) is not None
            by_copy = unseen and self._may_be_copied(place)
            verdict = BY_COPY if by_copy and self.copies else IN_PLACE
            reason, remedy = self._passed(place, foreseen)
            if by_copy and not self.copies and remedy is None:
                remedy = "copies = true under [run]"
            return self._make(place, verdict, reason, remedy)
        words = wording.ways(self.foresight, place, foreseen)
        straight = [one for one in self._givers(place) if self._forwards(place[0], one)]
        waits = wording.waits(self.foresight, place, wording.calls(straight))
        passed = "" if foreseen.passed is None else foreseen.passed.words()
        return self._make(place, AHEAD, words, None, waits, self._assumes(place, foreseen), passed)

    def _assumes(self, place: Place, foreseen: Foreseen) -> str:
        site = self.foresight.sites[place]
        if site.remote and self.foresight.scouts.independent(site.meaning.dotted):
            return wording.FREEDOM
        return wording.exits(frozenset().union(*(way.exits for way in foreseen.ways)))

    def _may_be_copied(self, place: Place) -> bool:
        """Whether a copy of the program may issue a call."""
        site = self.foresight.sites[place]
        if site.remote:
            settings = self.remote[site.meaning.module].function(site.meaning.name, place[0])
            return settings.pure and settings.ahead
        return any(one.ahead for one in self._methods_at(site, place[0]))

    def _methods_at(self, site: Site, client: str) -> list[FunctionPlan]:
        """The remote methods that a call may be of: it shows at run time which, if any."""
        if not (site.dynamic and isinstance(site.func, ast.Attribute)):
            return []
        return [
            remote.function(path, client)
            for remote in self.remote.values()
            for path in remote.methods
            if path.rpartition(".")[2] == site.func.attr
        ]

    def _unseen(
        self, place: Place, foreseen: Foreseen, inside: frozenset[Place] = frozenset()
    ) -> Place | None:
        """A call in a function that nobody calls, as far as the text tells, and that leads here.

        Args:
            place: The call.
            foreseen: What scouts do about it.
            inside: Calls that it leads to.

        Returns:
            The call, which may be the one at `place`; None where the text shows some way here.
        """
        if isinstance(self.foresight.sites[place].region.node, ast.Module):
            return None
        if not foreseen.callers:
            return place
        found = None
        for caller in foreseen.callers:
            if caller == place or caller in inside:
                continue
            above = self.foresight.of(caller)
            found = None if above.ways else self._unseen(caller, above, inside | {place})
            if found is None:
                return None
        return found

    def _givers(self, place: Place) -> list[Site]:
        """The calls whose results a call is given as they are."""
        node = self.foresight.sites[place].node
        sites = self.foresight.scouts.found(place[0]).sites
        return [one for one in sites if one.passing is not None and node in one.passing.to]

    def _forwards(self, module: str, site: Site) -> bool:
        settings = self.remote[site.meaning.module].function(site.meaning.name, module)
        return site.passes and settings.forward and not settings.is_tended

    def _result(self, place: Place) -> str:
        site = self.foresight.sites[place]
        if site.passing is None:
            return ""
        if site.passing.why_not is not None:
            return f"comes to the program: {site.passing.why_not}"
        if not self._forwards(place[0], site):
            is_tcp = self.remote[site.meaning.module].transport == "tcp"
            why = "its transport is tcp" if is_tcp else "forward is false"
            return f"comes to the program: {why}"
        sites = self.foresight.scouts.found(place[0]).site_of
        to = wording.calls(sites[node] for node in site.passing.to)
        return f"goes straight to {wording.together(to)}"

    def _make(
        self,
        place: Place,
        verdict: str,
        reason: str,
        remedy: str | None,
        waits: tuple[str, ...] = (),
        assumes: str = "",
        passed: str = "",
    ) -> Claim:
        site = self.foresight.sites[place]
        return Claim(
            place,
            self._where(place),
            self.project.modules[place[0]].path,
            site.node.lineno,
            site.node.end_lineno or site.node.lineno,
            ast.unparse(site.node),
            verdict,
            waits,
            reason,
            remedy,
            assumes,
            self._result(place),
            wording.keeps(self.kept.get(site.meaning.dotted, ())) if site.remote else "",
            site.remote or bool(self._methods_at(site, place[0])),
            site.meaning.dotted if site.remote else "",
            *self.reception.of(place),
            passed,
        )

    def _where(self, place: Place) -> str:
        file = os.path.basename(self.project.modules[place[0]].path)
        return f"{file}:{self.foresight.sites[place].node.lineno}"

    def _refused(self, place: Place) -> tuple[str, str | None] | None:
        """Why the plan, or where the call stands, lets no scout make it; and the remedy."""
        site = self.foresight.sites[place]
        if site.why_not is not None:
            return site.why_not, None
        if not site.remote:
            return None
        remote = self.remote[site.meaning.module]
        settings = remote.function(site.meaning.name, client=place[0])
        told = settings.pure or settings.independent
        against = None if told else self.effects.against(remote, site.meaning.name)
        if against is not None:  # nothing makes its calls early
            name = f"{remote.module}.{site.meaning.name}"
            return f"{name} is not declared pure, and is not: {against}", None
        pure = "pure = true"
        only = "if it has no effects and only its arguments matter"
        if settings.callstyle == "sync":
            style = f'callstyle = "async" in {self._styled_in(remote, place)}'
            remedy = style if told else f"{style}, and {pure}, {only}"
            why = 'its callstyle is "sync"'
            if wording.waits(self._if_ahead, place) == (wording.TURN_BEFORE,):
                return f"{why}, and each call needs what the turn before gave", None
            return why, remedy
        if settings.independent and remote.is_program:
            why = "it has effects, and what travels with a function of the main script may change"
            return why, "keep such functions in a module of their own"
        if not told:
            name = f"{remote.module}.{site.meaning.name}"
            why = f"{name} is not declared pure, so it runs when the program says"
            return why, f"{pure} in [{key_text(('remote', remote.module))}], {only}"
        return None

    @cached_property
    def _if_ahead(self) -> Foresight:
        """What scouts would do if all remote functions were called ahead."""
        project = copy(self.project)
        project.remote = {
            name: Remote(one.functions, one.functions, one.given, (), one.late)
            for name, one in project.remote.items()
        }
        return Foresight(Scouts(project), lambda *_: True)

    def _is_ahead(self, client: str, callee: str) -> bool:
        module, _, name = callee.rpartition(".")
        remote = self.remote[module]
        settings = remote.function(name, client)
        return settings.ahead and not (settings.independent and remote.is_program)

    def _styled_in(self, remote: RemotePlan, place: Place) -> str:
        """The table of the plan that says how the call of `place` is made."""
        client, name = place[0], self.foresight.sites[place].meaning.name
        if "callstyle" in remote.clients.get(client, {}):
            file = os.path.basename(self.project.modules[client].path)
            named = file.removesuffix(".py") if client == MAIN else client
            return f"[{key_text(('client', named, 'remote', remote.module))}]"
        if remote.function(name).callstyle != remote.callstyle:
            return f"[{key_text(('remote', remote.module, 'functions', name))}]"
        return f"[{key_text(('remote', remote.module))}]"

    def _passed(self, place: Place, foreseen: Foreseen) -> tuple[str, str | None]:
        """Why scouts do not make a call, and the remedy."""
        site = self.foresight.sites[place]
        onward = wording.onward(self.foresight, place, foreseen)
        reason = foreseen.passed
        if reason is None and not site.remote:
            return f"the program enters {wording.helper(site)} by itself; scouts start inside", None
        unseen = self._unseen(place, foreseen) if reason is None else None
        if unseen is not None:
            nobody = wording.unseen(self.foresight.sites[unseen])
            if unseen != place:
                nobody += f", from where {self._where(unseen)} leads here"
            return f"{nobody}; a scout starts here, for {onward}", None
        if reason is None:
            return f"it comes first; a scout starts here, for {onward}", None
        return wording.because(reason), wording.remedy(reason, self.project.modules[place[0]])
