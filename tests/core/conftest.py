"""What every test of the native core needs."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from small_world import World


@pytest.fixture
def world() -> Iterator[World]:
    """Makes sessions; ends them after the test."""
    world = World()
    yield world
    world.close()
