"""What functions can be called with, told without running code of the program's."""

from __future__ import annotations

import inspect
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


def signature_of(function: Callable[..., Any]) -> inspect.Signature:
    """The signature of a function, its annotations as they happen to be told.

    Raises:
        TypeError: It cannot be called.
        ValueError: It is one of C code that tells none.
    """
    if sys.version_info >= (3, 14):  # annotations are code, which runs when they are read
        from annotationlib import Format

        return inspect.signature(function, annotation_format=Format.STRING)
    return inspect.signature(function)
