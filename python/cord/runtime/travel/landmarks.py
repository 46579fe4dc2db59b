"""Objects that libraries keep under a name and know by their identity.

A parser's `Shift = Action("Shift")` is compared by `is`. What a main script holds may lead to it,
such as the tables of a parser that the script has made, and what the script holds travels by value;
but a copy of `Shift` is not what the library's own code compares with. So such an object travels by
its name, and the other side takes its own if that has the same attributes; else it makes one, as
pickle would.

Only what cannot tell the difference otherwise goes this way: a plain instance whose class stands in
the same module and says nothing about comparing or pickling, with attributes that are plain values.
"""

from __future__ import annotations

import sys
from typing import Any

from cord.runtime.objects.instances import leaves_to_object
from cord.runtime.travel import arrivals

_PLAIN = frozenset({type(None), bool, int, float, complex, str, bytes})
# what a class that says nothing of it has from `object`
_OBJECTS = ("__eq__", "__reduce__", "__reduce_ex__", "__getstate__", "__new__", "__getattribute__")
_PICKLED = ("__getnewargs__", "__getnewargs_ex__", "__setstate__", "__slots__")


class Landmarks:
    """Those of the modules that one encoding comes to."""

    def __init__(self) -> None:
        self._named: dict[type, dict[int, str]] = {}

    def reduced(self, obj: Any) -> Any:
        """How such an object is taken apart; NotImplemented if it is none."""
        cls = type(obj)
        named = self._named.get(cls)
        if named is None:
            named = self._named[cls] = _named(cls)
        name = named.get(id(obj))
        if name is None:
            return NotImplemented
        state = vars(obj)
        if not all(type(value) in _PLAIN for value in state.values()):
            return NotImplemented
        return arrivals.landmark, (cls.__module__, name, cls, dict(state))


def _named(cls: type) -> dict[int, str]:
    """The names, by identity, under which the module of a class has its instances."""
    module = sys.modules.get(cls.__module__)
    if module is None or cls.__module__ == arrivals.MAIN or not _is_known_by_identity(cls):
        return {}
    return {id(value): name for name, value in vars(module).items() if type(value) is cls}


def _is_known_by_identity(cls: type) -> bool:
    if getattr(sys.modules[cls.__module__], cls.__name__, None) is not cls:
        return False
    if not cls.__dictoffset__ or any(hasattr(cls, name) for name in _PICKLED):
        return False
    return all(leaves_to_object(cls, name) for name in _OBJECTS)
