"""Kept calls as a person names and sees them."""

from __future__ import annotations

import time


def is_named(function: str, name: str) -> bool:
    """Whether a function is meant by a name, with or without its module."""
    return function == name or function.endswith(f".{name}")


def when(seconds: float) -> str:
    """A time of day, with its date."""
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(seconds))


def aligned(rows: list[tuple[str, ...]]) -> None:
    """Print rows below one another, each in a line."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = [f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)]
        print("  ".join(cells).rstrip())
