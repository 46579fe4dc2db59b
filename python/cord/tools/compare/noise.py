"""Whether a difference between two ways to run a program is more than noise."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import NormalDist, fmean, stdev

CONFIDENCE = 0.95
# Of Student's distribution, two-sided at 95 %, for 1, 2, 3, ... degrees of freedom.
_QUANTILES = (
    *(12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228),
    *(2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086),
    *(2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042),
)


def ratio_interval(times: Sequence[float], others: Sequence[float]) -> tuple[float, float] | None:
    """Between what bounds one way's time lies as a part of another's, at 95 % confidence.

    The ways have run in turns, so the runs of one round have met the same machine. They are a pair,
    and what counts is how the ratio of a pair differs from round to round: the paired observations
    of Jain, *The Art of Computer Systems Performance Analysis*, Wiley 1991, 13.4.1, with Student's
    distribution, as there are few (Georges, Buytaert and Eeckhout, *Statistically Rigorous Java
    Performance Evaluation*, OOPSLA 2007, 3.2). Logarithms are taken, for noise adds to a time as a
    part of it rather than as seconds; so the interval is of the geometric mean of the ratios. If 1
    is in it, the two ways cannot be told apart.

    Args:
        times: Of one way, by round.
        others: Of the other way, by round.

    Returns:
        The bounds; None with fewer than two rounds, which tell nothing of noise.
    """
    logs = [math.log(one / other) for one, other in zip(times, others, strict=True)]
    if len(logs) < 2:
        return None
    half = _quantile(len(logs) - 1) * stdev(logs) / math.sqrt(len(logs))
    middle = fmean(logs)
    return math.exp(middle - half), math.exp(middle + half)


def is_noise(interval: tuple[float, float] | None) -> bool:
    """Whether such an interval leaves open which way is faster."""
    return interval is not None and interval[0] <= 1.0 <= interval[1]


def _quantile(freedom: int) -> float:
    if freedom <= len(_QUANTILES):
        return _QUANTILES[freedom - 1]
    normal = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
    return normal + (normal**3 + normal) / (4 * freedom)  # Abramowitz and Stegun, 26.7.5
