"""Random programs show the same under ``cord run`` as plain; ``make property`` runs any number."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from campaign import UNUSABLE, examine
from random_clients import make_case
from shrinking import case_text
from warm_runs import Pair, warm_pair

from sampling import sample

GROUPS = 10
IN_A_GROUP = 25


@pytest.fixture(scope="module")
def pair() -> Iterator[Pair]:
    with warm_pair() as pair:
        yield pair


@pytest.mark.parametrize("group", sample(range(GROUPS), 10, of="clients"))
def test_same_as_plain(group: int, pair: Pair) -> None:
    seeds = range(group * IN_A_GROUP, (group + 1) * IN_A_GROUP)
    shown = {seed: examine(make_case(seed), pair) for seed in seeds}
    different = {seed: what for seed, what in shown.items() if what not in ("", UNUSABLE)}
    assert not different, "make property N=1 SEED=... shrinks each of these"
    assert list(shown.values()).count(UNUSABLE) <= IN_A_GROUP // 4


def test_the_same_number_gives_the_same_program() -> None:
    assert case_text(make_case(5)) == case_text(make_case(5)) != case_text(make_case(6))
