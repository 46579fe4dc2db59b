"""The interval of a ratio: known values, and how often it is wrong."""

from __future__ import annotations

import math
import random

import pytest

from cord.tools.compare.noise import _quantile, is_noise, ratio_interval


def test_of_two_pairs_by_hand() -> None:
    interval = ratio_interval([1.0, 4.0], [2.0, 4.0])
    assert interval is not None
    middle = math.sqrt(0.5)
    half = 12.706 * math.log(2) / 2  # the standard deviation is log 2 / sqrt 2, and so over sqrt 2
    assert interval == pytest.approx((middle * math.exp(-half), middle * math.exp(half)))
    assert is_noise(interval)


def test_pairs_and_not_times_count() -> None:
    """A machine that gets slower and slower hides nothing from runs that take turns."""
    plain = [1.0, 1.5, 2.0, 2.5, 3.0]
    interval = ratio_interval([0.9 * one for one in plain], plain)
    assert interval == pytest.approx((0.9, 0.9))
    assert not is_noise(interval)


def test_one_round_tells_nothing() -> None:
    assert ratio_interval([1.0], [2.0]) is None
    assert not is_noise(None)


@pytest.mark.parametrize(
    ("freedom", "known"), [(1, 12.706), (30, 2.042), (31, 2.040), (120, 1.980)]
)
def test_quantiles(freedom: int, known: float) -> None:
    assert _quantile(freedom) == pytest.approx(known, abs=0.004)


@pytest.mark.parametrize("rounds", [2, 3, 5, 10])
def test_what_is_the_same_is_told_apart_in_one_of_twenty(rounds: int) -> None:
    chance = random.Random(rounds)

    def times() -> list[float]:
        return [chance.lognormvariate(0.0, 0.1) for _ in range(rounds)]

    wrong = sum(not is_noise(ratio_interval(times(), times())) for _ in range(2000))
    assert 0.03 < wrong / 2000 < 0.07
