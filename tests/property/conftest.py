"""Warm processes for random programs: a module says by `parametrize` in which ways they run."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from warm_runs import Pair, warm_pair


@pytest.fixture(scope="module")
def pair(request: pytest.FixtureRequest) -> Iterator[Pair]:
    """A pair that runs programs in the way of the parameter."""
    with warm_pair(request.param) as pair:
        yield pair
