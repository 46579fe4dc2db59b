"""Texts that C code builds from leaves.

The operator by which programs build texts asks here, in copies alone, whether what it is given is
known. Methods need not: what C code copies of a leaf has the leaf's mark.
"""

from __future__ import annotations

import operator

from cord import _core

from .leaf import Leaf
from .leaves import apply

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def remainder(form: str, values: Any) -> Any:
    """As `form % values`, where there is a leaf among these."""
    if type(values) is tuple:
        return apply(lambda form, *values: form % values, (form, *values))
    keys = tuple(values)
    return apply(
        lambda form, *values: form % dict(zip(keys, values, strict=True)),
        (form, *values.values()),
    )


def contains(text: str, part: Any) -> Any:
    """As `part in text`, where the part is a leaf."""
    return apply(operator.contains, (text, part))


def watch() -> None:
    """Have texts built in this process, a copy, by these."""
    _core.watch_texts(remainder, contains, Leaf)
