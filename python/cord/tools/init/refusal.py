"""Why there is no plan: in a sentence or two, and what the user can do."""

from __future__ import annotations


class Refused(Exception):
    """No plan is written.

    Args:
        reason: Why, in a sentence or two.
        more: What else there is to say, a paragraph each.
    """

    def __init__(self, reason: str, more: list[str] | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.more = more or []


class Undecided(Refused):
    """No plan is written, and nobody knows whether one pays: the machine was busy."""


def duration(seconds: float) -> str:
    """A time, short."""
    if seconds < 1e-3:
        return f"{seconds * 1e6:.0f} µs"
    if seconds < 0.1:
        return f"{seconds * 1e3:.3g} ms"
    return f"{seconds:.2f} s"


def size(count: float) -> str:
    """A number of bytes, short."""
    for unit, bound in (("B", 1), ("KiB", 1 << 10), ("MiB", 1 << 20)):
        if count < bound * 1000 or unit == "MiB":
            return f"{count / bound:.0f} {unit}" if unit == "B" else f"{count / bound:.1f} {unit}"
    raise AssertionError


def number_of(count: int, what: str) -> str:
    """A number of things, as 1,000 calls."""
    return f"{count:,} {what}{'' if count == 1 else 's'}"
