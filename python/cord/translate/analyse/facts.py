"""What a scout knows at one point of a region."""

from __future__ import annotations

from collections.abc import Iterable

from cord.source.records import dataclass, field, replace
from cord.translate.lower.access_paths import is_unknown

from .report import Reason

# Why nothing is certain where a scout begins anywhere else than behind a call with effects.
BEGINS = Reason(0, "no scout that starts elsewhere is certain that the program makes this call")


@dataclass(frozen=True, slots=True)
class Facts:
    """At one point: what is unknown and why, and which names hold objects of the scout's own.

    Attributes:
        unknown: Names and attribute paths whose values a scout cannot have, with the reason.
        owned: Names of containers that only the scout has.
        paths: Those of the unknown that are attribute paths.
        pending: Names whose values may still have to be waited for, with the reason.
        holding: Those of them that are containers which may hold such values.
        unsure: Names of containers of the scout's own that the program may have added more to,
            with the reason: what is at the front is known, where they end is not.
        uncertain: Why the program may not come here, or not as the scout does; None if only calls
            with effects may keep it from that.
    """

    unknown: dict[str, Reason]
    owned: frozenset[str]
    paths: frozenset[str] = frozenset()
    pending: dict[str, Reason] = field(default_factory=dict)
    holding: frozenset[str] = frozenset()
    unsure: dict[str, Reason] = field(default_factory=dict)
    uncertain: Reason | None = BEGINS

    def why(self, read: frozenset[str]) -> Reason | None:
        """Why one of the things read is unknown; None where all are known or will be."""
        for name in read:
            if name in self.unknown:
                return self.unknown[name]
            if name in self.unsure:
                return self.unsure[name]
        if self.paths:
            for name in read:
                for path in self.paths:
                    if is_unknown(name, path):
                        return self.unknown[path]
        return None

    def waits(self, read: frozenset[str]) -> frozenset[str]:
        """Those of the names read whose values may have to be waited for."""
        return read.intersection(self.pending) if self.pending else frozenset()

    def lose(self, names: Iterable[str], reason: Reason) -> Facts:
        """The facts after something may have changed what these names stand for."""
        names = tuple(names)
        unknown = dict(self.unknown)
        for name in names:
            if name not in unknown or unknown[name].line == 0:
                unknown[name] = reason
        paths = self.paths.union(name for name in names if "." in name)
        return Facts(
            unknown,
            self.owned.difference(names),
            paths,
            _without(self.pending, names),
            self.holding.difference(names),
            _without(self.unsure, names),
            self.uncertain,
        )

    def define(self, name: str, owned: bool) -> Facts:
        """The facts after a name is bound to something known."""
        owns = self.owned | {name} if owned else self.owned - {name}
        unknown, paths = self.unknown, self.paths
        inside = [path for path in paths if path.startswith(name + ".")]
        if name in unknown or inside:
            unknown = _without(unknown, (name, *inside))
            paths = paths.difference(inside)
        return Facts(
            unknown,
            owns,
            paths,
            _without(self.pending, (name,)),
            self.holding - {name},
            _without(self.unsure, (name,)),
            self.uncertain,
        )

    def await_(self, name: str, reason: Reason) -> Facts:
        """The facts after a name is bound to a value that is still to come."""
        known = self.define(name, False)
        return replace(known, pending={**known.pending, name: reason})

    def hold(self, name: str, reason: Reason) -> Facts:
        """The facts after a container got a value that is still to come."""
        pending = {**self.pending, name: self.pending.get(name, reason)}
        return replace(self, pending=pending, holding=self.holding | {name})

    def arrived(self, names: frozenset[str]) -> Facts:
        """The facts once the values of these names have been waited for."""
        if not names:
            return self
        return replace(
            self, pending=_without(self.pending, names), holding=self.holding.difference(names)
        )

    def own(self, name: str) -> Facts:
        """The facts once a name holds a container that only the scout has."""
        return replace(self, owned=self.owned | {name})

    def doubt(self, name: str, reason: Reason) -> Facts:
        """The facts after more may have been added to a container of the scout's own."""
        return replace(self, unsure={**self.unsure, name: self.unsure.get(name, reason)})

    def doubted(self, reason: Reason) -> Facts:
        """The facts once the program may go another way, or do something on its way."""
        return self if self.uncertain is not None else replace(self, uncertain=reason)

    def certain(self) -> Facts:
        """The facts behind a call with effects that the program makes."""
        return replace(self, uncertain=None)

    def sure(self, name: str) -> Facts:
        """The facts once all that was added to a container is there."""
        return replace(self, unsure=_without(self.unsure, (name,)))

    def disowned(self) -> Facts:
        """The facts for a strand of its own, which must not change what others go on to read."""
        return replace(self, owned=frozenset())


def join(left: Facts | None, right: Facts | None) -> Facts | None:
    """What is certain on both paths; None is a path that the scout does not follow."""
    if left is None or right is None:
        return left or right
    unknown, paths = left.unknown, left.paths
    if left.unknown is not right.unknown:
        unknown = {**right.unknown, **left.unknown}
        paths = left.paths | right.paths
    return Facts(
        unknown,
        left.owned & right.owned,
        paths,
        {**right.pending, **left.pending},
        left.holding | right.holding,
        {**right.unsure, **left.unsure},
        left.uncertain or right.uncertain,
    )


def _without(found: dict[str, Reason], names: Iterable[str]) -> dict[str, Reason]:
    if found.keys().isdisjoint(names):
        return found
    left = dict(found)
    for name in names:
        left.pop(name, None)
    return left
