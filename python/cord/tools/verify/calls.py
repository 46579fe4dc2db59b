"""Calls that a watched program made, as they are written down and made again."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any, NamedTuple

from cord.tools.verify.alike import encoded

MOST_CALLS = 200  # of each function are kept; at times twice as many


class Call(NamedTuple):
    """One call that was made, and can be made again.

    Attributes:
        number: How many calls of its function came before it.
        head: Its arguments, encoded.
        result: What it gave, encoded.
        place: Where it was made.
        seconds: How long it took.
        version: The number of the main script's definitions that it needs; None for none.
    """

    number: int
    head: bytes
    result: bytes
    place: str
    seconds: float
    version: int | None = None


def is_pure(remote: dict[str, Any], full: str) -> bool:
    """Whether a function is declared pure, by its module's name and its own."""
    module, _, name = full.rpartition(".")
    return bool(remote[module]["functions"].get(name, remote[module]["pure"]))


def affordable(calls: dict[str, list[Call]], seconds: float, times: int) -> dict[str, list[Call]]:
    """The calls that can be made so often again in that time; of each function one at least.

    All functions have the same share of the time. Where it does not do for all calls of one, those
    that are left out lie evenly among the others.
    """
    share = seconds / max(1, len(calls)) / times
    chosen = {}
    for full, made in calls.items():
        sample = made[:: max(1, -(-len(made) // MOST_CALLS))]
        while len(sample) > 1 and sum(call.seconds for call in sample) > share:
            sample = sample[::2]
        chosen[full] = sample
    return chosen


def outcome(function: Callable[..., Any], head: bytes) -> bytes | None:
    """What a call with encoded arguments gives, encoded; None if it cannot be."""
    try:
        args, kwargs = pickle.loads(head)
    except Exception:
        return None
    try:
        return encoded(function(*args, **kwargs))
    except Exception as error:
        return encoded((type(error).__name__, error.args))
