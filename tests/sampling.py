"""Which tests of a long campaign are made: some of them, others each day; all with ``--full``.

The day is the seed, so a failure is found again with ``CORD_TESTS_SEED=2026-11-25``.
"""

from __future__ import annotations

import datetime
import os
import random
from collections.abc import Sequence
from typing import TypeVar

Item = TypeVar("Item")

# Processes in which tests run beside each other inherit it: all choose the same.
SEED = os.environ.setdefault("CORD_TESTS_SEED", datetime.date.today().isoformat())


class Choice:
    """Whether everything is to be tested; set before any test is collected."""

    full = False


def sample(items: Sequence[Item], one_in: int, of: str) -> list[Item]:
    """Some of ``items`` in their order, others each day; all of them with ``--full``.

    Args:
        items: What a campaign consists of.
        one_in: The share that is kept: one in so many, at least one.
        of: The campaign's name: campaigns over the same items choose differently.
    """
    if Choice.full:
        return list(items)
    count = max(1, len(items) // one_in)
    chosen = random.Random(f"{SEED} {of}").sample(range(len(items)), count)
    return [items[number] for number in sorted(chosen)]
