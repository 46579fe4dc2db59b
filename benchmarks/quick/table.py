"""The table of a comparison, from what was measured."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import median

from benchmarks.markdown import line
from benchmarks.quick.rows import Compared

Pairs = Sequence[tuple[float, float]]
HEAD = ("", "base", "this", "", "this / base", "noise")


def lines(measured: Sequence[tuple[Compared, Pairs]]) -> Iterator[str]:
    """The table, as Markdown.

    Args:
        measured: For each row the figures of base and this, a pair for each round.
    """
    yield line(HEAD)
    yield line(("---", "--:", "--:", ":--", "--:", "--:"))
    for row, pairs in measured:
        yield line(_cells(row, pairs))


def _cells(row: Compared, pairs: Pairs) -> Sequence[str]:
    if not pairs:
        return (row.name, "", "", row.unit, "failed", "")
    base, this = (median(side) * row.scale for side in zip(*pairs, strict=True))
    return (row.name, _shown(base), _shown(this), row.unit, f"{ratio(pairs):.3f}", _noise(pairs))


def ratio(pairs: Pairs) -> float:
    """The median of the rounds' ratios: what disturbs a round meets both of its runs."""
    return median(this / base for base, this in pairs)


def _noise(pairs: Pairs) -> str:
    ratios = sorted(this / base for base, this in pairs)
    return f"{ratios[0]:.2f} to {ratios[-1]:.2f}"


def _shown(figure: float) -> str:
    return f"{figure:,.0f}" if figure >= 1000 else f"{figure:.3g}"
