"""Random programs with effects show the same with a copy at each call, and make the same calls.

`make property N=... SEED=... HOW="--effects --copies"` runs any number.
"""

from __future__ import annotations

from pathlib import Path

import pytest
import system_calls
from campaign import examine_group
from effect_clients import make_case
from warm_runs import Pair

from sampling import sample

GROUPS = 4
IN_A_GROUP = 5
TRACED = [2, 8, 9]


@pytest.mark.parametrize("pair", ["copied"], indirect=True)
@pytest.mark.parametrize("group", sample(range(GROUPS), 4, of="effects"))
def test_same_as_plain(group: int, pair: Pair) -> None:
    different, unusable = examine_group(make_case, group, IN_A_GROUP, pair)
    assert not different
    assert unusable <= 1


@pytest.mark.skipif(not system_calls.is_there(), reason="there is no strace, or it may not trace")
@pytest.mark.parametrize("seed", TRACED)
def test_same_system_calls(seed: int, tmp_path: Path) -> None:
    assert system_calls.difference(make_case(seed), tmp_path) == ""
