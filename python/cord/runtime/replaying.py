"""Which of the program's iterators are read ahead: what the native loops ask."""

from __future__ import annotations

from io import BufferedReader, FileIO, TextIOWrapper
from types import MethodType
from typing import Any

from cord._core import Cursor
from cord.runtime import harmless
from cord.runtime.iterators import copy_iterator


def is_assumed(callee: Any) -> bool:
    """Whether the user declares this function, method or class free of effects."""
    function = callee.__func__ if type(callee) is MethodType else callee
    return harmless.assumed_name(function) is not None


def is_replayed(made: Any) -> bool:
    """Whether what an assumed function gave can only be read once, from the program's memory."""
    kind = type(made)
    if not hasattr(kind, "__next__") or not hasattr(kind, "__iter__"):
        return False
    if kind in (TextIOWrapper, BufferedReader):
        buffer = getattr(made, "buffer", made)
        return not isinstance(getattr(buffer, "raw", None), FileIO)
    return copy_iterator(made) is None


def beside(handle: Any) -> Cursor | None:
    """Where a scout can read beside the program what a loop over this file is going to read."""
    from cord.runtime import files  # only for who assumes something

    return files.place_beside(handle, harmless.assumed())
