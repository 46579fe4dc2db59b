"""Where the project's functions run, and who writes its globals there."""

from __future__ import annotations

from cord.source.definitions import BODY, FunctionId
from cord.source.records import dataclass, field

from .summary import WRITES, Effect

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from .analysis import Analysis


@dataclass(slots=True)
class Places:
    """What runs in the program, what in replicas, and what is written where.

    Attributes:
        program: The functions that the program itself calls.
        writers: Of each global, the functions that write it after its module was imported.
    """

    program: set[FunctionId] = field(default_factory=set)
    writers: dict[tuple[str, str], list[tuple[FunctionId, Effect]]] = field(default_factory=dict)


def places(analysis: Analysis, remote: Mapping[str, Iterable[str]]) -> Places:
    """Finds out.

    Args:
        analysis: The project's functions.
        remote: The remote functions by module.
    """
    found = Places()
    served = {(module, name) for module, names in remote.items() for name in names}
    bodies = [(module, BODY) for module in analysis.world.modules if module not in remote]
    found.program = _reached(analysis, bodies, served)
    in_replicas = _reached(analysis, list(served), set())
    callers = _callers(analysis)
    for function in analysis.world.functions:
        for effect in analysis.summary(*function).effects.values():
            if effect.kind == WRITES and _is_first(analysis, function, effect):
                if _initialises(effect, function, callers, served):
                    continue
                if function not in in_replicas and _goes_remote(effect, served):
                    continue
                key = (effect.subject.owner, effect.subject.name)
                found.writers.setdefault(key, []).append((function, effect))
    for writers in found.writers.values():
        writers.sort(key=lambda item: (len(item[1].via), item[1].line))
    return found


def _is_first(analysis: Analysis, function: FunctionId, effect: Effect) -> bool:
    """Whether the function writes the global itself, or gives it to one that changes it."""
    if not effect.via:
        return True
    key = (effect.kind, effect.subject)
    called = analysis.summary(*function).calls
    return not any(key in analysis.summary(*callee).effects for callee in called)


def _goes_remote(effect: Effect, served: set[FunctionId]) -> bool:
    """Whether a remote function changes it: a copy, for the program passes values."""
    modules = [*(module for _, module, _ in effect.via[1:]), effect.module]
    names = [name for name, _, _ in effect.via]
    return bool(names) and any(callee in served for callee in zip(modules, names, strict=True))


def _reached(
    analysis: Analysis, start: list[FunctionId], excluded: set[FunctionId]
) -> set[FunctionId]:
    """What is called from `start`, directly or not, but for the excluded."""
    seen: set[FunctionId] = set()
    waiting = list(start)
    while waiting:
        function = waiting.pop()
        if function not in seen:
            seen.add(function)
            waiting += [f for f in analysis.summary(*function).calls if f not in excluded]
    return seen


def _callers(analysis: Analysis) -> dict[FunctionId, set[FunctionId]]:
    callers: dict[FunctionId, set[FunctionId]] = {}
    for function in analysis.world.functions:
        for called in analysis.summary(*function).calls:
            callers.setdefault(called, set()).add(function)
    return callers


def _initialises(
    effect: Effect,
    function: FunctionId,
    callers: Mapping[FunctionId, set[FunctionId]],
    served: set[FunctionId],
) -> bool:
    """Whether the function writes only while the global's own module is being imported."""
    if function in served:
        return False
    body = (effect.subject.owner, BODY)
    seen: set[FunctionId] = set()
    waiting = [function]
    while waiting:
        here = waiting.pop()
        if here == body or here in seen:
            continue
        seen.add(here)
        if here in served or here[1] == BODY or not callers.get(here):
            return False
        waiting += callers[here]
    return True
