"""Texts that C code builds from leaves.

The methods and the operator by which programs build texts ask here, in copies alone, whether what
they are given is known.
"""

from __future__ import annotations

from gc import get_referents

from cord import _core

from .leaf import Leaf
from .leaves import apply

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

_join = str.join
_replace = str.replace


def join(self: str, parts: Iterable[str], /) -> str:
    """As `str.join`."""
    parts = parts if type(parts) in (list, tuple) else list(parts)
    if any(isinstance(part, Leaf) for part in parts):
        return apply(_join, (self, parts))  # type: ignore[no-any-return]
    return _join(self, parts)


def replace(self: str, *args: Any, **kwargs: Any) -> str:
    """As `str.replace`."""
    if any(isinstance(arg, Leaf) for arg in args):
        return apply(_replace, (self, *args), **kwargs)  # type: ignore[no-any-return]
    return _replace(self, *args, **kwargs)


def remainder(form: str, values: Any) -> Any:
    """As `form % values`, where there is a leaf among these."""
    if type(values) is tuple:
        return apply(lambda form, *values: form % values, (form, *values))
    keys = tuple(values)
    return apply(
        lambda form, *values: form % dict(zip(keys, values, strict=True)),
        (form, *values.values()),
    )


def watch() -> None:
    """Have texts built in this process, a copy, by these."""
    [own] = get_referents(str.__dict__)  # the dict behind the view
    _core.watch_texts(own, {"join": join, "replace": replace}, remainder, Leaf)
