"""What all papers teach together: one table, made of what each measured."""

from __future__ import annotations

from collections.abc import Sequence

from lab.common.model import Paper


def write(papers: Sequence[Paper]) -> None:
    """Write the table into the report."""
