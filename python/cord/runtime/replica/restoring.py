"""What an undeclared call changes of its arguments comes home with its outcome.

The replica notes what the arguments hold before the call. What holds something else afterwards goes
back in one pickle with the result; what both sides know already is told by its number in it.
"""

from __future__ import annotations

import functools
import io
from _pickle import dumps

from cord.runtime.travel.faithful import Faithful
from cord.runtime.travel.pieces import before_reply
from cord.runtime.travel.reach import SCALARS, Reach, held_by, is_same
from cord.runtime.travel.restored import come_home

TYPE_CHECKING = False  # typing is not imported on the way to a first call
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_PROTOCOL = 5


class Noted:
    """What the arguments of one call held before it was made."""

    def __init__(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        self._roots = (*args, *kwargs.values())
        self._reach = Reach(self._roots)
        self._signature = self._reach.signature
        self._before = list(map(held_by, self._reach.objects, self._reach.kinds))

    def _changes(self) -> list[tuple[int, Any]]:
        found = []
        for number, before in enumerate(self._before):
            now = held_by(self._reach.objects[number], self._reach.kinds[number])
            if not is_same(before, now):
                found.append((number, now))
        return found

    def home(self, value: object) -> tuple[bytes, list[Any]] | None:
        """What a call that has returned sends back.

        Args:
            value: Its result.

        Returns:
            The pickle and its buffers; None if the result is all that there is to send.

        Raises:
            Exception: Something cannot be encoded.
        """
        changes = self._changes()
        if not changes and (type(value) in SCALARS or not self._is_known(value)):
            return None
        inner, buffers = self._encoded(value, changes)
        beside: list[Any] = []
        head = dumps(_Home(inner, buffers), _PROTOCOL, buffer_callback=beside.append)
        return head, beside

    def _is_known(self, value: object) -> bool:
        """Whether a result leads to an argument."""
        inside = Reach([value])
        return any(self._reach.number_of(obj) is not None for obj in inside.objects)

    def before_reply(self, head: bytes) -> bytes:
        """Let an encoded exception make the changes when it is read.

        Args:
            head: The exception, encoded.
        """
        changes = self._changes()
        if not changes:
            return head
        inner, _ = self._encoded(None, changes, aside=False)
        return before_reply(head, come_home, inner)

    def _encoded(
        self, value: object, changes: list[tuple[int, Any]], *, aside: bool = True
    ) -> tuple[bytes, list[Any]]:
        whole = self._signature, value, changes
        try:
            return self._pickled(_Plainly, whole, aside)
        except Exception:
            return self._pickled(_by_value(), whole, aside)

    def _pickled(
        self, kind: Callable[..., Any], whole: object, aside: bool
    ) -> tuple[bytes, list[Any]]:
        stream = io.BytesIO()
        buffers: list[Any] = []
        kind(stream, self._reach, buffers.append if aside else None).dump(whole)
        return stream.getvalue(), buffers


class _Home:
    """Pickles as what gives the program's arguments what they are to hold."""

    def __init__(self, inner: bytes, buffers: list[Any]) -> None:
        self._parts = inner, list(buffers)

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return come_home, self._parts


class _Plainly(Faithful):
    def __init__(self, stream: io.BytesIO, reach: Reach, aside: Any) -> None:
        super().__init__(stream, _PROTOCOL, buffer_callback=aside)
        self._number_of = reach.number_of

    def persistent_id(self, obj: Any) -> int | None:
        return self._number_of(obj)


@functools.cache
def _by_value() -> Callable[..., Any]:
    from cord.runtime.travel.byvalue import ByValue  # it takes long to load

    class Pickler(ByValue):
        def __init__(self, stream: io.BytesIO, reach: Reach, aside: Any) -> None:
            super().__init__(stream, aside, homeward=True)
            self._number_of = reach.number_of

        def persistent_id(self, obj: Any) -> int | None:
            return self._number_of(obj)

    return Pickler
