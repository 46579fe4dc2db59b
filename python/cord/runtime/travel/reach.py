"""What can be reached from the arguments of a call and can change: in one order on both sides.

The program and the replica walk the same arguments, each its own, and number what they come to. So
a number stands for the same object on both sides, whatever the call does with it meanwhile.
"""

from __future__ import annotations

import copyreg
import sys
from _pickle import PickleBuffer
from collections import OrderedDict, defaultdict, deque
from functools import partial
from types import BuiltinFunctionType, CellType, FunctionType, MethodType, ModuleType

from cord._core import RemoteFunction, SharedBuffer, original_of
from cord.runtime.objects.classes import is_made_of_attributes, remembered
from cord.runtime.objects.closures import contents_of_cell
from cord.runtime.objects.reach import is_of_project
from cord.runtime.travel import forms
from cord.runtime.travel.faithful import dumps
from cord.runtime.travel.paths import is_element

TYPE_CHECKING = False  # typing is not imported on the way to a first call
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

SCALARS = frozenset({int, bool, str, bytes, float, complex, type(None), range, slice})
_LEAVES = (type, ModuleType)
_SEQUENCES = (list, deque)
_REDUCES = frozenset({"__reduce__", "__reduce_ex__"})
# What travels as bare memory is one of these on one side, and another one on the other.
_MEMORIES = (bytearray, PickleBuffer, SharedBuffer)
_ITERATORS = tuple(map(type, (iter([]), iter(()), iter(""), iter(range(0)))))
INSTANCE, OPAQUE, ELEMENT, MEMORY, ARRAY, RANDOM, DRAWING, ITERATOR, CELL, FUNCTION, FIXED = (
    "instance",
    "opaque",
    "element",
    "memory",
    "array",
    "random",
    "drawing",
    "iterator",
    "cell",
    "function",
    "fixed",
)


class Reach:
    """What can be reached.

    Attributes:
        objects: What can change, in the order in which it was come to.
        kinds: What each of them is.
        direct: So many of them were come to not by way of a function that the main script names.
        numbers: Their numbers, by their ids.
    """

    def __init__(self, roots: Iterable[Any], without: Iterable[int] = ()) -> None:
        self.objects: list[Any] = []
        self.kinds: list[str] = []
        self.numbers: dict[int, int] = {}
        self._seen = set(without)
        self._held: list[Any] = []
        self._named: list[FunctionType] = []
        self._walk(roots)
        self.direct = len(self.objects)
        while self._named:
            self._walk(_parts_of_function(self._named.pop(0)))

    @property
    def signature(self) -> tuple[str, ...]:
        """What must be the same on both sides."""
        return tuple(
            kind if kind is MEMORY else f"{kind} {type(obj).__name__}"
            for kind, obj in zip(self.kinds, self.objects, strict=True)
        )

    def _walk(self, roots: Iterable[Any]) -> None:
        stack = list(roots)[::-1]
        while stack:
            obj = stack.pop()
            if type(obj) in SCALARS or id(obj) in self._seen:
                continue
            self._seen.add(id(obj))
            self._held.append(obj)  # so that no other one comes to lie there
            if type(obj) is RemoteFunction and obj.__module__ == forms.MAIN:
                obj = original_of(obj)
            if type(obj) is FunctionType and is_named_by_main(obj):
                self._named.append(obj)
                continue
            kind, inside = _kind_and_parts(obj)
            if kind is not None:
                self.numbers[id(obj)] = len(self.objects)
                self.objects.append(obj)
                self.kinds.append(kind)
            if inside and not (set(map(type, inside)) <= SCALARS):
                stack.extend(reversed(inside))


def can_be_told(obj: object) -> bool:
    """Whether it matters which object this is: it can change, or holds what can."""
    kind, parts = _kind_and_parts(obj)
    return kind is not None or any(
        type(part) not in SCALARS and _kind_and_parts(part)[0] is not None for part in parts
    )


