"""Which tests are made: of a long campaign some, others each day; all of it with ``--full``.

With ``--of-the-day``, as `make test` has it, so are those of topics whose tests run programs. The
day is the seed, so a failure is found again with ``CORD_TESTS_SEED=2026-11-25``.
"""

from __future__ import annotations

import datetime
import os
import random
from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import TypeVar

Item = TypeVar("Item")

# Processes in which tests run beside each other inherit it: all choose the same.
SEED = os.environ.setdefault("CORD_TESTS_SEED", datetime.date.today().isoformat())


# Their tests run programs, most of them several. A file in them is a campaign: of it a day has one
# test in so many. What programs print and what their calls do is not among them: of `semantics`,
# `property` and `takes` all is tested but for their long campaigns.
RUNNING = frozenset(
    "conformance copies debugging docs engines examples explain init kept library nodes report "
    "threads trace verify".split()
)
ONE_IN = 5


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
    return _chosen(items, max(1, len(items) // one_in), of)


def of_the_day(tests: Sequence[Item], file_of: Callable[[Item], str]) -> list[Item]:
    """The tests of a day in their order, of each file some.

    Args:
        tests: All of them.
        file_of: Gives the file of a test, from `tests` on: `engines/test_no_room.py`.
    """
    files: dict[str, list[Item]] = defaultdict(list)
    for test in tests:
        files[file_of(test)].append(test)
    chosen: list[Item] = []
    for file, some in files.items():
        is_campaign = file.partition("/")[0] in RUNNING
        chosen += _chosen(some, -(-len(some) // ONE_IN), file) if is_campaign else some
    return chosen


def _chosen(items: Sequence[Item], count: int, of: str) -> list[Item]:
    chosen = random.Random(f"{SEED} {of}").sample(range(len(items)), count)
    return [items[number] for number in sorted(chosen)]
