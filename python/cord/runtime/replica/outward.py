"""Objects by which a process reaches the outside, and what leads to them.

A replica that is forked from the midst of the program has the program's open files, connections
and databases. What a call does with them nobody hears of, and the program may do it once more.
"""

from __future__ import annotations

import gc
import sys
from io import IOBase
from types import CellType, FunctionType, ModuleType

from cord.runtime.objects.reach import class_names, is_of_project

TYPE_CHECKING = False  # typing is not imported on the way to a first call
if TYPE_CHECKING:
    from typing import Final

# More is not looked through: who has so much is thought to have something open.
_MOST: Final = 200_000
_STREAMS: Final = frozenset(map(id, (sys.__stdin__, sys.__stdout__, sys.__stderr__)))
_PLAIN: Final = frozenset({int, float, complex, bool, str, bytes, bytearray, type(None)})
_OUTWARD: Final = (
    ("socket", "socket"),
    ("sqlite3", "Connection"),
    ("sqlite3", "Cursor"),
    ("mmap", "mmap"),
    ("multiprocessing.connection", "Connection"),
)


def leads_outside(value: object) -> bool:
    """Whether a value is such an object, or one can be come to from it."""
    kinds = _kinds()
    seen: set[int] = set()
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if type(one) in _PLAIN or id(one) in seen or id(one) in _STREAMS:
            continue
        seen.add(id(one))
        if isinstance(one, kinds) or _is_closed_to_others(one) or len(seen) > _MOST:
            return True
        waiting += _parts(one)
    return False


def _kinds() -> tuple[type, ...]:
    found = (getattr(sys.modules.get(module), name, None) for module, name in _OUTWARD)
    return IOBase, *(one for one in found if isinstance(one, type))


def _parts(one: object) -> list[object]:
    """What an object leads to by itself: not by the names of its module."""
    if isinstance(one, type):
        own = is_of_project(sys.modules.get(one.__module__))
        return list(class_names(one).values()) if own else []
    if isinstance(one, ModuleType):
        return []
    if isinstance(one, FunctionType):
        return [*(one.__closure__ or ()), one.__defaults__, one.__kwdefaults__, vars(one)]
    return gc.get_referents(one)


def _is_closed_to_others(one: object) -> bool:
    """Whether it is of a library in C that lets nobody have its content: it may hold anything."""
    kind = type(one)
    module = sys.modules.get(kind.__module__)
    of_c = "__dict__" not in kind.__dict__ and not isinstance(one, CellType)
    top = kind.__module__.partition(".")[0]
    if not of_c or top in sys.stdlib_module_names or is_of_project(module):
        return False
    plain = object.__reduce_ex__, object.__reduce__
    if (kind.__reduce_ex__, kind.__reduce__) != plain:
        return False
    try:
        object.__reduce_ex__(one, 2)
    except Exception:
        return True
    return False
