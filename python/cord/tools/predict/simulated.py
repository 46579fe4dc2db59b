"""A run that was written down: what is known of it, and what it would take with other plans."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cord import _core
from cord.errors import CordError
from cord.plan import program as programs
from cord.plan.document import parse
from cord.plan.whole import read_tree
from cord.runtime.client.manners import Manners

if TYPE_CHECKING:
    from cord.plan.model import Plan, RemotePlan
    from cord.tools.trace.reading import Trace

# What the simulation knows of a plan's [remote.M].
MODELLED = (
    "replicas",
    "callstyle",
    "batch",
    "loadratio",
    "lookahead",
    "migration",
    "topology",
    "overload",
    "underload",
    "share",
)
_SETTING = re.compile(r"remote\.(.+)\.([a-z_]+)\s*=")
_NANO = 1e-9


@dataclass(frozen=True, slots=True)
class AtPlace:
    """How the program spends its time at one of its calls; seconds, and numbers of calls."""

    waited: float
    spent: float
    ahead: int
    taken: int


@dataclass(frozen=True, slots=True)
class Predicted:
    """What comes of one simulation.

    Attributes:
        replicas: How many there are, of all modules together; of those with threads, how many
            threads.
        seconds: How long the program takes.
        own: Of that, its own work.
        crowded: For so long more wanted to compute than there are cores.
        places: What it spends at its calls, by the place's number.
        busy: By module: for how long its replicas run calls, all together.
    """

    replicas: int
    seconds: float
    own: float
    crowded: float
    places: list[AtPlace]
    busy: list[float]


@dataclass(frozen=True, slots=True)
class Site:
    """One of the program's calls, as its text shows it."""

    name: str
    call: str
    told: str


