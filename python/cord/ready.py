"""Waiting for descriptors, however high their numbers are: `select.select` ends at 1023."""

from __future__ import annotations

import select

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any


def ready(waits: Iterable[Any], seconds: float | None = None) -> list[Any]:
    """Wait until one of them can be read, or has ended.

    Args:
        waits: Descriptors, or what has one.
        seconds: How long; None for however long it takes.

    Returns:
        Those that can be read; none if the time is over.
    """
    by_number: dict[int, Any] = {}
    poll = select.poll()
    for one in waits:
        number = one if isinstance(one, int) else one.fileno()
        by_number[number] = one
        poll.register(number, select.POLLIN)
    limit = None if seconds is None else max(0.0, seconds) * 1000
    return [by_number[number] for number, _ in poll.poll(limit)]
