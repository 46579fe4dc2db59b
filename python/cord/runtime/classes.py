"""What is asked of classes: whose the methods are that Python calls, and what was found before."""

from __future__ import annotations

import abc
import enum
import sys
from _weakref import ref
from types import BuiltinFunctionType, MethodDescriptorType, WrapperDescriptorType

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Remembered:
    """Answers on types. It keeps no type alive, and runs no `__hash__` of a metaclass."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[ref[type], Any]] = {}

    def get(self, cls: type) -> Any:
        """The answer on a type, or None."""
        found = self._known.get(id(cls))
        return None if found is None else found[1]

    def keep(self, cls: type, answer: Any) -> None:
        """Keep the answer on a type, for as long as the type lives."""
        number, known = id(cls), self._known
        known[number] = ref(cls, lambda _: known.pop(number, None)), answer


def is_native(method: object) -> bool:
    """Whether a method, if there is one, is built in or of the library."""
    if method is None or isinstance(method, (MethodDescriptorType, WrapperDescriptorType)):
        return True
    if isinstance(method, BuiltinFunctionType):
        return True
    module = getattr(method, "__module__", None)
    return isinstance(module, str) and module.partition(".")[0] in sys.stdlib_module_names


def checks_plainly(cls: Any) -> bool:
    """Whether `isinstance(x, cls)` runs none of the program's code."""
    if type(cls) in (type, enum.EnumMeta):
        return True
    if type(cls) is not abc.ABCMeta or not is_native(cls.__subclasshook__):
        return False
    below: list[type] = cls.__subclasses__()
    return all(map(checks_plainly, below))
