"""Random programs show the same under ``cord run`` as plain; ``make property`` runs any number."""

from __future__ import annotations

import pytest
from campaign import examine_group
from random_clients import make_case
from shrinking import case_text
from warm_runs import Pair

from sampling import sample

GROUPS = 10
IN_A_GROUP = 25


@pytest.mark.parametrize("pair", ["cord"], indirect=True)
@pytest.mark.parametrize("group", sample(range(GROUPS), 10, of="clients"))
def test_same_as_plain(group: int, pair: Pair) -> None:
    different, unusable = examine_group(make_case, group, IN_A_GROUP, pair)
    assert not different, "make property N=1 SEED=... shrinks each of these"
    assert unusable <= IN_A_GROUP // 4


def test_the_same_number_gives_the_same_program() -> None:
    assert case_text(make_case(5)) == case_text(make_case(5)) != case_text(make_case(6))
