"""Which arguments of a function replicas keep: from the names in the plan to places in a call."""

from __future__ import annotations

from cord import _core
from cord.plan.words import AUTO

TYPE_CHECKING = False  # typing is not imported on the way to a first call
if TYPE_CHECKING:
    from types import CodeType
    from typing import Any

CO_VARARGS = 4
CO_VARKEYWORDS = 8


def resident_arguments(
    keeper: _core.Keeper, names: tuple[str, ...] | str, original: Any
) -> _core.ResidentArguments | None:
    """The resident arguments of a function; None if it has none.

    Args:
        keeper: Remembers what they hold.
        names: Names of parameters, or "auto".
        original: The function.
    """
    if names == AUTO:
        return _core.ResidentArguments(keeper)
    while hasattr(original, "__wrapped__"):
        original = original.__wrapped__
    code = getattr(original, "__code__", None)
    if code is None:  # what it has is known by its callers only
        return _core.ResidentArguments(keeper, set(), set(names)) if names else None
    return _of_code(keeper, set(names), code)


def _of_code(
    keeper: _core.Keeper, wanted: set[str], code: CodeType
) -> _core.ResidentArguments | None:
    positional = code.co_varnames[: code.co_argcount]
    named = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    starred = list(code.co_varnames[len(named) :])
    rest = other_than = None
    if code.co_flags & CO_VARARGS and starred.pop(0) in wanted:
        rest = len(positional)
    if code.co_flags & CO_VARKEYWORDS and starred[0] in wanted:
        other_than = set(named[code.co_posonlyargcount :])
    positions = {at for at, name in enumerate(positional) if name in wanted}
    names = wanted.intersection(named[code.co_posonlyargcount :])
    if not positions and not names and rest is None and other_than is None:
        return None
    return _core.ResidentArguments(keeper, positions, names, rest, other_than)
