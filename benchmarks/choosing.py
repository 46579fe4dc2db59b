"""What `--only` chooses."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Protocol, TypeVar


class _Named(Protocol):
    @property
    def name(self) -> str: ...


Thing = TypeVar("Thing", bound=_Named)


def chosen(only: str, things: Sequence[Thing], kind: str) -> list[Thing]:
    """The things whose names are given, in their own order.

    Args:
        only: Names with commas between; empty for all.
        things: What there is.
        kind: What one of them is called.

    Raises:
        SystemExit: There is none of such a name.
    """
    names = [name.strip() for name in only.split(",") if name.strip()]
    unknown = set(names) - {thing.name for thing in things}
    if unknown:
        known = ", ".join(thing.name for thing in things)
        sys.exit(f"there is no {kind} {', '.join(sorted(unknown))}\n\nhint: choose from {known}")
    return [thing for thing in things if not names or thing.name in names]
