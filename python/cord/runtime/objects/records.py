"""Instances of dataclasses in scouts.

Apart from the others, so that only programs that have dataclasses import what this needs.
"""

from __future__ import annotations

import dataclasses
from collections import deque
from collections.abc import Callable
from dataclasses import MISSING, fields
from types import FunctionType, GetSetDescriptorType
from typing import TYPE_CHECKING, Any

from cord.runtime.objects.instances import leaves_to_object
from cord.runtime.objects.parameters import signature_of

if TYPE_CHECKING:
    from cord.runtime.objects.instances import Made

# the kind of a field that is only passed on to `__post_init__`
_PASSED = dataclasses._FIELD_INITVAR  # type: ignore[attr-defined]
_FACTORIES = (list, dict, set, deque, int, str, float, tuple, frozenset)


def make_dataclass(
    cls: Any, init: FunctionType, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Made | None:
    """Begin an instance of a class that `dataclass` has written the `__init__` of, as a call would.

    None where that could run unknown code.
    """
    for one in fields(cls):
        factory: Callable[[], Any] | Any = one.default_factory
        if factory is not MISSING and factory not in _FACTORIES:
            return None
        if isinstance(cls.__dict__.get(one.name), (property, GetSetDescriptorType)):
            return None
    frozen = cls.__dataclass_params__.frozen
    if not frozen and not leaves_to_object(cls, "__setattr__"):
        return None
    after = getattr(cls, "__post_init__", None)
    instance = object.__new__(cls)
    if after is None:
        init(instance, *args, **kwargs)
        return instance, None, (), {}
    passed = [one for one in cls.__dataclass_fields__.values() if one._field_type is _PASSED]
    if type(after) is not FunctionType or len(signature_of(after).parameters) != 1 + len(passed):
        return None
    # the fields by hand, for `__post_init__` is the program's
    bound = signature_of(init).bind(instance, *args, **kwargs)
    for one in fields(cls):
        if one.name in bound.arguments:
            value = bound.arguments[one.name]
        elif one.default_factory is not MISSING:
            value = one.default_factory()
        elif one.default is not MISSING:
            value = one.default
        else:
            continue
        object.__setattr__(instance, one.name, value)
    given = [bound.arguments.get(one.name, one.default) for one in passed]
    return instance, after, (instance, *given), {}
