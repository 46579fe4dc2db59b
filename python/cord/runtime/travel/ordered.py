"""Pickles whose sets keep their order.

A pickle fills a new set with the elements of the old one. Of two elements that want the same place
the first now gets it, which in the old set may have been the other. So for each set the places of
its elements travel too. The price is a slower pickle, for values with sets only.
"""

from __future__ import annotations

import io
from _pickle import Unpickler, UnpicklingError
from typing import Any

from cord import _core
from cord.runtime.travel.faithful import Faithful

__all__ = ["Ordered", "Reader", "UnpicklingError", "dumps", "loads"]


def dumps(value: object, buffers: list[Any]) -> bytes | None:
    """Pickle a value that a plain pickler accepts.

    Args:
        value: The value.
        buffers: Its large buffers, as they were found before; they are found again.

    Returns:
        What only `loads` can read; None if it cannot be done.
    """
    stream = io.BytesIO()
    again: list[Any] = []
    try:
        Ordered(stream, 5, buffer_callback=again.append).dump(value)
    except Exception:
        return None  # nested too deeply for this way
    buffers[:] = again
    return stream.getvalue()


def loads(data: bytes | memoryview, buffers: list[Any]) -> Any:
    """Read what `dumps` wrote."""
    return Reader(io.BytesIO(data), buffers=buffers).load()


class _Set:
    """Pickles as a set, with the places of its elements."""

    def __init__(self, original: set[Any] | frozenset[Any]) -> None:
        self._original = original

    def __reduce__(self) -> tuple[Any, ...]:
        frozen = isinstance(self._original, frozenset)
        return _core.set_from_places, (frozen, *_core.set_places(self._original))


class Ordered(Faithful):
    """Writes so: other things may be kept by those who derive from it."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._sets: dict[int, _Set] = {}  # so that what is one set stays one

    def persistent_id(self, obj: Any) -> Any:
        """A set with its places."""
        if (type(obj) is set or type(obj) is frozenset) and len(obj) > 1:
            return self._sets.setdefault(id(obj), _Set(obj))
        return None


class Reader(Unpickler):
    """Reads what was written so."""

    def persistent_load(self, pid: Any) -> Any:
        """A set as it was made."""
        return pid
