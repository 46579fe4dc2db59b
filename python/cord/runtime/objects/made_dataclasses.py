"""Instances of dataclasses in scouts.

Apart from the others, so that only programs that have dataclasses import what this needs.
"""

from __future__ import annotations

from collections import deque
from dataclasses import MISSING, fields
from types import GetSetDescriptorType
from typing import Any

from cord.runtime.objects.instances import leaves_to_object

_FACTORIES = (MISSING, list, dict, set, deque, int, str, float, tuple, frozenset)


def make_record(cls: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Make an instance of a class that `dataclass` has written the `__init__` of, as a call would.

    None where that could run unknown code.
    """
    if hasattr(cls, "__post_init__"):
        return None
    if not cls.__dataclass_params__.frozen and not leaves_to_object(cls, "__setattr__"):
        return None
    for one in fields(cls):
        if not any(one.default_factory is known for known in _FACTORIES):
            return None
        if isinstance(cls.__dict__.get(one.name), (property, GetSetDescriptorType)):
            return None
    return cls(*args, **kwargs)
