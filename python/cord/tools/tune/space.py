"""What can be set otherwise in a plan, as far as that may make a program faster."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cord.plan.model import RemotePlan

# Shorter calls, in seconds, travel with others in a frame.
_SHORT = 1e-3
# Arguments of so many bytes may be worth keeping at replicas.
_LARGE = 16 * 1024
# Calls are of unequal length, or arguments of unequal size, where most differ by this factor.
_UNEQUAL = 2.0
# So many parameters of a function are tried as what tells how long a call takes.
_PARAMETERS = 3
_MOST_REPLICAS = 64

Value = str | int
# Keys of the plan, with what they are set to.
Choice = tuple[tuple[str, Value], ...]


@dataclass(frozen=True, slots=True)
class Facts:
    """What the calls of one remote module were like in a run.

    Attributes:
        calls: How many.
        service: How long they took, the shorter and the longer ones (a tenth is shorter, a tenth is
            longer), and the mean; in seconds.
        sizes: The same of the bytes of their arguments.
        parameters: The names of the parameters of the functions.
    """

    calls: int = 0
    service: tuple[float, float, float] = (0.0, 0.0, 0.0)
    sizes: tuple[float, float, float] = (0.0, 0.0, 0.0)
    parameters: tuple[str, ...] = ()

    @property
    def are_unequal(self) -> bool:
        """Whether calls are of unequal length."""
        short, long, _ = self.service
        return long > _UNEQUAL * short


@dataclass(frozen=True, slots=True)
class Axis:
    """One thing that can be set otherwise.

    Attributes:
        name: What it is, for who watches.
        options: The other ways to set it.
        is_ladder: Whether each is more of the same: one is worth a try only if the last one was
            better.
    """

    name: str
    options: list[Choice] = field(default_factory=list)
    is_ladder: bool = False


def axes(remotes: list[RemotePlan], facts: dict[str, Facts], cores: int) -> list[Axis]:
    """What can be tried, what matters most first.

    Args:
        remotes: The remote modules of the plan.
        facts: What their calls are like, by module; those without are left as they are.
        cores: How many cores there are for replicas.
    """
    found: list[Axis] = []
    for remote in remotes:
        known = facts.get(remote.module, Facts())
        if known.calls > 1:
            found += _Module(remote, known, cores).axes()
    order = ("callstyle", "replicas", "resident", "batch", "priority", "shares", "topology")
    found.sort(key=lambda axis: order.index(axis.name.rpartition(" ")[2]))
    return [axis for axis in found if axis.options]


class _Module:
    def __init__(self, remote: RemotePlan, facts: Facts, cores: int) -> None:
        self.remote = remote
        self.facts = facts
        self.cores = cores
        self.name = remote.module
        self.key = f'remote."{remote.module}"'

    def axes(self) -> Iterator[Axis]:
        remote = self.remote
        yield Axis(f"{self.name} callstyle", list(self._styles()))
        free = not (remote.names or remote.speed or remote.loadratio or remote.migration)
        if free and not self._is_impure:
            yield Axis(f"{self.name} replicas", list(self._fewer()))
            yield Axis(f"{self.name} replicas", list(self._more()), is_ladder=True)
        if not remote.resident and self.facts.sizes[2] >= _LARGE:
            yield Axis(f"{self.name} resident", [self._set("resident", "auto")])
        if self.facts.service[2] < _SHORT:
            sizes = (1, 8, 64, 256)
            yield Axis(f"{self.name} batch", [self._set("batch", size) for size in sizes])
        if remote.priority is None and self.facts.are_unequal and not self._is_impure:
            yield Axis(f"{self.name} priority", list(self._priorities()))
        if remote.replicas > 1 and remote.migration is None and remote.transport != "tcp":
            yield Axis(f"{self.name} shares", list(self._shares()))
            yield Axis(f"{self.name} topology", list(self._topologies()))

    def _set(self, key: str, value: Value) -> Choice:
        return ((f"{self.key}.{key}", value),)

    @property
    def _is_impure(self) -> bool:
        return not (self.remote.pure or self.remote.independent)

    def _styles(self) -> Iterator[Choice]:
        if self._is_impure:
            return
        styles = ("async", *(f"async-demand({n})" for n in (1, 2, 4, 16)), "sync")
        for style in styles:
            if style != self.remote.callstyle:
                yield self._set("callstyle", style)

    def _fewer(self) -> Iterator[Choice]:
        now = self._replicas
        for many in sorted({1, self.cores, now // 2}):
            if 1 <= many < now:
                yield self._set("replicas", many)

    def _more(self) -> Iterator[Choice]:
        now, most = self._replicas, min(_MOST_REPLICAS, self.facts.calls)
        many = self.cores if now < self.cores else 2 * now
        while now < many <= most:
            yield self._set("replicas", many)
            many *= 2

    @property
    def _replicas(self) -> int:
        return self.remote.replicas or self.cores

    def _priorities(self) -> Iterator[Choice]:
        short, long, _ = self.facts.sizes
        sized = long > _UNEQUAL * short
        for name in self.facts.parameters[:_PARAMETERS]:
            texts = (f"len({name})",) if sized else (name, f"-{name}")
            yield from (self._set("priority", text) for text in texts)

    def _shares(self) -> Iterator[Choice]:
        remote = self.remote
        if remote.speed is None or remote.loadratio is not None:
            return
        least = min(remote.speed)
        yield self._set("loadratio", ":".join(str(round(one / least)) for one in remote.speed))

    def _topologies(self) -> Iterator[Choice]:
        if not (self.facts.are_unequal or self.remote.speed):
            return
        for shape in ("full", "ring"):
            yield (*self._set("topology", shape), *self._set("underload", "load <= 1"))
