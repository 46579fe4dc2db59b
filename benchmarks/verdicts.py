"""From samples to medians, and from medians to what holds."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from statistics import median

from benchmarks.model import Absent, Claim, Measured, Medians, Row


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of a claim.

    Attributes:
        claim: The claim.
        figure: What was found; None if something that it needs was not measured.
        missing: What that is.
    """

    claim: Claim
    figure: float | None
    missing: str = ""

    @property
    def holds(self) -> bool:
        """Whether the claim is shown to hold."""
        return self.figure is not None and self.claim.holds(self.figure)


def medians(measured: list[Measured]) -> Medians:
    """The medians of each contender's measures over its rounds."""
    return Medians({one.name: _medians(one) for one in measured if one.samples})


def _medians(one: Measured) -> dict[str, float]:
    return {key: median(sample[key] for sample in one.samples) for key in one.samples[0]}


def verdicts(row: Row, found: Medians) -> list[Verdict]:
    """What became of all claims of a row."""
    return judged(row.claims, found)


def judged(claims: Iterable[Claim], found: Medians) -> list[Verdict]:
    """What became of claims."""
    return [_verdict(claim, found) for claim in claims]


def _verdict(claim: Claim, found: Medians) -> Verdict:
    try:
        return Verdict(claim, claim.figure(found))
    except Absent as absent:
        return Verdict(claim, None, str(absent))
