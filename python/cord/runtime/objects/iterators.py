"""Iterators that scouts can walk by themselves: copies that leave the program's alone."""

from __future__ import annotations

import sys
from collections import OrderedDict, defaultdict, deque

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Copies = dict[int, tuple[Any, Any]]

_DICTS = (OrderedDict, defaultdict)
BUILTIN_TYPES = (str, bytes, bytearray, list, tuple, range, dict, set, frozenset, deque, *_DICTS)
_ORDERED: OrderedDict[Any, Any] = OrderedDict()
_EXAMPLES: tuple[Any, ...] = (
    [],
    (),
    "",
    b"",
    bytearray(),
    range(0),
    range(1 << 80, 1 << 81),
    {},
    {}.keys(),
    {}.values(),
    {}.items(),
    _ORDERED,
    set(),
    reversed([]),
    "é",
)


class _Indexed:
    def __getitem__(self, _: int) -> None:
        raise IndexError


# what `iter` makes of an object that has only `__getitem__`
_BY_INDEX = type(iter(_Indexed()))
ITERATORS = tuple(type(iter(example)) for example in _EXAMPLES)
_EMPTY: dict[Any, Any] = {}
VIEWS = tuple(type(v) for d in (_EMPTY, _ORDERED) for v in (d.keys(), d.values(), d.items()))
LAZY = (enumerate, zip, reversed)


def copy_iterator(value: Any, copies: Copies | None = None) -> Any:
    """An iterator over the rest of `value` that leaves it alone; None where that cannot be had.

    Args:
        value: Something to iterate over.
        copies: Copies made before, by identity: what is one iterator in several places stays one.
    """
    copies = {} if copies is None else copies
    if id(value) not in copies:
        copies[id(value)] = (value, _copied(value, copies))
    return copies[id(value)][1]


def _copied(value: Any, copies: Copies) -> Any:
    cls = type(value)
    if cls in BUILTIN_TYPES or cls in VIEWS:
        return iter(value)
    if cls.__module__ == "numpy" and cls.__name__ == "ndarray":
        return iter(value)
    if cls not in ITERATORS and cls not in LAZY and cls is not _BY_INDEX:
        return None
    try:
        make, arguments, *state = value.__reduce__()
    except (
        RuntimeError
    ):  # the dict or set has changed its size since: the program's next step fails
        return None
    inner = [
        copy_iterator(part, copies) if hasattr(part, "__next__") or not _is_sequence(part) else part
        for part in arguments
        if cls is not enumerate or not isinstance(part, int)
    ]
    if any(part is None for part in inner):
        return None
    if cls is enumerate:
        inner.append(arguments[1])
    copied = make(*inner)
    if state and state[0] is not None:
        copied.__setstate__(state[0])
    return copied


def is_library_dict(cls: type) -> bool:
    """Whether this is a class of dicts of the library's that are read as dicts are."""
    counter = getattr(sys.modules.get("collections"), "Counter", None)
    return any(cls is one for one in (*_DICTS, counter))


def is_lazy(cls: type) -> bool:
    """Whether this is a class of the library's iterators over what is given to them."""
    return cls in LAZY or cls.__module__ == "itertools"


def are_apart(iterators: list[Any]) -> bool:
    """Whether these are walked by themselves: containers' own iterators, none within another."""
    seen: set[int] = set()
    for iterator in iterators:
        for part in _parts(iterator):
            if id(part) in seen or (type(part) not in ITERATORS and type(part) not in LAZY):
                return False
            seen.add(id(part))
    return True


def _parts(iterator: Any) -> list[Any]:
    """An iterator and those that it takes items from."""
    if type(iterator) is tuple:
        return [part for one in iterator for part in _parts(one)]
    if type(iterator) not in (enumerate, zip):
        return [iterator]
    _, arguments, *_ = iterator.__reduce__()
    inner = [one for one in arguments if hasattr(one, "__next__")]
    return [iterator, *(part for one in inner for part in _parts(one))]


def _is_sequence(value: object) -> bool:
    return type(value) in BUILTIN_TYPES or (
        type(value).__module__ == "numpy" and type(value).__name__ == "ndarray"
    )
