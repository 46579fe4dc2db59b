"""Pickles that hold all that there is of what they stand for.

Pickle leaves it to a class what travels of its instances: a `__getstate__` leaves a cache out, the
`__reduce__` of arrays knows nothing of a subclass's attributes. The plain program passes the object
itself. So what a class of its own mind takes apart is put together again at once, and compared. If
something was lost, instances of the class travel as they are in memory, attribute by attribute; and
if even that does not give the same, the value does not travel.

What a module holds under a name, and others may tell by its identity, goes by that name.
"""

from __future__ import annotations

import copyreg
import io
import sys
from _pickle import Pickler, PicklingError
from _weakref import CallableProxyType, ProxyType
from collections import OrderedDict
from gc import get_referents
from operator import getitem, methodcaller
from types import FunctionType

from cord.runtime.objects.classes import bases_of_enums, has_getattr, is_row
from cord.runtime.travel import arrivals, forms
from cord.runtime.travel.holders import Holders, own_name

TYPE_CHECKING = False  # typing is not imported on the way to a first call
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Reducer = Callable[[Any], Any]
    _ByClass = dict[type, Reducer]
else:
    _ByClass = dict

_PROTOCOL = 5
# Longer encodings of the program's own classes are compared 16 times, then each 64th.
_LONG = 64 << 10
_TRIALS = 16
_SAMPLE = 64
# Iterators whose copies tell how far they have come.
_ADVANCED = frozenset(map(type, (iter([]), iter(()), iter(""), iter(range(0)))))
_PROXIES = (ProxyType, CallableProxyType)  # they let what they stand for be taken apart
_VIEWS: dict[type, Any] = {
    type(view(kind())): view
    for kind in (dict, OrderedDict)
    for view in (kind.keys, kind.values, kind.items)
}
_SIMPLE = frozenset({int, str, float, bytes})  # values of most enumerations
_usual = methodcaller("__reduce_ex__", _PROTOCOL)


