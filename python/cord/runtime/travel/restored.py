"""The program's arguments are given what an undeclared call has made of them in its replica."""

from __future__ import annotations

import io
import sys
from _pickle import Unpickler, loads
from _thread import _count
from collections import OrderedDict, deque
from types import FunctionType

from cord import _core
from cord.runtime.objects.instances import slots as slots_of
from cord.runtime.travel import forms, reach
from cord.runtime.travel.faithful import reducers
from cord.runtime.travel.likeness import loss
from cord.runtime.travel.paths import follow, leads_from_names
from cord.runtime.travel.reach import Reach, held_by, is_same

TYPE_CHECKING = False  # typing is not imported on the way to a first call
if TYPE_CHECKING:
    import signal as _signal
    from collections.abc import Sequence
    from typing import Any

    from cord.runtime.travel.paths import Way
else:
    import _signal  # what `signal` wraps in enums, at a millisecond's cost


def come_home(inner: bytes, buffers: Sequence[Any] = ()) -> Any:
    """Change the arguments of the call whose outcome is read, in place.

    Args:
        inner: What `replica.restoring` has encoded.
        buffers: The buffers beside it.

    Returns:
        The call's result. What it has of the arguments are these themselves.

    Raises:
        StateConflict: Another thread has changed the arguments meanwhile.
    """
    given = _core.arguments_of_call()
    if given is None:  # it is read for its result only
        return _Reader(io.BytesIO(inner), (), buffers).load()[1]
    args, kwargs, sent = given
    if sent is not None and sent.args is not args:
        sent = None
    known = sent.reach if sent is not None else Reach((*args, *(kwargs or {}).values()))
    signature, value, changes = _Reader(io.BytesIO(inner), known.objects, buffers).load()
    numbers = [number for number, _ in changes]
    if signature != known.signature or (sent is not None and not sent.is_same(numbers)):
        from cord.errors import StateConflict

        raise StateConflict(
            "the arguments of a remote call were changed while it ran, by the call and by others",
            "let threads not share what a remote function changes, or guard it by a lock",
        )
    for number, held in changes:
        give(known.objects[number], held, known.kinds[number])
    return value


class _Sent:
    """The arguments of a call as they were sent, while others may change them.

    Attributes:
        args: The arguments.
        reach: What can be reached from them.
    """

    def __init__(self, args: tuple[Any, ...], kwargs: dict[str, Any] | None) -> None:
        self.args = args
        self.reach = Reach((*args, *(kwargs or {}).values()))
        self._held = list(map(held_by, self.reach.objects, self.reach.kinds))

    def is_same(self, numbers: list[int]) -> bool:
        """Whether these objects still hold what was sent."""
        objects, kinds = self.reach.objects, self.reach.kinds
        return all(is_same(self._held[at], held_by(objects[at], kinds[at])) for at in numbers)


_HANDLED = [
    getattr(_signal, f"SIG{name}")
    for name in "ALRM CHLD HUP INT PROF TERM USR1 USR2 VTALRM".split()
]


def note_sent(args: tuple[Any, ...], kwargs: dict[str, Any] | None) -> _Sent | None:
    """Note what a call is given, if others may change it while the call is under way.

    Args:
        args: The arguments.
        kwargs: The keyword arguments.

    Returns:
        What is noted; None if nobody else is there.
    """
    numpy = sys.modules.get("numpy")
    if numpy is not None and _overlap([*args, *(kwargs or {}).values()], numpy):
        reducers.stuck = "view of an array of which another argument is a view"
    if _count() or any(type(_signal.getsignal(one)) is FunctionType for one in _HANDLED):
        return _Sent(args, kwargs)
    return None


def _overlap(args: list[Any], numpy: Any) -> bool:
    """Whether several arrays lie in the same memory: in a replica each has its own."""
    held = [one for arg in args if type(arg) in (list, tuple) for one in arg]
    held += [one for arg in args if type(arg) is dict for one in arg.values()]
    by_memory: dict[int, list[Any]] = {}
    for one in {id(one): one for one in (*args, *held) if isinstance(one, numpy.ndarray)}.values():
        owner = one
        while getattr(owner, "base", None) is not None:
            owner = owner.base
        by_memory.setdefault(id(owner), []).append(one)
    return any(
        len(some) > _MOST_VIEWS
        or any(map(numpy.may_share_memory, some[at + 1 :], [one] * len(some)))
        for some in by_memory.values()
        for at, one in enumerate(some)
    )


# More views of one array are taken to overlap.
_MOST_VIEWS = 50


def with_own(
    inner: bytes,
    buffers: Sequence[Any],
    ways: Sequence[Way],
    copies: bytes,
    beside: Sequence[Any] = (),
) -> Any:
    """The result of a pure call, which has something of the call's arguments, or of state.

    Args:
        inner: The result, as `replica.restoring` has encoded it.
        buffers: The buffers beside it.
        ways: The ways to what it has of them, by number.
        copies: Copies of that, pickled: for who has not the arguments of the call.
        beside: The buffers beside these.

    Raises:
        Exception: The arguments, or what modules hold, are others here.
    """
    given = _core.arguments_of_call()
    named = [*map(leads_from_names, ways)]
    if given is None and not all(named):
        own = loads(copies, buffers=beside)
    else:
        args, kwargs, _ = given or ((), None, None)
        own = [follow(args, kwargs or {}, way) for way in ways]
        # what a module has put in the order of addresses lies elsewhere in another process
        if any(named) and loss(own, copies, [*beside]) is not None:
            raise LookupError("this module holds something else")
    return _Reader(io.BytesIO(inner), own, buffers).load()


