"""Values that calls are given by one another, in a replica: see `_core.Passed`."""

from __future__ import annotations

from _thread import _local

from cord.runtime.travel import codec

TYPE_CHECKING = False  # typing is not imported on the way to a first call
if TYPE_CHECKING:
    from cord.runtime.travel.codec import Encoded


class _Given(_local):
    """By thread, for a process may make several calls at once."""

    values: list[Encoded] = []  # noqa: RUF012  (it is replaced, never changed)


_given = _Given()


def give(values: list[Encoded]) -> None:
    """Have these values for the arguments that are decoded next."""
    _given.values = values


def received(number: int) -> object:
    """What stands in a call's arguments for one of the values that go with them."""
    made: object = codec.decode(_given.values[number])
    return made


def same(value: object) -> object:
    """The function of a call that fetches a value."""
    return value