class _Reducers(_ByClass):
    """How instances are taken apart, class by class; decided when the first one is.

    The pickler looks here before it asks the object. It counts what must be compared afterwards.

    Attributes:
        watched: How often an instance was taken apart whose pickle is to be compared.
        met: The classes of these.
        asked: Classes that are asked, though what is in their instances is known.
        open: Those whose instances were taken apart without asking them, in the pickle under way.
        keeps_mortals: Whether instances with a `__del__` stay: it would run once more elsewhere.
    """

    def __init__(self) -> None:
        super().__init__()
        self.watched = 0
        self.stuck: str | None = None
        self.met: set[type] = set()
        self.open: set[type] = set()
        self.keeps_mortals = True
        self.holders = Holders()
        self._modules = 0
        self._tried: dict[type, int] = {}
        self._raw: set[type] = set()
        self._refused: set[type] = set()
        self.asked: set[type] = set()
        self._long = 0

    def refresh(self) -> None:
        """Decide anew if modules have come, which may hold instances under names."""
        if len(sys.modules) != self._modules:
            self._modules = len(sys.modules)
            self.clear()
            self.holders = Holders()

    def forget(self) -> None:
        """Let go of all classes."""
        self.clear()
        self.met.clear()
        self._tried.clear()
        self._raw.clear()
        self._refused.clear()
        self.asked.clear()
        self.open.clear()
        self.holders = Holders()

    def __missing__(self, cls: type) -> Reducer:
        if issubclass(cls, type):
            if forms.is_made_by_reducer(cls):
                return _refused  # by value
            raise KeyError(cls)  # goes by its name
        reducer = self[cls] = self._decided(cls)
        return reducer

    def _decided(self, cls: type) -> Reducer:
        own: Reducer = copyreg.dispatch_table.get(cls, _usual)
        if cls in self._refused or cls in _PROXIES or _is_finalizer(cls) or _is_mock(cls):
            return _refused
        if self.keeps_mortals and type(getattr(cls, "__del__", None)) is FunctionType:
            return _mortal
        if hasattr(cls, "__next__") and forms.base_of(cls) is not object:
            return self._sticking(own)
        if cls is object:
            return self._bare
        if cls in _VIEWS:
            return _view
        if cls.__name__ == "ndarray" and cls.__module__ == "numpy":
            return _array
        if is_row(cls):
            return _row
        if any(one.__module__ == "argparse" for one in cls.__mro__):
            return _of_parsers
        if cls.__module__ == forms.MAIN and forms.is_identity(cls):
            return self._of_main
        if cls in self._raw:
            return forms.raw
        form = forms.form_of(cls)
        if form == forms.WHOLE and has_getattr(cls) and forms.lies_open(cls):
            return forms.raw  # else it is asked for `__setstate__` before it has anything
        if form == forms.WHOLE:
            if issubclass(cls, bases_of_enums()):
                return _member
            return self._held if self.holders.of(cls) else own
        if form == forms.WATCHED and cls not in self.asked and forms.lies_open(cls):
            return self._raw_at_first(cls)
        if form == forms.WATCHED and cls not in self.asked and forms.is_only_made(cls):
            return self._raw_if_made_anew(cls, own)
        if form == forms.TRIED and self._tried.get(cls, 0) >= _TRIALS:
            return own
        return self._comparing(cls, own)

    def _raw_at_first(self, cls: type) -> Reducer:
        """No code of a class runs, as in the plain program, if what is in instances can travel."""

        def reduced(obj: Any) -> Any:
            self.open.add(cls)
            return forms.raw(obj)

        return reduced

    def _raw_if_made_anew(self, cls: type, own: Reducer) -> Reducer:
        """No code runs that makes instances, as in the plain program, where that can be had."""

        def reduced(obj: Any) -> Any:
            made = own(obj)
            if type(made) is tuple and made[0] is cls:
                self.open.add(cls)
                return forms.raw(obj)
            self.watched += 1
            self.met.add(cls)
            return made

        return reduced

    def ask(self) -> bool:
        """Ask the classes that were not asked: what is in their instances cannot travel."""
        found, self.open = self.open, set()
        self.asked |= found
        for cls in found:
            self.pop(cls, None)
        return bool(found)

    def _comparing(self, cls: type, own: Reducer) -> Reducer:
        def reduced(obj: Any) -> Any:
            self.watched += 1
            self.met.add(cls)
            return own(obj)

        return reduced

    def _sticking(self, own: Reducer) -> Reducer:
        def reduced(obj: Any) -> Any:
            if type(obj) not in _ADVANCED:
                self.stuck = type(obj).__name__
            return own(obj)

        return reduced

    def _bare(self, obj: Any) -> Any:
        found = self.holders.reduced(obj)
        if found is None:
            raise PicklingError("an object() is known by its identity only, which cannot travel")
        return found

    def _of_main(self, obj: Any) -> Any:
        if own_name(obj) is not None:
            raise PicklingError("it goes by its name, with the definitions of the main script")
        return _usual(obj)

    def _held(self, obj: Any) -> Any:
        found = self.holders.reduced(obj)
        return _usual(obj) if found is None else found

    def note_tried(self, size: int) -> None:
        """Count that a pickle with the classes that were met has been found to be whole."""
        for cls in self.met:
            if forms.form_of(cls) == forms.TRIED:
                tried = self._tried[cls] = self._tried.get(cls, 0) + (1 if size < _LONG else 8)
                if tried >= _TRIALS:
                    self.pop(cls, None)

    def is_due(self, size: int) -> bool:
        """Whether a pickle of this size is to be compared."""
        if size < _LONG:
            return True
        self._long += 1
        return self._long <= _TRIALS or self._long % _SAMPLE == 0

    def raw_classes(self) -> int:
        """How many classes are taken apart as they lie in memory."""
        return len(self._raw)

    def refuse(self, classes: set[type]) -> None:
        """Let no instances of classes travel from now on."""
        self._refused |= classes
        for cls in classes:
            self.pop(cls, None)

    def take_raw(self, classes: set[type]) -> bool:
        """Take instances of classes apart as they lie in memory from now on; False if they were."""
        others = classes - self._raw
        self._raw |= others
        for cls in others:
            self.pop(cls, None)
        return bool(others)


def _is_finalizer(cls: type) -> bool:
    """Whether instances do something when another object dies: each process does it for itself."""
    return cls.__name__ == "finalize" and cls.__module__ == "weakref"


def _is_mock(cls: type) -> bool:
    """Whether instances note who asks them for what: the program looks at that."""
    return any(one.__module__ == "unittest.mock" for one in cls.__mro__)


def _array(obj: Any) -> Any:
    """An array; one that does not lie in one piece keeps its steps, and is read-only if it was."""
    if not (obj.flags.forc or obj.dtype.hasobject) and obj.size:
        return _with_steps(obj)
    made = _usual(obj)
    if obj.flags.writeable or len(made) < 3:
        return made
    return *made[:3], None, None, arrivals.fill_read_only


def _with_steps(array: Any) -> Any:
    """The items in the order of memory, for what runs through them (BLAS) to round as it did."""
    shape, strides = array.shape, array.strides
    items = arrivals.in_order_of_memory(array).copy(order="C")
    return arrivals.array_with_steps, (items, shape, strides, array.flags.writeable)


def _view(obj: Any) -> Any:
    """A view of a dict, which shows what becomes of that."""
    (shown,) = get_referents(obj)
    return _VIEWS[type(obj)], (shown,)


class _Suppressed:
    """Stands for the text by whose identity `argparse` tells that there is no default."""

    def __reduce__(self) -> Any:
        return arrivals.own_function, ("argparse", "SUPPRESS")


