"""What the methods of classes are that Python calls by itself: the library's, or the program's."""

from __future__ import annotations

import abc
import enum
import sys
from types import BuiltinFunctionType, MethodDescriptorType, WrapperDescriptorType

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


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