class Simulated:
    """A run that was written down.

    Args:
        trace: What was written down.
        settings: What is to be other than in that run's plan, each KEY=VALUE.
        variant: Another variant of its plan, if it is to be another one.

    Raises:
        CordError: It is cut off, or of a run that cannot be simulated.
    """

    def __init__(self, trace: Trace, settings: list[str], variant: str | None = None) -> None:
        path = trace.path
        if not trace.end:
            raise CordError(f"{path} is cut off: its run has not come to its end")
        self.path = path
        self.head: dict[str, Any] = trace.head
        self.end: dict[str, Any] = trace.end
        self.cores: int = self.head["cores"]
        self.seconds: float = self.end["seconds"]
        try:
            ended = int(self.seconds / _NANO)
            self._simulation = _core.Simulation(trace.traced, ended, self.cores)
        except ValueError as error:
            raise CordError(f"the run of {path} cannot be simulated: {error}") from None
        self._tree = parse(self.head["plan"]["text"] or "", self.head["plan"]["path"])
        self.traced = self._read([], None)
        self._variant, self._settings = variant, settings
        self.plan = self.variant([])

    @property
    def program(self) -> str:
        """The program's name."""
        module = self.head["module"]
        return f"-m {module}" if module else os.path.basename(self.head["program"])

    @property
    def alone(self) -> float:
        """For how long it would run without Cord: its own work, and all calls one by one."""
        return self._simulation.alone * _NANO

    @property
    def held_up(self) -> float:
        """What part of the calls' time was waiting for a core."""
        return self._simulation.held_up

    @property
    def has_priorities(self) -> bool:
        """Whether its calls had any."""
        return self._simulation.has_priorities

    @property
    def called(self) -> list[str]:
        """The modules that were called."""
        calls = self._simulation.calls
        return [name for name, count in zip(self.traced.remote, calls, strict=False) if count]

    def sites(self) -> dict[int, Site]:
        """The program's calls, by their numbers."""
        return {one["place"]: _site(one) for one in self.end["places"]}

    def variant(self, settings: list[str]) -> Plan:
        """The plan that is simulated, with these settings, too.

        Raises:
            CordError: They make no sense, or are not modelled.
        """
        settings = [*self._settings, *settings]
        for text in settings:
            found = _SETTING.match(text)
            if found is None or found[2] not in MODELLED:
                known = ", ".join(MODELLED)
                hint = f"of [remote.M] it knows {known}; for others, run the program"
                raise CordError(f"cord predict cannot tell what --set {text} would do", hint)
        read = self._read(settings, self._variant)
        for name, remote in read.remote.items():
            other = _unknown(self.traced.remote.get(name), remote)
            if other is not None:
                raise CordError(f"cord predict cannot tell what another {other} of {name} would do")
        return read

    def _read(self, settings: list[str], variant: str | None) -> Plan:
        plan, path = self.head["plan"], self.head["program"]
        if self.head["module"]:
            program = programs.module(self.head["module"])
        else:
            program = programs.script(os.path.join(self.head["folder"], path))
        if not os.path.exists(program.path):
            raise CordError(f"the program of the trace is not there any more: {program.path}")
        variant = plan["variant"] if variant is None else variant
        all_of_them = [*plan["settings"], *settings]
        read = read_tree(self._tree, plan["path"], all_of_them, program, [variant])[variant]
        return read.on_cores(self.cores) if _is_per_core(read) else read

    @property
    def noun(self) -> str:
        """What serves one call at a time: a replica, or a thread where all modules have such."""
        are_threads = all(self.plan.remote[name].threads > 1 for name in self.called)
        return "thread" if self.called and are_threads else "replica"

    def may_vary(self, plan: Plan, name: str) -> bool:
        """Whether the number of a module's replicas can be another one."""
        remote = plan.remote[name]
        fixed = remote.migration or remote.loadratio or remote.names or not remote.is_pure
        return not fixed

    def predict(
        self,
        plan: Plan,
        replicas: int | None = None,
        *,
        halved: int | None = None,
        order: str = "priority",
    ) -> Predicted:
        """What that run would have taken.

        Args:
            plan: With this plan.
            replicas: With so many replicas of each module that may have another number; threads,
                where it has such.
            halved: With the calls of this place half as long.
            order: By "priority", or the "oldest" or the "longest" calls first.
        """
        modules, total = [], 0
        for name, remote in plan.remote.items():
            is_fixed = replicas is None or not self.may_vary(plan, name)
            count = remote.places if is_fixed or replicas is None else replicas
            modules.append(self._module(name, remote, count))
            total += count if name in self.called else 0
        ahead = [remote.function("").ahead for remote in plan.remote.values()]
        is_shared = self.head["engine"] == "local"
        try:
            time, own, crowded, places, busy, _, _ = self._simulation.run(
                modules, ahead, self.cores, shared=is_shared, halved=halved, order=order
            )
        except ValueError as error:
            raise CordError(str(error)) from None
        return Predicted(
            total,
            time * _NANO,
            own * _NANO,
            crowded * _NANO,
            [AtPlace(one[0] * _NANO, one[1] * _NANO, one[2], one[3]) for one in places],
            [one * _NANO for one in busy],
        )

    def _module(self, name: str, remote: RemotePlan, replicas: int) -> _core.Module:
        """The module, its manners in the order in which the run had them."""
        before, now = Manners(self.traced.remote[name]), Manners(remote)
        order: dict[int, int] = {}
        for client in (None, *remote.clients):
            for function in ("", *remote.functions):
                was = before.number(function, client)
                order.setdefault(was, now.number(function, client))
        return now.module(replicas, replicas, [order[at] for at in sorted(order)])


def _unknown(before: RemotePlan | None, now: RemotePlan) -> str | None:
    """What is other than in the run, and not known to the simulation; None if nothing is."""
    if before is None:
        return "set of modules, with that"
    keys = ("only", "pure", "independent", "priority", "forward", "inline", "speed", "transport")
    different = (key for key in keys if getattr(before, key) != getattr(now, key))
    return next(different, None)


def _is_per_core(plan: Plan) -> bool:
    return any(remote.per_core for remote in plan.remote.values())


def _site(place: dict[str, Any]) -> Site:
    lines = place["lines"]
    name = place["call"] if lines is None else f"{os.path.basename(place['file'])}:{lines[0]}"
    told = place["told"]
    return Site(name, place["call"], told[0] if told else "")
