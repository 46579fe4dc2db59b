"""Ways from the arguments of a call, or from names of modules, to what can be reached from them.

They are the same on both sides.

A way is a tuple of steps. A step names a part of what it starts from: an item by its place, a
value or key of a dict by its place in the order, an attribute, a slot, or all attributes as a dict.
"""

from __future__ import annotations

import sys
from collections import OrderedDict, deque
from itertools import islice, pairwise
from types import FunctionType

from cord import _core
from cord._core import RemoteFunction, original_of
from cord.runtime.travel import forms

TYPE_CHECKING = False  # typing is not imported on the way to a first call
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    Step = tuple[str, Any]
    Way = tuple[Step, ...]

_SEQUENCES = (list, tuple, deque)


def is_element(cls: type) -> bool:
    """Whether objects of a class are parts of a tree of XML."""
    return cls.__name__ == "Element" and cls.__module__ == "xml.etree.ElementTree"


class Names(dict):  # type: ignore[type-arg]
    """What modules hold, by module and name; what classes and functions do, behind their names."""


class Ways:
    """Ways to objects, each from what holds it to the next.

    Args:
        trails: For each object all that lies on the way to it: what holds it comes before it, first
            a tuple or dict of arguments, or names.
    """

    def __init__(self, trails: Iterable[list[Any]]) -> None:
        self._steps: dict[int, dict[int, Step]] = {}
        self.ways: list[Way] = []
        self.objects: list[Any] = []
        for trail in trails:
            first = (_ROOTS[type(trail[0])], None)
            steps = [self._step(*pair) for pair in pairwise(trail)]
            self.ways.append((first, *steps))
            self.objects.append(trail[-1])

    def _step(self, holder: Any, part: Any) -> Step:
        """The step from what holds something to that.

        Raises:
            LookupError: It is held in another way.
        """
        steps = self._steps.get(id(holder))
        if steps is None:
            steps = self._steps[id(holder)] = _steps(holder)
        return steps[id(part)]


class Places:
    """Ways from names to what they lead to.

    They are noted once, for what names lead to may be large, and looked at when one is told.
    Nothing of it is kept alive.

    Args:
        names: Gives the names, as they are now.
    """

    def __init__(self, names: Callable[[], Names]) -> None:
        self._names = names
        self._refresh()

    def _refresh(self) -> None:
        names = self._names()
        self._holders = _core.Holders(names)
        # by the ids of what holds something, and of that; None holds what has names
        self._steps: dict[int, dict[int, Step]] = {id(None): _steps(names)}

    def way_to(self, obj: object) -> Way | None:
        """The way to an object; None if names do not lead there, or nobody can say how."""
        way = self._noted(obj)
        if way is None:  # other things are there by now
            self._refresh()
            way = self._noted(obj)
        return way

    def _noted(self, obj: object) -> Way | None:
        holder: Any = None
        way: list[Step] = [(_ROOTS[Names], None)]
        try:
            for part in self._holders.between(obj):
                if id(holder) not in self._steps:
                    self._steps[id(holder)] = _steps(holder)
                way.append(self._steps[id(holder)][part])
                holder = _GO[way[-1][0]](holder, way[-1][1])
        except Exception:  # it is not as it was noted
            return None
        return tuple(way) if holder is obj else None


_ROOTS: dict[Any, str] = {tuple: "args", dict: "named", Names: "names"}


def _steps(holder: Any) -> dict[int, Step]:
    return {id(part): step for step, part in _parts(holder)}


def _parts(holder: Any) -> Iterable[tuple[Step, Any]]:
    if type(holder) is Names:
        yield from ((("name", name), value) for name, value in holder.items())
        return
    base = forms.base_of(type(holder))
    if is_element(base):
        yield ("attributes of an element", None), holder.attrib
        yield from ((("item", at), item) for at, item in enumerate(list(holder)))
    elif base in _SEQUENCES:
        yield from ((("item", at), item) for at, item in enumerate(base.__iter__(holder)))
    elif issubclass(base, dict):
        yield from ((("key", at), key) for at, key in enumerate(_order(base).keys(holder)))
        yield from ((("value", at), value) for at, value in enumerate(_values(holder, base)))
    if base is type(holder) and base is not object and not forms.is_bare(base):
        return
    held, slots = forms.attributes_of(holder)
    if held is not None:
        yield ("attributes", None), object.__getattribute__(holder, "__dict__")
        yield from ((("attribute", name), value) for name, value in held.items())
    yield from ((("slot", (place, name)), value) for place, name, value in slots)


def _order(base: Any) -> Any:
    return OrderedDict if issubclass(base, OrderedDict) else dict


def _values(holder: Any, base: Any) -> Iterable[Any]:
    return map(dict.__getitem__, _repeated(holder), _order(base).keys(holder))


def _repeated(one: Any) -> Iterable[Any]:
    while True:
        yield one


def leads_from_names(way: Way) -> bool:
    """Whether a way begins at what a module holds."""
    return way[0][0] == _ROOTS[Names]


def follow(args: tuple[Any, ...], kwargs: dict[str, Any], way: Way) -> Any:
    """What lies at the end of a way.

    Args:
        args: The arguments.
        kwargs: The keyword arguments.
        way: The way.

    Raises:
        Exception: There is nothing; then these are other arguments.
    """
    one: Any = {"args": args, "named": kwargs, "names": None}[way[0][0]]
    for kind, which in way[1:]:
        one = _GO[kind](one, which)
    return one


def _go_name(_: None, name: tuple[Any, ...]) -> Any:
    one: Any = sys.modules[name[0]]
    for part in name[1:]:
        one = original_of(one) if type(one) is RemoteFunction else one
        if type(one) in (dict, tuple):
            one = one[part]
        else:
            one = getattr(one, part) if type(one) is FunctionType else vars(one)[part]
    return one


def _go_slot(one: Any, which: tuple[int, str]) -> Any:
    place, name = which
    return vars(type(one).__mro__[place])[name].__get__(one)


def _go_item(one: Any, at: int) -> Any:
    return forms.base_of(type(one)).__getitem__(one, at)


def _go_key(one: Any, at: int) -> Any:
    return next(islice(_order(type(one)).keys(one), at, None))


_GO: dict[str, Callable[[Any, Any], Any]] = {
    "item": _go_item,
    "key": _go_key,
    "value": lambda one, at: dict.__getitem__(one, _go_key(one, at)),
    "attributes of an element": lambda one, _: one.attrib,
    "attributes": lambda one, _: object.__getattribute__(one, "__dict__"),
    "attribute": lambda one, name: object.__getattribute__(one, "__dict__")[name],
    "slot": _go_slot,
    "name": _go_name,
}
