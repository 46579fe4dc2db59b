"""The work that Cord and its peers share out: what they all call is the same."""

import time
from collections.abc import Callable, Sequence
from typing import Any

import cores


def null() -> None:
    """Do nothing."""


def inc(number: int) -> int:
    """Add one."""
    return number + 1


def busy(seconds: float) -> int:
    """Keep a core busy for so long: processor time, not counting when others have the core."""
    turns = 0
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        turns += 1
    return turns


def nap(seconds: float) -> float:
    """Sleep."""
    time.sleep(seconds)
    return seconds


def each(function: Callable[[Any], Any], items: Sequence[Any]) -> list[Any]:
    """Call a function for each item: a chunk of calls."""
    return [function(item) for item in items]


def times(row: Any, matrix: Any) -> Any:
    """Multiply a row by a matrix."""
    return row @ matrix


def echo(array: Any) -> Any:
    """Give back what was given."""
    return array


def pin(index: int) -> None:
    """Run on this core from now on, in the process that this is called in."""
    cores.pin(index)