def _kind_and_parts(obj: Any) -> tuple[str | None, list[Any]]:
    cls = type(obj)
    if cls is tuple or cls is frozenset:
        return (None if set(map(type, obj)) <= SCALARS else FIXED), list(obj)
    if cls is list or cls is set:
        return INSTANCE, list(obj)
    if cls is dict:
        return INSTANCE, [*obj, *obj.values()]
    if isinstance(obj, _LEAVES):
        return None, []
    if cls is RemoteFunction:
        return None, []
    if isinstance(obj, BaseException):
        return INSTANCE, [*obj.args, *_attributes(obj)]
    if cls is FunctionType:
        is_sent = "<" in obj.__qualname__
        return (FUNCTION, _parts_of_function(obj)) if is_sent else (None, [])
    if cls is CellType:
        return CELL, contents_of_cell(obj)
    if cls is MethodType:
        return None, [obj.__self__, obj.__func__]
    if cls is BuiltinFunctionType:
        return None, [obj.__self__]
    if cls is partial:
        return None, list(obj.__reduce__()[2])
    return _kind_and_parts_of_instance(obj, cls)


def _kind_and_parts_of_instance(obj: Any, cls: type) -> tuple[str | None, list[Any]]:
    if cls in _ITERATORS:
        return ITERATOR, []
    if cls in _MEMORIES:
        return MEMORY, []
    top = cls.__module__.partition(".")[0]
    if top == "pandas":
        return (OPAQUE if hasattr(obj, "_mgr") else None), []
    if top == "numpy" and hasattr(obj, "bit_generator"):
        return DRAWING, []
    if top == "numpy" and cls.__name__ == "RandomState":
        return RANDOM, []
    if _is_array(obj):
        inside = obj.ravel().tolist() if obj.dtype.hasobject else []
        return ARRAY, inside
    if is_value(cls):
        return None, list((forms.attributes_of(obj)[0] or {}).values())
    base = forms.base_of(cls)
    if forms.is_bare(base):
        return INSTANCE, _attributes(obj)
    if base is object and forms.form_of(cls) == forms.TRIED:
        inside = _attributes(obj)
        return (OPAQUE, []) if any(map(_is_hidden, map(type, inside))) else (INSTANCE, inside)
    if cls.__module__ == "_random" or base.__module__ == "_random":
        return RANDOM, _attributes(obj) if cls.__module__ != "random" else []
    if base in (tuple, frozenset) and not has_attributes(cls) and _is_plain(obj, base):
        return None, []
    if base in (object, list, dict, set, tuple, frozenset) or base in _SEQUENCES:
        if base is object and not has_attributes(cls):
            return None, []
        return INSTANCE, [*_contents(obj, base), *_attributes(obj)]
    if base is OrderedDict:
        return INSTANCE, [*_contents(obj, OrderedDict), *_attributes(obj)]
    if base is defaultdict:
        return INSTANCE, [*_contents(obj, dict), *_attributes(obj), obj.default_factory]
    if base is bytearray or cls.__name__ == "array":
        return OPAQUE, []
    if is_element(cls):
        return ELEMENT, [obj.attrib, *obj]
    if is_fixed(cls):
        return None, _attributes(obj)
    return OPAQUE, []


def _is_plain(obj: Any, base: Any) -> bool:
    """Whether all items are values that cannot change."""
    return set(map(type, base.__iter__(obj))) <= SCALARS


@remembered
def _is_hidden(cls: Any) -> bool:
    """Whether instances of a class in C do not travel alone: its owner says how they do."""
    usual = cls.__reduce_ex__ is object.__reduce_ex__ and cls.__reduce__ is object.__reduce__
    made = is_made_of_attributes(cls) or cls in copyreg.dispatch_table or forms.is_bare(cls)
    return usual and not made and cls.__basicsize__ > object.__basicsize__


@remembered
def is_value(cls: Any) -> bool:
    """Whether a library makes instances anew from what they stand for, as paths and fractions.

    What is in them besides comes and goes as they are asked, on each side by itself.
    """
    made = (base for base in cls.__mro__ if not _REDUCES.isdisjoint(vars(base)))
    first = next(made, object)
    return (
        first is not object
        and not is_of_project(sys.modules.get(first.__module__))
        and is_fixed(cls)
    )


