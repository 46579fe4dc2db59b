"""Markdown of measured figures."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def table(titles: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """A table whose first column is text and whose others are numbers."""
    lines = [f"| {' | '.join(titles)} |", "|---|" + "--:|" * (len(titles) - 1)]
    return [*lines, *(f"| {' | '.join(row)} |" for row in rows), ""]


def figure(value: float | None, scale: float = 1.0, digits: int = 3) -> str:
    """A number with so many digits that count; "-" if there is none."""
    if value is None:
        return "-"
    scaled = value * scale
    if scaled == 0:
        return "0"
    return f"{scaled:,.0f}" if abs(scaled) >= 10**digits else f"{scaled:.{digits}g}"


def beside(measured: str, published: float | None) -> str:
    """A figure with the paper's behind it, in brackets."""
    return measured if published is None else f"{measured} ({figure(published)})"
