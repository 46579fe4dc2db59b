"""Which of the program's iterators are read ahead: what the native loops ask."""

from __future__ import annotations

from io import BufferedReader, FileIO, TextIOWrapper
from types import WrapperDescriptorType

from cord._core import Cursor
from cord.runtime.guards import harmless
from cord.runtime.objects.iterators import copy_iterator

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_ITSELF = (lambda self: self).__code__
_GIVES_ITSELF = (_ITSELF.co_code, _ITSELF.co_argcount)


def is_replayed(made: Any) -> bool:
    """Whether what an assumed function gave can only be read once, from the program's memory."""
    kind = type(made)
    if not hasattr(kind, "__next__") or not _is_its_own_iterator(made):
        return False
    if kind in (TextIOWrapper, BufferedReader):
        buffer = getattr(made, "buffer", made)
        return not isinstance(getattr(buffer, "raw", None), FileIO)
    return copy_iterator(made) is None


def _is_its_own_iterator(made: Any) -> bool:
    """Whether `iter(made)` is nothing but `made`."""
    method = getattr(type(made), "__iter__", None)
    if type(method) is WrapperDescriptorType:
        return iter(made) is made
    code = getattr(method, "__code__", None)
    return code is not None and (code.co_code, code.co_argcount) == _GIVES_ITSELF


def beside(handle: Any) -> Cursor | None:
    """Where a scout can read beside the program what a loop over this file is going to read."""
    from cord.runtime.io import files  # only for who assumes something

    return files.place_beside(handle, harmless.assumed())
