"""What programs of others gain in each way of running ahead, as a table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from statistics import median

from benchmarks.markdown import line
from benchmarks.others.program import Ran

WAYS = ("plain", "copies", "slices", "both")
HEAD = (
    "program",
    "calls",
    "plain",
    "copies only",
    "slices only",
    "both",
    "ideal",
    "share",
    "in vain",
    "output",
)
# Where less than that part of the time could be gained, no share is told.
LEAST = 0.1

Runs = Mapping[str, Sequence[Ran]]


def lines(measured: Mapping[str, Runs]) -> Iterator[str]:
    """The table, as Markdown, and a line of medians.

    Args:
        measured: By program and by way, what each round showed.
    """
    yield line(HEAD)
    yield line(("---", *["--:"] * (len(HEAD) - 2), "---"))
    for name, runs in measured.items():
        yield line((name, *_cells(runs)))
    shares = [share for runs in measured.values() if (share := share_of(runs)) is not None]
    if shares:
        low = sum(share < 0.5 for share in shares)
        yield f"\nmedian share {median(shares):.2f} of {len(shares)} programs; {low} below 0.5"


def _cells(runs: Runs) -> Iterator[str]:
    both = runs["both"]
    share = share_of(runs)
    yield str(both[0].calls)
    for way in WAYS:
        yield f"{_seconds(runs[way]):.2f}"
    yield f"{ideal_of(runs):.2f}"
    yield "" if share is None else f"{share:.2f}"
    yield f"{median(one.vain for one in both):.0f}"
    differing = [
        way for way in WAYS if {one.shown for one in runs[way]} != {runs["plain"][0].shown}
    ]
    yield f"differs: {', '.join(differing)}" if differing else "same"


def ideal_of(runs: Runs) -> float:
    """Seconds of the program without its calls, and its calls by all replicas at once."""
    plain = _seconds(runs["plain"])
    service = median(one.service for one in runs["both"])
    return max(plain - service, 0.0) + service / runs["both"][0].replicas


def share_of(runs: Runs) -> float | None:
    """Which part of the possible gain is there; None where there is little to gain."""
    plain, ideal = _seconds(runs["plain"]), ideal_of(runs)
    if plain - ideal < LEAST * plain:
        return None
    return (plain - _seconds(runs["both"])) / (plain - ideal)


def _seconds(runs: Sequence[Ran]) -> float:
    return median(one.seconds for one in runs)
