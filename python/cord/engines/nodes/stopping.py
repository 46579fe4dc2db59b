"""How gateways and agents, whose loops are native, hear that they are told to end."""

from __future__ import annotations

import os
import signal
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from types import FrameType


def told_to_stop(ignored: Iterable[int]) -> int:
    """From here on SIGTERM makes a descriptor readable.

    Args:
        ignored: Signals that do nothing from here on: what starts a run ends it.

    Returns:
        The descriptor; who takes it closes it.
    """
    for number in ignored:
        signal.signal(number, signal.SIG_IGN)
    stop, told = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)
    signal.set_wakeup_fd(told)
    signal.signal(signal.SIGTERM, _do_nothing)
    return os.dup(stop)  # a late signal is still to find a reader


def _do_nothing(_number: int, _frame: FrameType | None) -> None:
    """Handle it: only a handled signal writes to the wake-up descriptor."""
