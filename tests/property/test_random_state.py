"""Random programs that change the state of modules between calls show the same as plain.

`make property N=... SEED=... HOW=--state` runs any number.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from campaign import UNUSABLE, examine
from state_clients import make_case
from warm_runs import Pair, warm_pair

from sampling import sample

GROUPS = 20
IN_A_GROUP = 10


@pytest.fixture(scope="module", params=["cord", "copied"])
def pair(request: pytest.FixtureRequest) -> Iterator[Pair]:
    with warm_pair(request.param) as pair:
        yield pair


@pytest.mark.parametrize("group", sample(range(GROUPS), 10, of="state"))
def test_same_as_plain(group: int, pair: Pair) -> None:
    seeds = range(group * IN_A_GROUP, (group + 1) * IN_A_GROUP)
    shown = {seed: examine(make_case(seed), pair) for seed in seeds}
    different = {seed: what for seed, what in shown.items() if what not in ("", UNUSABLE)}
    assert not different, "make property N=1 SEED=... HOW=--state shrinks each of these"