def has_attributes(cls: Any) -> bool:
    """Whether instances have something in them."""
    return bool(cls.__dictoffset__) or any("__slots__" in vars(base) for base in cls.__mro__)


def is_fixed(cls: Any) -> bool:
    """Whether values of a class in C compare as values, which are not changed then."""
    return cls.__hash__ is not None and cls.__hash__ is not object.__hash__


def is_named_by_main(function: FunctionType) -> bool:
    """Whether a function is the main script's, and goes by its name."""
    return function.__module__ == forms.MAIN and "<" not in function.__qualname__


def _parts_of_function(function: FunctionType) -> list[Any]:
    return [
        *(function.__closure__ or ()),
        *(function.__defaults__ or ()),
        *(function.__kwdefaults__ or {}).values(),
        *vars(function).values(),
    ]


def _contents(obj: Any, base: Any) -> list[Any]:
    if base is object:
        return []
    if issubclass(base, dict):
        return [*base.keys(obj), *dict.values(obj)]
    return list(base.__iter__(obj))


def _attributes(obj: Any) -> list[Any]:
    held, slots = forms.attributes_of(obj)
    return [*(held or {}).values(), *(value for _, _, value in slots)]


def _is_array(obj: Any) -> bool:
    numpy = sys.modules.get("numpy")
    return numpy is not None and isinstance(obj, numpy.ndarray)


# ---- what one object holds -----------------------------------------------------------------------


class Parts(list):  # type: ignore[type-arg]
    """What an object holds, part by part: made here, and no object of the program's."""


def held_by(obj: Any, kind: str) -> Any:
    """What an object holds itself: what is in it is not looked into.

    Two of these are compared by `is_same`; `restored` gives one to another object.
    """
    if kind is CELL:
        return Parts(contents_of_cell(obj))
    if kind is FIXED:
        return None
    if kind is FUNCTION:
        return Parts([obj.__defaults__, _parts_of_dict(vars(obj))])
    if kind is RANDOM:
        is_numpys = type(obj).__module__.startswith("numpy")
        return dumps(obj.get_state() if is_numpys else obj.getstate(), None)
    if kind is DRAWING:
        return dumps(obj.bit_generator.state, None)
    if kind is ITERATOR:
        return Parts(obj.__reduce__()[2:])
    if kind is ARRAY:
        content = Parts(obj.ravel().tolist()) if obj.dtype.hasobject else obj.tobytes()
        told = obj.dtype.str if obj.dtype.names is None else obj.dtype
        return Parts([obj.shape, told, content, _parts_of_dict(_dict_of(obj))])
    if kind is MEMORY:
        return bytes(obj)
    if kind is ELEMENT:
        return Parts([obj.tag, obj.text, obj.tail, obj.attrib, Parts(obj)])
    if kind is OPAQUE:
        return dumps(obj, None)
    cls, base = type(obj), forms.base_of(type(obj))
    held, slots = forms.attributes_of(obj)
    items: list[Any] = []
    if issubclass(base, dict):
        own = OrderedDict if base is OrderedDict else dict
        items = [Parts(own.keys(obj)), Parts(dict.__getitem__(obj, key) for key in own.keys(obj))]
        if base is defaultdict:
            items.append(obj.default_factory)
    elif issubclass(base, BaseException):
        items = [Parts(obj.args)]
    elif base is not object and not forms.is_bare(base):
        items = [Parts(base.__iter__(obj))]
    return Parts([cls, Parts(items), _parts_of_dict(held), Parts(slots)])


def _dict_of(obj: Any) -> dict[str, Any] | None:
    return forms.attributes_of(obj)[0]


def _parts_of_dict(held: dict[str, Any] | None) -> Parts:
    return Parts(() if held is None else (Parts(held), Parts(held.values())))


def is_same(before: Any, now: Any) -> bool:
    """Whether an object holds the same as before: the very same objects, or equal scalars."""
    if before is now:
        return True
    cls = type(before)
    if cls is not type(now):
        return False
    if cls in SCALARS:
        return bool(before == now) or before != before  # noqa: PLR0124
    if cls is Parts or cls is tuple:
        return len(before) == len(now) and all(map(is_same, before, now))
    return False
