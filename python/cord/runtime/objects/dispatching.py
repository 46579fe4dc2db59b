"""What `functools.singledispatch` chooses, found out without running code of the program's."""

from __future__ import annotations

import functools
from types import FunctionType

from cord.runtime.objects.classes import checks_plainly

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def dispatched(callee: Any, args: tuple[Any, ...]) -> FunctionType | None:
    """The function that a call of a `singledispatch` function runs; None for any other callee.

    Args:
        callee: What is called.
        args: With which positional arguments.
    """
    if type(callee) is not FunctionType or callee.__globals__ is not vars(functools):
        return None
    registry, cls = getattr(callee, "registry", None), type(args[0]) if args else None
    if registry is None or cls is None or not all(map(checks_plainly, (cls, *registry))):
        return None
    try:
        found = callee.dispatch(cls)  # type: ignore[attr-defined]
    except RuntimeError:  # several would do
        return None
    return found if type(found) is FunctionType else None
