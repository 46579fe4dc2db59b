"""What would make a run faster: each attribute of the plan, and each line's calls."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cord.errors import PlanError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cord.tools.predict.simulated import Simulated

_CALLSTYLES = ("sync", "async", "async-demand(1)", "async-demand(2)", "async-demand(4)")
_BATCHES = (1, 16, 64)
# To write down shares for more replicas is nobody's wish.
_MOST_SHARES = 64


@dataclass(frozen=True, slots=True)
class Gain:
    """What one change would do: the time with it, and how much less that is than without."""

    change: str
    seconds: float
    saved: float


def attributes(traced: Simulated, seconds: float) -> list[Gain]:
    """The plan's attributes, each changed by itself; the best change first."""
    found = []
    for name in traced.called:
        for change in _changes(traced, name):
            try:
                plan = traced.variant([change])
            except PlanError:
                continue  # it does not fit the rest of the plan
            if plan.remote[name] != traced.plan.remote[name]:
                time = traced.predict(plan).seconds
                found.append(Gain(change, time, seconds - time))
    orders = {"longest": "the longest calls first"}
    if traced.has_priorities:
        orders["oldest"] = "no priorities"
    for order, change in orders.items():
        time = traced.predict(traced.plan, order=order).seconds
        found.append(Gain(change, time, seconds - time))
    return sorted(found, key=lambda gain: gain.seconds)


def _changes(traced: Simulated, name: str) -> Iterator[str]:
    remote = traced.plan.remote[name]
    of = f"remote.{name}"
    for style in _CALLSTYLES:
        if style != remote.callstyle:
            yield f"{of}.callstyle={style}"
    for batch in _BATCHES:
        yield f"{of}.batch={batch}"
    if remote.loadratio is None and 1 < remote.replicas <= _MOST_SHARES:
        yield f"{of}.loadratio={':'.join('1' * remote.replicas)}"


def lines(traced: Simulated, seconds: float) -> list[Gain]:
    """The program's calls, each place's half as long; the best first."""
    found = []
    for number, site in traced.sites().items():
        if number:
            time = traced.predict(traced.plan, halved=number).seconds
            found.append(Gain(f"{site.name}  {site.call}", time, seconds - time))
    return sorted(found, key=lambda gain: gain.seconds)
