"""Calls that one call serves: of `embed(text)` each, by one of `embed_many(texts)`.

What they are is exact, however that goes: where the one call raises, or has not given a list with a
result for each, all are made one by one.
"""

from __future__ import annotations

from cord._core import find_function
from cord.runtime.travel import codec

TYPE_CHECKING = False  # typing is not imported on the way to a first call
if TYPE_CHECKING:
    from typing import Any

    from cord import _core
    from cord.plan.model import RemotePlan
    from cord.runtime.travel.codec import Encoded

    Request = tuple[int, Encoded, bytes, list[Encoded]]


class Gathering:
    """Makes one call of several.

    Args:
        plan: What the plan says of the module.
    """

    __slots__ = ("_many",)

    def __init__(self, plan: RemotePlan) -> None:
        own = plan.functions.items()
        self._many = {name: one.gather for name, one in own if one.gather is not None}

    def __bool__(self) -> bool:
        """Whether there is anything to be gathered."""
        return bool(self._many)

    def function(self, module: Any, name: str) -> Any:
        """The function that serves several calls of this one; None if there is none now."""
        try:
            return find_function(module, self._many[name])
        except Exception:
            return None

    def results(self, endpoint: _core.Endpoint, many: Any, values: list[Any]) -> list[Any] | None:
        """A result for each of these calls; None: they are made singly.

        Args:
            endpoint: This end of the link.
            many: The function that serves them.
            values: The argument of each.
        """
        try:
            results = endpoint.make(many, (values,), {})
        except Exception:  # each call has its own
            return None
        if type(results) is not list or len(results) != len(values):
            endpoint.note_miscount()
            return None
        return results


def read_calls(requests: list[Request]) -> tuple[str, list[Any]] | None:
    """The function that these are calls of, and their arguments; None if one has not just one.

    Raises:
        BaseException: What is raised where an argument is decoded.
    """
    calls = [codec.decode(arguments) for _, arguments, _, _ in requests]
    if any(len(args) != 1 or kwargs for _, args, kwargs in calls):
        return None
    return calls[0][0], [args[0] for _, args, _ in calls]
