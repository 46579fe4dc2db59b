"""Which exceptions of a remote function are to be tried again, and how long to wait before.

It is looked at where a call has raised, in its replica: nothing of it is on the way of good calls.
"""

from __future__ import annotations

TYPE_CHECKING = False  # typing is not imported on the way to a first call
if TYPE_CHECKING:
    from cord.plan.model import RemotePlan


class Retrying:
    """Tells which exceptions the plan names.

    Args:
        plan: What it says of the module.
    """

    __slots__ = ("_plan",)

    def __init__(self, plan: RemotePlan) -> None:
        self._plan = plan

    def pause(self, name: str, exc: BaseException) -> float | None:
        """For how many seconds a call is to pause before it is made again; None: it is not.

        Args:
            name: The function's name in the plan.
            exc: What it has raised.
        """
        settings = self._plan.function(name)
        if not settings.retry_on or not settings.pure:
            return None
        names = {name for cls in type(exc).__mro__ for name in _names(cls)}
        if names.isdisjoint(settings.retry_on):
            return None
        return _asked(exc)


def _names(cls: type) -> tuple[str, ...]:
    """The names of a class: where it is defined, by itself if that is Python, and by its package.

    Libraries define exceptions in modules of their own and offer them in the package:
    `openai.RateLimitError` is openai._exceptions.RateLimitError.
    """
    module, name = cls.__module__, cls.__qualname__
    if module == "builtins":
        return name, f"builtins.{name}"
    return f"{module}.{name}", f"{module.partition('.')[0]}.{name}"


def _asked(exc: BaseException) -> float:
    """How many seconds an exception asks to wait; 0 if it does not say."""
    try:
        asked = _seconds(getattr(exc, "retry_after", None))
        if asked is None:
            headers = getattr(getattr(exc, "response", None), "headers", None)
            asked = None if headers is None else _seconds(headers.get("Retry-After"))
    except Exception:  # what an exception of somebody else's is made of
        return 0.0
    return asked or 0.0


def _seconds(said: object) -> float | None:
    """A time as an exception or a server says it: seconds, or an HTTP date."""
    if isinstance(said, bytes):
        said = said.decode("ascii")
    if isinstance(said, bool) or not isinstance(said, (int, float, str)):
        return None
    try:
        seconds = float(said)
    except ValueError:
        from email.utils import parsedate_to_datetime  # few servers say dates
        from time import time

        seconds = parsedate_to_datetime(str(said)).timestamp() - time()
    return max(0.0, seconds)  # which is 0 for what is not a number
