"""Tells whether objects are still what they were."""

from __future__ import annotations

import pickle
import types
from collections.abc import Iterable
from io import BytesIO
from typing import Any

from cord._core import RemoteFunction, same_objects
from cord.runtime.byvalue import ByValue

_PROTOCOL = 5
_SCALARS = (int, float, complex, bool, str, bytes, type(None))
_FIXED = (
    *_SCALARS,
    type,
    types.FunctionType,
    types.CodeType,
    types.BuiltinFunctionType,
    types.ModuleType,
    property,
    classmethod,
    staticmethod,
    types.MemberDescriptorType,
    types.GetSetDescriptorType,
    types.WrapperDescriptorType,
    types.MethodDescriptorType,
    RemoteFunction,
)


class Watch:
    """Some objects, and what they held.

    Builtin containers are compared by the identity of what is in them, anything else by its
    encoding. Functions and classes count as unchanged.

    Args:
        values: The objects.
    """

    def __init__(self, values: Iterable[object]) -> None:
        self._containers: list[tuple[Any, tuple[object, ...]]] = []
        self._others: list[object] = []
        self._seen: dict[int, object] = {}  # holds what it knows by its id
        for value in values:
            self._add(value)
        self._others = [other for other in self._others if print_of([other]) is not None]
        self._printed = print_of(self._others)

    def _add(self, value: Any) -> None:
        waiting = [value]
        while waiting:
            item = waiting.pop()
            if is_fixed(item) or id(item) in self._seen:
                continue
            self._seen[id(item)] = item
            if type(item) in (list, tuple, dict):
                held = tuple(_items(item))
                self._containers.append((item, held))
                waiting += [part for part in held if type(part) not in _SCALARS]
            else:
                self._others.append(item)

    def is_unchanged(self) -> bool:
        """Whether nothing has changed."""
        for container, before in self._containers:
            if not same_objects(_items(container), before):
                return False
        return not self._others or print_of(self._others) == self._printed


def _items(container: Any) -> Any:
    return [*container, *container.values()] if type(container) is dict else container


def is_fixed(value: object) -> bool:
    """Whether an object cannot change by itself, or is watched by those who define it."""
    return isinstance(value, _FIXED) and (
        type(value) in _SCALARS or not isinstance(value, _SCALARS)
    )


def print_of(values: list[object]) -> bytes | None:
    """What can be compared later with the same objects; None of what cannot travel."""
    try:
        return pickle.dumps(values, _PROTOCOL)
    except Exception:
        stream = BytesIO()
        try:
            ByValue(stream).dump(values)
        except Exception:
            return None
        return stream.getvalue()
