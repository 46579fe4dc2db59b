"""What the calls of a program are like, from a run of it that was written down."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cord.tools.tune.space import Facts

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cord.tools.trace.reading import Trace

_NANO = 1e-9


def facts_of(trace: Trace, parameters: dict[str, tuple[str, ...]]) -> dict[str, Facts]:
    """The facts by module.

    Args:
        trace: The run.
        parameters: The parameters of the remote functions, by module.
    """
    service: dict[int, list[float]] = {}
    sizes: dict[int, list[float]] = {}
    for _, _, module, _, ran, (sent, _), outcome in trace.traced.calls():
        if ran is not None and outcome == "answered":
            service.setdefault(module, []).append((ran[1] - ran[0]) * _NANO)
            sizes.setdefault(module, []).append(float(sent))
    found = {}
    for module, name in enumerate(trace.modules):
        times = service.get(module, [])
        made = sum(
            sum(place["tally"][:-1]) for place in trace.places() if _is_of(place["call"], name)
        )
        found[name] = Facts(
            calls=max(len(times), made),
            service=_spread(times),
            sizes=_spread(sizes.get(module, [])),
            parameters=parameters.get(name, ()),
        )
    return found


def _is_of(call: str, module: str) -> bool:
    """Whether a call names a function of a module; one of several may not be told."""
    return call.startswith(f"{module.rpartition('.')[2]}.")


def _spread(values: Iterable[float]) -> tuple[float, float, float]:
    """What a tenth is below, what a tenth is above, and the mean."""
    ordered = sorted(values)
    if not ordered:
        return 0.0, 0.0, 0.0
    tenth = len(ordered) // 10
    return ordered[tenth], ordered[-1 - tenth], sum(ordered) / len(ordered)
