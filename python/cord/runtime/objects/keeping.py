"""Which arguments functions may keep beyond their calls: told by operations of their code.

What keeps an argument that can change, or knows it by its identity, is to have the program's own
object, and not a copy. Only what code does with a parameter itself is seen: it binds a global, an
item or an attribute to it, gives it to a method that changes a container, or asks for its `id`.
"""

from __future__ import annotations

import functools
from types import CodeType, FunctionType

from cord.runtime.objects.operations import container_of, operations
from cord.runtime.objects.registering import MUTATING

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from cord.runtime.objects.operations import Operation

_SCALARS = (int, float, complex, str, bytes, type(None), type, range, FunctionType)
_LOADS = frozenset({"LOAD_ATTR", "LOAD_METHOD"})
_IDENTITY = "id"


def kept_by(function: Any, inside: Iterable[FunctionType]) -> frozenset[str] | None:
    """The parameters of a function that it may keep.

    Args:
        function: The function.
        inside: What else may run in its calls.

    Returns:
        Their names; None if it may be any: others keep what it gives them.
    """
    code = getattr(function, "__code__", None)
    if any(one.__code__ is not code and kept_in(one.__code__) for one in inside):
        return None
    return kept_in(code) if isinstance(code, CodeType) else frozenset()


def keeps(
    names: frozenset[str] | None, code: CodeType, args: tuple[Any, ...], kwargs: Mapping[str, Any]
) -> bool:
    """Whether a call keeps arguments that can change.

    Args:
        names: The parameters that may be kept; None for any.
        code: The function's code.
        args: The arguments.
        kwargs: Those by name.
    """
    given = {**dict(zip(code.co_varnames[: code.co_argcount], args, strict=False)), **kwargs}
    rest = args[code.co_argcount :]
    values = [value for name, value in given.items() if names is None or name in names]
    return any(map(can_change, (*values, *rest)))


def can_change(value: Any) -> bool:
    """Whether a value may be another one later, or is known by its identity."""
    if issubclass(type(value), tuple):
        return any(map(can_change, tuple.__iter__(value)))
    return not issubclass(type(value), _SCALARS)


@functools.cache
def kept_in(code: CodeType) -> frozenset[str]:
    """The parameters that code may keep, those of functions inside it included."""
    own = frozenset(_parameters(code))
    found = own.intersection(_kept(operations(code)))
    if _IDENTITY in code.co_names:
        found |= own
    if any(kept_in(one) for one in code.co_consts if isinstance(one, CodeType)):
        found |= own
    return found


def _parameters(code: CodeType) -> tuple[str, ...]:
    count = code.co_argcount + code.co_kwonlyargcount
    count += bool(code.co_flags & 4) + bool(code.co_flags & 8)
    return code.co_varnames[:count]


def _kept(done: tuple[Operation, ...]) -> Iterable[str]:
    """The variables that operations put into something else."""
    for place, (what, name, _) in enumerate(done):
        at = place
        if what in _LOADS and name in MUTATING:
            yield from _given(done, place + 1)
            continue
        if what == "STORE_SUBSCR":
            yield from _variable(done, place)  # the item's key
            at = container_of(done, place)
        elif what == "STORE_ATTR":
            at = place - 1
        elif what != "STORE_GLOBAL":
            continue
        yield from _variable(done, at)


def _given(done: tuple[Operation, ...], place: int) -> Iterable[str]:
    """The variables that are arguments, or items of one, of the call whose arguments begin here."""
    while place < len(done) and done[place][0].startswith(("LOAD_FAST", "LOAD_CONST", "BUILD_")):
        place += 1
        if place < len(done) and done[place][0] not in (*_LOADS, "BINARY_SUBSCR"):
            yield from _variable(done, place)


def _variable(done: tuple[Operation, ...], place: int) -> Iterable[str]:
    """The variable that the operation before a place loads."""
    if 0 < place <= len(done) and done[place - 1][0] in ("LOAD_FAST", "LOAD_DEREF"):
        yield done[place - 1][1]
