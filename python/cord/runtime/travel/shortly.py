"""Values and calls in a few words, for messages; no code of the program's runs for that."""

from __future__ import annotations

import sys
from reprlib import Repr

from cord._core import PICKLE
from cord.runtime.travel import codec

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

WIDTH = 40


def short(value: object) -> str:
    """A value in a few words; no code of the program's runs."""
    return _SHORT.repr(value)


def call_in_short(call: codec.Encoded) -> str | None:
    """A call with its arguments; None if that cannot be told.

    Args:
        call: What was called, as it travels.
    """
    number, head, buffers = call
    if number != PICKLE or b"cord." in head:  # it brings definitions for replicas along
        return None
    try:
        name, args, kwargs = codec.decode((number, head, buffers))
        said = [short(one) for one in args]
        said += [f"{key}={short(one)}" for key, one in kwargs.items()]
    except Exception:
        return None
    return f"{name.rpartition(':')[2]}({', '.join(said)})"


class _Short(Repr):
    def __init__(self) -> None:
        super().__init__()
        self.maxlevel, self.maxother, self.maxstring = 2, WIDTH, WIDTH
        self.maxlist = self.maxtuple = self.maxset = self.maxfrozenset = self.maxdict = 4

    def repr_bytes(self, x: bytes, level: int) -> str:
        return repr(x) if len(x) <= WIDTH else f"{x[:WIDTH]!r}…"

    def repr_instance(self, x: Any, level: int) -> str:
        numpy = sys.modules.get("numpy")
        if numpy is not None and type(x) is numpy.ndarray:
            return f"an array of {x.dtype} {x.shape}"
        if isinstance(x, (bool, float, complex, type(None))) or is_number(x):
            return super().repr_instance(x, level)
        return f"<{type(x).__qualname__}>"


def is_number(value: object) -> bool:
    """Whether a value is a number of NumPy's."""
    numpy = sys.modules.get("numpy")
    return numpy is not None and isinstance(value, numpy.generic)


_SHORT = _Short()
