"""What a call has of its arguments in its result, or changes of them, comes home with its outcome.

The replica notes what the arguments of an undeclared call hold before it. What holds something else
afterwards goes back in one pickle with the result; what both sides know already is told by its
number in it. So what a result has of the arguments is the program's own, after pure calls, too; and
so is what it has of the state that a pure function reaches.
"""

from __future__ import annotations

import functools
import io
from _pickle import dumps
from contextlib import suppress

from cord import _core
from cord.runtime.replica.leftovers import Apart
from cord.runtime.travel import faithful
from cord.runtime.travel.faithful import Faithful, reducers
from cord.runtime.travel.paths import Ways
from cord.runtime.travel.pieces import before_reply
from cord.runtime.travel.reach import SCALARS, Reach, can_be_told, held_by, is_same
from cord.runtime.travel.restored import come_home, view_of, with_own

TYPE_CHECKING = False  # typing is not imported on the way to a first call
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from cord.runtime.travel.paths import Places, Way

    _NumberOf = Callable[[int], int | None]
    _Views = dict[int, tuple[Any, Any]]

_PROTOCOL = 5


class Noted:
    """What the arguments of one call held before it was made."""

    def __init__(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        self._given = args, kwargs
        self._reach = Reach((*args, *kwargs.values()))
        self._number_of = self._reach.numbers.get
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
        shared = None if type(value) in SCALARS else _core.shared(value, *self._given)
        if shared is None and not changes:
            return None
        whole = self._signature, value, changes
        with suppress(Apart):
            if shared is not None and (views := _views(shared[1])):
                return _home(come_home, *_encoded(self._number_of, whole, views))
        if not changes and (shared is None or not self._knows_any(shared[0])):
            return None
        return _home(come_home, *_encoded(self._number_of, whole))

    def _knows_any(self, objects: Iterable[object]) -> bool:
        return any(self._number_of(id(obj)) is not None for obj in objects)

    def before_reply(self, head: bytes) -> bytes:
        """Let an encoded exception make the changes when it is read.

        Args:
            head: The exception, encoded.
        """
        changes = self._changes()
        if not changes:
            return head
        whole = self._signature, None, changes
        inner, _ = _encoded(self._number_of, whole, aside=False)
        return before_reply(head, come_home, inner)


def with_arguments(
    value: object,
    shared: tuple[list[Any], list[tuple[Any, Any]]],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    places: Places | None,
) -> tuple[bytes, list[Any]] | None:
    """What a pure call that has returned sends back, if both sides have something of its result.

    Args:
        value: Its result.
        shared: What `_core.shared` tells of it.
        args: Its arguments.
        kwargs: Its keyword arguments.
        places: Where the state is that it reaches; None if that is none.

    Returns:
        The pickle and its buffers, as `Noted.home` gives them: read without the arguments, it gives
        copies. None if the result has nothing of them.

    Raises:
        Apart: Arrays of the result lie in the same memory as others, and cannot be told so.
        Exception: Something cannot be encoded.
    """
    views = _views(shared[1])
    objects = [one for one in shared[0] if can_be_told(one)]
    if not views and not objects:
        return None
    known = {id(one): one for one in (*objects, *(whole for _, whole in views.values()))}
    try:
        given = Ways(_core.trails([*known.values()], [args, kwargs]))
    except LookupError:
        raise Apart from None
    ways = {id(one): way for one, way in zip(given.objects, given.ways, strict=True)}
    if places is not None:
        missing = [one for one in known.values() if id(one) not in ways]
        more = zip(missing, map(places.way_to, missing), strict=True)
        ways.update((id(one), way) for one, way in more if way is not None)
    if any(id(one) not in ways for one in objects):
        raise Apart  # what leads to it says not how
    encoded = _encoded({one: at for at, one in enumerate(ways)}.get, value, views)
    beside: list[Any] = []
    copies = faithful.dumps([known[one] for one in ways], beside)
    return _home(with_own, *encoded, [*ways.values()], copies, beside)


def ways_to(
    objects: Iterable[object], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> dict[int, Way]:
    """The ways from arguments to those of these objects that they lead to, by their ids."""
    try:
        ways = Ways(_core.trails([one for one in objects if can_be_told(one)], [args, kwargs]))
    except LookupError:
        return {}
    return {id(one): way for one, way in zip(ways.objects, ways.ways, strict=True)}


def _views(arrays: Iterable[tuple[Any, Any]]) -> _Views:
    """Arrays that lie in the memory of others, each with the other one; by their ids."""
    return {id(view): (view, whole) for view, whole in arrays if _tells(view, whole)}


def _tells(view: Any, whole: Any) -> bool:
    """Whether a program may see that an array lies in the memory of another one."""
    import numpy as np

    if not (view.flags.writeable or (isinstance(whole, np.ndarray) and whole.flags.writeable)):
        return False
    if type(view) is not np.ndarray or type(whole) is not np.ndarray or view.dtype.hasobject:
        raise Apart
    return view.size > 0


def _home(read: Callable[..., Any], *parts: Any) -> tuple[bytes, list[Any]]:
    beside: list[Any] = []
    head = dumps(_Home(read, parts), _PROTOCOL, buffer_callback=beside.append)
    return head, beside


def _encoded(
    number_of: _NumberOf, whole: object, views: _Views | None = None, *, aside: bool = True
) -> tuple[bytes, list[Any]]:
    kind = _with_views(views) if views else _Plainly
    reducers.refresh()
    reducers.met.clear()
    try:
        encoded = _pickled(kind, number_of, whole, aside=aside)
        if faithful.confirm(whole):
            encoded = _pickled(kind, number_of, whole, aside=aside)
        return encoded
    except Exception:
        if views:
            raise
        return _pickled(_by_value(), number_of, whole, aside=aside)


def _pickled(
    kind: Callable[..., Any], number_of: _NumberOf, whole: object, *, aside: bool
) -> tuple[bytes, list[Any]]:
    stream = io.BytesIO()
    buffers: list[Any] = []
    kind(stream, number_of, buffers.append if aside else None).dump(whole)
    return stream.getvalue(), buffers


class _Home:
    """Pickles as what is read with the program's arguments at hand."""

    def __init__(self, read: Callable[..., Any], parts: tuple[Any, ...]) -> None:
        self._read, self._parts = read, parts

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return self._read, self._parts


class _Plainly(Faithful):
    def __init__(self, stream: io.BytesIO, number_of: _NumberOf, aside: Any) -> None:
        super().__init__(stream, _PROTOCOL, buffer_callback=aside)
        self._number_of = number_of

    def persistent_id(self, obj: Any) -> int | None:
        return self._number_of(id(obj))


class _WithViews(_Plainly):
    """The same for results with arrays that lie in the memory of others."""

    views: _Views

    def reducer_override(self, obj: Any) -> Any:
        found = self.views.get(id(obj))
        if found is None:
            return NotImplemented
        view, whole = found
        start = view.__array_interface__["data"][0] - whole.__array_interface__["data"][0]
        order = "C" if whole.flags.c_contiguous else "F"
        dtype = view.dtype.str if view.dtype.names is None else view.dtype
        layout = view.shape, view.strides, dtype, view.flags.writeable
        return view_of, (whole, order, start, *layout)


def _with_views(views: _Views) -> type[_WithViews]:
    return type("Pickler", (_WithViews,), {"views": views})


@functools.cache
def _by_value() -> Callable[..., Any]:
    from cord.runtime.travel.byvalue import ByValue  # it takes long to load

    class Pickler(ByValue):
        def __init__(self, stream: io.BytesIO, number_of: _NumberOf, aside: Any) -> None:
            super().__init__(stream, aside, homeward=True)
            self._number_of = number_of

        def persistent_id(self, obj: Any) -> int | None:
            return self._number_of(id(obj))

    return Pickler
