"""Modules of Python's library that are needed late: the library's, whatever the program has.

A program may have an `ast.py` or a `functools.py` of its own, which stands under that name by the
time that native code, or what few runs need, looks for it. What is an attribute here is the
library's, found before the program's folder was on `sys.path`, if `hold_all` was called by then.
"""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType

NAMES = ("ast", "copy", "dis", "enum", "functools", "opcode", "operator", "re", "types")


def __getattr__(name: str) -> ModuleType:
    if name not in NAMES:
        raise AttributeError(name)
    module = globals()[name] = import_module(name)
    return module


def hold_all() -> None:
    """Keep them all: from now on their names may lead elsewhere."""
    for name in NAMES:
        globals()[name] = import_module(name)
