"""Tables in Markdown."""

from __future__ import annotations

from collections.abc import Sequence


def line(cells: Sequence[str]) -> str:
    """A line of a table."""
    return f"| {' | '.join(cells)} |"
