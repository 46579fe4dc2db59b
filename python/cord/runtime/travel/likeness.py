"""Whether what a pickle gives back is like what was pickled, part by part."""

from __future__ import annotations

import sys
from _pickle import loads
from _thread import RLock, allocate_lock
from collections import deque
from contextlib import suppress
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType

from cord.runtime.travel import forms

TYPE_CHECKING = False  # typing is not imported on the way to a first call
if TYPE_CHECKING:
    from typing import Any

_SCALARS = frozenset({int, bool, str, bytes, type(None), range, bytearray, slice, complex, float})
_BY_NAME = (type, FunctionType, BuiltinFunctionType, ModuleType)
_Lock, _RLock = type(allocate_lock()), type(RLock())


class Losing(Exception):
    """Parts differ; holds the class of the instance in which they are."""


def loss(value: object, head: bytes, buffers: list[Any] | None) -> type | None:
    """The class of which a pickle loses something; None if it gives back the same.

    Args:
        value: What was pickled.
        head: The pickle.
        buffers: The buffers beside it.
    """
    lent = [memoryview(buffer).toreadonly() for buffer in buffers or ()]
    try:
        copy = loads(head, buffers=lent)
    except Exception:
        return object  # whichever it is
    compared = Comparison()
    try:
        compared.compare(value, copy, object)
    except Losing as losing:
        found: type = losing.args[0]
        return found
    except Exception:
        return object
    return None


class Comparison:
    """Compares parts; what was compared is not compared again."""

    def __init__(self) -> None:
        self._seen: set[int] = set()
        self._held: list[Any] = []

    def compare(self, left: Any, right: Any, within: type) -> None:
        """Compare two parts.

        Raises:
            Losing: They differ.
        """
        if left is right:
            return
        cls = type(left)
        if cls is not type(right):
            raise Losing(within)
        if cls in _SCALARS:
            if left != right and (left == left or right == right):  # noqa: PLR0124
                raise Losing(within)
            return
        if id(left) in self._seen:
            return
        self._seen.add(id(left))
        self._held.append(right)
        if isinstance(left, _BY_NAME):
            raise Losing(within)
        self._compare_parts(left, right, cls, within)

    def _compare_parts(self, left: Any, right: Any, cls: type, within: type) -> None:
        if cls in (list, tuple, deque):
            self._compare_items(left, right, within)
        elif isinstance(left, dict) and cls in (dict,):
            self._compare_items(list(left), list(right), within)
            self._compare_items(list(left.values()), list(right.values()), within)
        elif cls in (set, frozenset):
            self._compare_sets(left, right, within)
        elif cls is MethodType:
            self.compare(left.__func__, right.__func__, within)
            self.compare(left.__self__, right.__self__, within)
        elif cls is _Lock:
            if left.locked() != right.locked():
                raise Losing(within)
        elif cls is _RLock:
            if repr(left).partition(" ")[0] != repr(right).partition(" ")[0]:
                raise Losing(within)
        elif "numpy" in sys.modules and isinstance(left, sys.modules["numpy"].ndarray):
            self._compare_arrays(left, right, cls)
            self._compare_attributes(left, right, cls)
        elif cls is object:
            raise Losing(within)
        else:
            self._compare_contents(left, right, cls, within)
            self._compare_attributes(left, right, cls)

    def _compare_items(self, left: Any, right: Any, within: type) -> None:
        if len(left) != len(right):
            raise Losing(within)
        for one, other in zip(left, right, strict=True):
            self.compare(one, other, within)

    def _compare_sets(self, left: Any, right: Any, within: type) -> None:
        if len(left) != len(right):
            raise Losing(within)
        if all(type(one) in _SCALARS for one in left):
            if left != right:
                raise Losing(within)
        elif sorted(map(_type_name, left)) != sorted(map(_type_name, right)):
            raise Losing(within)

    def _compare_arrays(self, left: Any, right: Any, cls: type) -> None:
        if left.dtype != right.dtype or left.shape != right.shape:
            raise Losing(cls)
        plain = sys.modules["numpy"].ndarray
        one, other = left.view(plain), right.view(plain)
        starts = {each.__array_interface__["data"][0] for each in (one, other)}
        if len(starts) == 1 and one.strides == other.strides and not left.dtype.hasobject:
            return  # what is beside a pickle is read where it is
        if left.dtype.hasobject:
            self._compare_items(one.ravel().tolist(), other.ravel().tolist(), cls)
        elif one.tobytes() != other.tobytes():
            raise Losing(cls)

    def _compare_contents(self, left: Any, right: Any, cls: type, within: type) -> None:
        base = forms.base_of(cls)
        if base in (list, tuple):
            self._compare_items(list(base.__iter__(left)), list(base.__iter__(right)), cls)
        elif base is dict:
            self._compare_items(list(dict.items(left)), list(dict.items(right)), cls)
        elif base in (set, frozenset):
            self._compare_sets(base(left), base(right), cls)
        elif issubclass(base, BaseException):
            for name in ("args", "__cause__", "__context__", "__traceback__"):
                self.compare(getattr(left, name), getattr(right, name), cls)
        elif base is not object:
            self._compare_opaque(
                left, right, base, cls if forms.base_of(cls) is not cls else within
            )

    def _compare_opaque(self, left: Any, right: Any, base: Any, within: type) -> None:
        """Compare what is in C: by what it says of equality, or of being pickled."""
        if base.__eq__ is not object.__eq__:
            equal = base.__eq__(left, right)
            if equal is True:
                return
            if equal is False:
                raise Losing(within)
        if forms.is_of_library(type(left)):
            return  # what it says of pickling is all that is known
        try:
            parts = base.__reduce_ex__(left, 5), base.__reduce_ex__(right, 5)
        except Exception:
            raise Losing(within) from None
        self.compare(*parts, within)

    def _compare_attributes(self, left: Any, right: Any, cls: type) -> None:
        """Compare attributes; of a library's class those that are public."""
        (one, slots), (other, other_slots) = forms.attributes_of(left), forms.attributes_of(right)
        every, others = (_by_name(one, slots), _by_name(other, other_slots))
        if forms.is_of_library(cls):
            every = {name: value for name, value in every.items() if name[-1][:1] != "_"}
            others = {name: value for name, value in others.items() if name[-1][:1] != "_"}
        if every.keys() != others.keys():
            raise Losing(cls)
        for name, value in every.items():
            self.compare(value, others[name], cls)


def _by_name(held: Any, slots: forms.Slots) -> dict[tuple[Any, ...], Any]:
    found: dict[tuple[Any, ...], Any] = {
        ("", str(name)): value for name, value in (held or {}).items()
    }
    with suppress(TypeError):
        found.update({(place, name): value for place, name, value in slots})
    return found


def _type_name(value: object) -> str:
    return f"{type(value).__module__}.{type(value).__qualname__}"
