"""The one line that a run says of itself where it was not a good one.

It comes only where it is certain, and worth a line: who asks has seen a run of some seconds. What
was lost by sending calls is what the program has spent on them beyond the time that they took in
replicas, where they rather take longer than they would have in the program: so it is more than is
told.
"""

from __future__ import annotations

import shlex
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cord.tools.names import module_of
from cord.tools.report.table import fallen_text, time_text

if TYPE_CHECKING:
    from collections.abc import Container

    from cord.plan.model import Plan

# So many seconds, and such a part of the run without them, must be lost before that is told.
_LOST = 2.0
_PART = 0.2
# So many calls must have been sent before it is told that none was ahead, ...
_SEVERAL = 10
# So many names are a line's share.
_FEW = 3


@dataclass(frozen=True, slots=True)
class Sent:
    """The calls of a run that were sent; times in seconds.

    Attributes:
        calls: How many.
        ahead: How many of them were made ahead of the program.
        spent: How long the program was at them.
        service: How long they took in replicas.
    """

    calls: int = 0
    ahead: int = 0
    spent: float = 0.0
    service: float = 0.0


@dataclass(frozen=True, slots=True)
class Run:
    """A run that has ended.

    Attributes:
        words: What names the program and its plan to another command.
        seconds: How long it took.
        sent: Its pure calls.
        wants_ahead: Whether the plan lets calls be made ahead.
        fallen: The replicas that died by themselves: module, process id and wait status.
        unused: The plan's modules, if the program has imported none of them.
    """

    words: str
    seconds: float
    sent: Sent
    wants_ahead: bool = False
    fallen: list[tuple[str, int, int | None]] = field(default_factory=list)
    unused: list[str] = field(default_factory=list)

    def line(self) -> str:
        """What is to be said of it; empty for nothing."""
        if self.unused:
            return (
                f"the program has not imported {_any_of(self.unused)}: all of it ran as without "
                f"Cord; cord init {self.words} looks for functions that can be remote"
            )
        if self.fallen:
            return f"{fallen_text(*self.fallen[0])}; cord run --stats {self.words} tells more"
        sent = self.sent
        lost = sent.spent - sent.service
        if lost >= max(_LOST, _PART * (self.seconds - lost)):
            return (
                f"of {time_text(self.seconds)} this run has lost some {time_text(lost)} by sending "
                f"calls instead of making them; cord run --stats {self.words} tells where"
            )
        matters = sent.calls >= _SEVERAL and sent.service >= _PART * self.seconds
        if self.wants_ahead and matters and not sent.ahead:
            return (
                f"none of {sent.calls:,} remote calls was made ahead of the program; "
                f"cord explain --run {self.words} tells why"
            )
        return ""


def told(
    plan: Plan,
    words: list[str],
    seconds: float,
    places: list[tuple[int, float, float, int]],
    fallen: list[tuple[str, int, int | None]],
    imported: Container[str],
) -> str:
    """What is to be said of a run; empty for nothing.

    Args:
        plan: Its plan.
        words: What names it and its program to another command.
        seconds: How long it took.
        places: By place the calls that were sent: how many, seconds of the program and of replicas,
            how many ahead.
        fallen: The replicas that died by themselves: module, process id and wait status.
        imported: The names of the modules that the program has imported.
    """
    if fallen and not plan.engine.is_local:
        return ""  # whoever starts agents has told of that, and the times are those of the loss
    calls, ahead = sum(place[0] for place in places), sum(place[3] for place in places)
    spent, service = sum(place[1] for place in places), sum(place[2] for place in places)
    modules = [module_of(one) for one in plan.remote.values()]
    wants_ahead = any(one.is_pure and one.callstyle != "sync" for one in plan.remote.values())
    return Run(
        shlex.join(words),
        seconds,
        Sent(calls, ahead, spent, service),
        wants_ahead,
        fallen,
        [] if any(name in imported for name in modules) else modules,
    ).line()


def _any_of(names: list[str]) -> str:
    """A few of several names."""
    if len(names) == 1:
        return f"the remote module {names[0]}"
    few = ", ".join(names[:_FEW]) + (", …" if len(names) > _FEW else "")
    return f"any of the remote modules ({few})"