def _of_parsers(obj: Any) -> Any:
    """A parser of arguments, or a part of one."""
    suppressed = sys.modules["argparse"].SUPPRESS
    made = list(_usual(obj))
    if len(made) > 2 and type(made[2]) is dict:
        made[2] = {
            key: _Suppressed() if held is suppressed else held for key, held in made[2].items()
        }
    return tuple(made)


def _row(obj: Any) -> Any:
    """A row of an array: what pickle makes of one ignores that something is assigned to it."""
    import numpy as np

    array = np.empty(1, obj.dtype)
    array[0] = obj
    return getitem, (array, 0)


def _mortal(obj: Any) -> Any:
    raise Mortal(f"a {type(obj).__qualname__} has a __del__, which a copy would run, too")


def _refused(obj: Any) -> Any:
    raise Unfaithful(f"pickle loses something of a {type(obj).__qualname__}")


def _member(obj: Any) -> Any:
    """A member of an enumeration by its name, if its value does not tell it."""
    if type(obj.value) in _SIMPLE or type(obj)._member_map_.get(obj.name) is not obj:
        return _usual(obj)
    return getattr, (type(obj), obj.name)


reducers = _Reducers()


class Faithful(Pickler):
    """A pickler that asks `reducers` first."""

    dispatch_table = reducers


class Unfaithful(PicklingError):
    """Something of a value would be lost."""


class Mortal(Unfaithful):
    """An instance is not taken apart, for something happens when it dies."""


def dumps(value: object, buffers: list[Any] | None) -> bytes:
    """Pickle a value.

    Args:
        value: The value.
        buffers: Large buffers are put here; None if they are to stay in the encoding.

    Returns:
        The pickle.

    Raises:
        Exception: It cannot be pickled, or something of it would be lost.
    """
    reducers.refresh()
    watched = reducers.watched
    reducers.open.clear()
    try:
        head = _dumps(value, buffers)
    except Exception:
        if not reducers.ask():
            raise
        head = _dumps(value, buffers)
    if reducers.watched == watched or not reducers.is_due(len(head)):
        return head
    return _compared(value, buffers, head)


def _dumps(value: object, buffers: list[Any] | None) -> bytes:
    stream = io.BytesIO()
    if buffers is None:
        Faithful(stream, _PROTOCOL).dump(value)
    else:
        buffers.clear()
        Faithful(stream, _PROTOCOL, buffer_callback=buffers.append).dump(value)
    return stream.getvalue()


def _compared(value: object, buffers: list[Any] | None, head: bytes) -> bytes:
    """A pickle that gives back the same: this one, or another one."""
    from cord.runtime.travel.likeness import loss

    while (losing := loss(value, head, buffers)) is not None:
        classes = {losing} if losing in reducers.met else set(reducers.met)
        if not reducers.take_raw(classes):
            reducers.refuse(classes)
            raise Unfaithful(f"pickle loses something of a {losing.__qualname__}")
        head = _dumps(value, buffers)
    reducers.note_tried(len(head))
    reducers.met.clear()
    return head


def confirm(value: object) -> bool:
    """Compare what another pickler has taken apart, if it must be.

    Returns:
        Whether some of it has to be taken apart otherwise.

    Raises:
        Exception: Something of it would be lost.
    """
    if not reducers.met:
        return False
    known = reducers.raw_classes()
    dumps(value, [])
    reducers.met.clear()
    return reducers.raw_classes() != known


def forget() -> None:
    """The program has ended: let go of its classes."""
    reducers.forget()


def stuck() -> str | None:
    """The class of an object in the last pickles whose changes could not come home; then none."""
    found, reducers.stuck = reducers.stuck, None
    return found


def reduced_alone(obj: Any, defining: bool) -> Any:
    """How one object is taken apart by another pickler; NotImplemented leaves it to that.

    Args:
        obj: The object.
        defining: What the main script has under names is to be made.

    Raises:
        PicklingError: Something of it would be lost.
    """
    cls = type(obj)
    reducers.refresh()
    if issubclass(cls, type):
        return NotImplemented
    reducer = reducers[cls]
    if forms.form_of(cls) == forms.WATCHED and reducer is not forms.raw:
        if cls not in reducers.asked and forms.lies_open(cls):
            return forms.raw(obj)
        if defining and getattr(obj, "__module__", "") == forms.MAIN and _goes_by_name(obj):
            return forms.raw(obj)
        try:
            dumps(obj, None)  # decides how
        except Unfaithful:
            raise
        except Exception:
            return NotImplemented  # for what is in it
        reducer = reducers[cls]
    if reducer in (forms.raw, _refused, _mortal, _member, _of_parsers):
        return reducer(obj)
    if cls is object and not defining:
        return reducer(obj)
    found = reducers.holders.reduced(obj) if forms.form_of(cls) == forms.WHOLE else None
    return NotImplemented if found is None else found


def _goes_by_name(obj: Any) -> bool:
    try:
        return isinstance(_usual(obj), str)
    except Exception:
        return False
