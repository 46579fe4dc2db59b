"""Calls made again in replicas, as a run makes them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cord.tools.library.opened import Opened

if TYPE_CHECKING:
    from types import TracebackType
    from typing import Any, Self

    from cord.plan.model import Plan
    from cord.plan.program import Program


class Replicas:
    """The replicas of a plan: they make each call anew, and no others.

    Args:
        plan: The plan.
        program: The program that it is for.

    Raises:
        CordError: They cannot be started.
    """

    def __init__(self, plan: Plan, program: Program) -> None:
        remote = {name: one.keeping_nothing() for name, one in plan.remote.items()}
        self._opened = Opened(plan.but(remote=remote, copies=False, audit=0.0), program, [])

    @property
    def places(self) -> int:
        """How many calls may be made at once."""
        return self._opened.plan.places or 1

    def lead(self, module: str, name: str, function: Any) -> Any:
        """What sends the calls of a function to replicas; itself if it is not remote any more."""
        if self._opened.plan.remote[module].is_program:
            return self._opened.make_remote(name, function)
        return self._opened.remote(function)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._opened.close()
