"""Values that calls are given by one another, in a replica: see `_core.Passed`."""

from __future__ import annotations

from _pickle import loads

TYPE_CHECKING = False  # typing is not imported on the way to a first call
if TYPE_CHECKING:
    from typing import Any

    Encoded = tuple[bytes, list[Any]]

_given: list[Encoded] = []


def give(values: list[Encoded]) -> None:
    """Have these values for the arguments that are decoded next: heads with their buffers."""
    _given[:] = values


def received(number: int) -> object:
    """What stands in a call's arguments for one of the values that go with them."""
    head, buffers = _given[number]
    return decoded(head, buffers)


def decoded(head: bytes | memoryview, buffers: list[Any]) -> Any:
    """What a pickle and its buffers hold."""
    from _pickle import UnpicklingError

    try:
        return loads(head, buffers=buffers)
    except UnpicklingError:
        from cord.runtime import ordered

        return ordered.loads(head, buffers)


def same(value: object) -> object:
    """The function of a call that fetches a value."""
    return value
