"""Random programs with effects show the same with a copy at each call, and make the same calls.

`make property N=... SEED=... HOW="--effects --copies"` runs any number.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import system_calls
from campaign import UNUSABLE, examine
from effect_clients import make_case
from warm_runs import Pair, warm_pair

from sampling import sample

GROUPS = 4
IN_A_GROUP = 5
TRACED = [2, 8, 9]


@pytest.fixture(scope="module")
def pair() -> Iterator[Pair]:
    with warm_pair("copied") as pair:
        yield pair


@pytest.mark.parametrize("group", sample(range(GROUPS), 4, of="effects"))
def test_same_as_plain(group: int, pair: Pair) -> None:
    seeds = range(group * IN_A_GROUP, (group + 1) * IN_A_GROUP)
    shown = {seed: examine(make_case(seed), pair) for seed in seeds}
    different = {seed: what for seed, what in shown.items() if what not in ("", UNUSABLE)}
    assert not different
    assert list(shown.values()).count(UNUSABLE) <= 1


@pytest.mark.skipif(not system_calls.is_there(), reason="there is no strace, or it may not trace")
@pytest.mark.parametrize("seed", TRACED)
def test_same_system_calls(seed: int, tmp_path: Path) -> None:
    assert system_calls.difference(make_case(seed), tmp_path) == ""
