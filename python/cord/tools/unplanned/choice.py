"""Which functions are worth being remote, by what was seen of them. Runs nothing."""

from __future__ import annotations

from cord.plan.words import WAITERS
from cord.tools.unplanned.watch import waits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from typing import Any, Final

    from cord.tools.unplanned.watch import Function

    Stacks = Mapping[tuple[Function, ...], list[float]]

# What a function must have taken: seconds, part of the time, and so many calls.
_LEAST: Final = 0.1
_SHARE: Final = 0.15
_FEWEST: Final = 3
# Of its looks so many find a call again that an earlier one has seen: it lasts longer than from one
# to the next.
_LASTING: Final = 0.2
# Seconds that a call takes at least. To send one takes a fraction of that.
_LEAST_EACH: Final = 0.0002
_ALMOST: Final = 0.8


class Taken:
    """What a function has taken.

    Attributes:
        function: The function.
        seconds: For how long it was under way.
        busy: For how many of these seconds the program's thread had a core.
    """

    __slots__ = ("busy", "function", "seconds")

    def __init__(self, function: Function) -> None:
        self.function = function
        self.seconds = self.busy = 0.0

    @property
    def waits(self) -> bool:
        """Whether it waits more than it computes."""
        return waits(self.seconds, self.busy)


def taken(stacks: Stacks) -> list[Taken]:
    """What functions have taken, with all that they call; those that take most first."""
    found: dict[int, Taken] = {}
    for stack, (seconds, busy) in stacks.items():
        for function in stack:
            one = found.setdefault(id(function), Taken(function))
            one.seconds += seconds
            one.busy += busy
    return sorted(found.values(), key=lambda one: -one.seconds)


def known(function: Function, waits: bool, inside: bool) -> Taken:
    """What is known of a function from an earlier run."""
    made = Taken(function)
    made.seconds, made.busy = 1.0, 0.0 if waits else 1.0
    function.inside = function.looks if inside else 0
    return made


def candidates(stacks: Stacks, total: float, passed: Collection[str]) -> list[Taken]:
    """The functions that have taken enough.

    Args:
        stacks: What was seen.
        total: For how many seconds.
        passed: The full names of functions that may not be remote.
    """
    return [
        one
        for one in taken(stacks)
        if one.seconds >= max(_LEAST, _SHARE * total)
        and not (one.function.is_recursive and one.function.is_inside)
        and one.function.calls >= _FEWEST
        and one.function.full not in passed
    ]


def lasts(function: Function) -> bool | None:
    """Whether its calls are long enough to be sent; None if that is to be found out."""
    if function.each is not None:
        return function.each >= _LEAST_EACH
    is_long = function.lasted >= max(_FEWEST, _LASTING * function.looks)
    return True if is_long else None


def outermost(stacks: Stacks, found: list[Taken]) -> list[Taken]:
    """Of functions that may be remote those that are to be: none is called by another one."""
    chosen: list[Taken] = []
    for one in found:
        below = sum(
            seconds
            for stack, (seconds, _) in stacks.items()
            if one.function in stack and any(_is_above(other, one, stack) for other in chosen)
        )
        if not below or below < _ALMOST * one.seconds:
            chosen.append(one)
    return chosen


def _is_above(outer: Taken, inner: Taken, stack: tuple[Function, ...]) -> bool:
    if outer.function not in stack:
        return False
    return stack.index(outer.function) < stack.index(inner.function)


def plan_of(chosen: list[Taken], script: str) -> dict[str, Any]:
    """The plan that makes functions remote, as a dict.

    Args:
        chosen: The functions.
        script: What plans call the main script.
    """
    tables: dict[str, dict[str, Any]] = {}
    for one in chosen:
        module = one.function.module
        name = script if module == "__main__" else module
        usual = {"pure": True, "only": [], "replicas": "auto"}
        table = tables.setdefault(name, usual)
        table["only"].append(one.function.name)
        if one.waits:
            table["replicas"] = WAITERS
        if module != "__main__" and one.function.owner is None and one.function.is_inside:
            table["inside"] = True
    return {"remote": tables, "report": {"warn": False}}
