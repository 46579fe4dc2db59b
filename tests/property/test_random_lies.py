"""Random programs whose functions do what their plan denies show the same as plain.

`make property N=... SEED=... HOW=--lies` runs any number.
"""

from __future__ import annotations

import pytest
from campaign import examine_group
from lying_clients import make_case
from warm_runs import Pair

from sampling import sample

GROUPS = 20
IN_A_GROUP = 10


@pytest.mark.parametrize("pair", ["cord", "copied"], indirect=True)
@pytest.mark.parametrize("group", sample(range(GROUPS), 20, of="lies"))
def test_same_as_plain(group: int, pair: Pair) -> None:
    different, _ = examine_group(make_case, group, IN_A_GROUP, pair)
    assert not different, "make property N=1 SEED=... HOW=--lies shrinks each of these"
