"""Which functions `cord run --repeatable` has named, for the plan that may be asked for later."""

from __future__ import annotations

from cord.tools.unplanned.remembered import kept_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cord.kept import Kept
    from cord.plan.program import Program

_QUESTION = ("repeatable",)


def remember(program: Program, names: list[str]) -> None:
    """Keep the names."""
    kept = kept_of(program)
    if recall(kept) != names:
        kept[_QUESTION] = tuple(names)
        kept.save()


def recall(kept: Kept) -> list[str]:
    """The names that the last such run had."""
    return list(kept[_QUESTION]) if _QUESTION in kept else []