class _Reader(Unpickler):
    def __init__(self, stream: io.BytesIO, known: Sequence[Any], buffers: Sequence[Any]) -> None:
        super().__init__(stream, buffers=buffers)
        self._known = known

    def persistent_load(self, pid: Any) -> Any:
        return self._known[pid] if pid < len(self._known) else None


def view_of(
    whole: Any,
    order: str,
    start: int,
    shape: tuple[int, ...],
    strides: tuple[int, ...],
    dtype: Any,
    writeable: bool,
) -> Any:
    """An array that lies in the memory of another one.

    Args:
        whole: The other one.
        order: Its order in the replica, "C" or "F".
        start: So many bytes behind its begin.
        shape: Its lengths.
        strides: Its steps, in bytes.
        dtype: Its type.
        writeable: Whether it may be written to.

    Raises:
        ValueError: The other one lies otherwise here.
    """
    import numpy as np

    laid = whole if order == "C" else whole.T
    if not laid.flags.c_contiguous:
        raise ValueError("the array lies otherwise here")
    made = np.ndarray(shape, dtype, laid, start, strides)
    made.flags.writeable = writeable
    return made


def give(obj: Any, held: Any, kind: str) -> None:
    """Let an object hold this: see `reach.held_by`."""
    if kind is reach.CELL:
        if held:
            obj.cell_contents = held[0]
        else:
            del obj.cell_contents
    elif kind is reach.FUNCTION:
        obj.__defaults__, attributes = held
        _give_dict(vars(obj), attributes)
    elif kind is reach.RANDOM:
        is_numpys = type(obj).__module__.startswith("numpy")
        (obj.set_state if is_numpys else obj.setstate)(loads(held))
    elif kind is reach.DRAWING:
        obj.bit_generator.state = loads(held)
    elif kind is reach.ITERATOR:
        _advance(obj, held)
    elif kind is reach.ARRAY:
        _give_array(obj, held)
    elif kind is reach.MEMORY:
        _give_memory(obj, held)
    elif kind is reach.ELEMENT:
        obj.tag, obj.text, obj.tail, obj.attrib, obj[:] = held
    elif kind is reach.OPAQUE:
        _give_opaque(obj, loads(held))
    else:
        _give_instance(obj, held)


def _advance(iterator: Any, held: Any) -> None:
    """Let an iterator be where its copy is."""
    while reach.Parts(iterator.__reduce__()[2:]) != held:
        try:
            next(iterator)
        except StopIteration:
            return


def _give_array(array: Any, held: Any) -> None:
    import numpy as np

    shape, dtype, content, attributes = held
    if isinstance(content, bytes):
        new = np.frombuffer(content, dtype).reshape(shape)
    else:
        new = np.empty(len(content), object)
        new[:] = content
        new = new.reshape(shape)
    plain = array.view(np.ndarray)
    if plain.shape != shape:
        if plain.size == new.size:
            array.shape = shape
        else:
            array.resize(shape, refcheck=False)
    if plain.dtype != np.dtype(dtype):
        array.dtype = dtype
    array.view(np.ndarray)[...] = new
    if attributes:
        _give_dict(vars(array), attributes)


def _give_dict(old: dict[str, Any], parts: Any) -> None:
    old.clear()
    old.update(zip(*parts, strict=True))


def _give_memory(old: Any, new: bytes) -> None:
    if type(old) is bytearray:
        if len(old) == len(new):
            memoryview(old)[:] = new  # others may look at it
        else:
            old[:] = new
        return
    view = memoryview(old)
    if not view.readonly:  # here it cannot be written, in the replica it can
        view.cast("B")[:] = new


def _give_opaque(old: Any, new: Any) -> None:
    if isinstance(old, bytearray):
        old[:] = new
    elif isinstance(old, dict):
        dict.clear(old)
        dict.update(old, new)
    elif type(old).__name__ == "array":
        old[:] = new
    elif type(old).__dictoffset__:
        vars(old).clear()
        vars(old).update(vars(new))
    else:
        old.__setstate__(new.__reduce_ex__(5)[2])


def _give_instance(obj: Any, held: Any) -> None:
    cls, items, attributes, slots = held
    if type(obj) is not cls:
        obj.__class__ = cls
    base = forms.base_of(cls)
    if issubclass(base, dict):
        _give_items(obj, base, items)
    elif base in (list, deque):
        base.clear(obj)
        base.extend(obj, items[0])
    elif issubclass(base, BaseException):
        obj.args = tuple(items[0])
    elif base is set:
        new = items[0]
        for gone in set(set.__iter__(obj)).difference(new):
            set.discard(obj, gone)
        set.update(obj, new)
    if cls.__dictoffset__:
        own = object.__getattribute__(obj, "__dict__")
        own.clear()
        own.update(zip(*attributes, strict=True))
    if slots or slots_of(cls):
        _give_slots(obj, {(place, name): value for place, name, value in slots})


def _give_items(obj: Any, base: Any, items: Any) -> None:
    own = OrderedDict if base is OrderedDict else dict
    keys, values, *factory = items
    for one in factory:  # of a defaultdict
        obj.default_factory = one
    if list(own.keys(obj)) != list(keys):
        own.clear(obj)
    for key, value in zip(keys, values, strict=True):
        own.__setitem__(obj, key, value)


def _give_slots(obj: Any, values: dict[tuple[int, str], Any]) -> None:
    for place, name, _ in forms.attributes_of(obj)[1]:
        if (place, name) not in values:
            vars(type(obj).__mro__[place])[name].__delete__(obj)
    for (place, name), value in values.items():
        vars(type(obj).__mro__[place])[name].__set__(obj, value)
