"""The remote module ``work`` of the programs in ``parallel/``: calls that sleep and say when.

Each call sleeps as long as the environment's ``NAP`` says (in seconds), and leaves a file with its
start and end on the machine's monotonic clock in the folder ``SPANS``, so that a test can count how
many calls ran at one time.
"""

import json
import os
import time
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import NamedTuple


class Spot(NamedTuple):
    x: int
    y: int


@dataclass(frozen=True)
class Reading:
    name: str
    value: int


class Parity(Enum):
    ODD = "odd"
    EVEN = "even"


def _sleep(times=1):
    start = time.monotonic()
    time.sleep(float(os.environ["NAP"]) * times)
    _leave(start)


def _leave(start):
    folder = Path(os.environ["SPANS"])
    (folder / f"{os.getpid()}-{time.monotonic_ns()}").write_text(f"{start} {time.monotonic()}\n")


def nap(x, y=0):
    """A number made of the arguments."""
    _sleep()
    return (x * 7 + y * 3) % 101


async def nap_awaited(x):
    """A number, for who awaits it."""
    import asyncio

    start = time.monotonic()
    await asyncio.sleep(float(os.environ["NAP"]))
    _leave(start)
    return x * 7 % 101


async def nap_at_once(x):
    """The same, while the event loop stands."""
    return nap(x)


def nap_by_keyword(*, run, callee, activation=0):
    """As `nap`."""
    return nap(run, callee + activation)


def nap_long(times):
    """How many naps it slept."""
    _sleep(times)
    return times


def nap_all(values):
    """The sum of ``values``."""
    _sleep()
    return sum(values)


def compare(a, b):
    """A score for two words."""
    _sleep()
    return sum(ord(x) ^ ord(y) for x, y in zip(a, b, strict=True))


def picky(x):
    """``x``, unless it is one of every seven."""
    _sleep()
    if x % 7 == 5:
        raise ValueError(x)
    return x


def nap_of(job):
    """The number of an object of a class of the program's."""
    _sleep()
    return int(job)


def nap_with(function, x):
    """What a function of the program's makes of a number."""
    _sleep()
    return function(x)


def children(node, below):
    """The two children of a node of a binary tree, if their numbers are small enough."""
    _sleep()
    return [child for child in (2 * node + 1, 2 * node + 2) if child < below]


def moved(spot, by):
    """A named tuple made from another."""
    _sleep()
    return Spot(spot.x + by, spot.y - by)


def read(x):
    """An instance of a frozen dataclass."""
    _sleep()
    return Reading(f"r{x}", x * 7 % 50)


def parity(x):
    """A member of an enumeration."""
    _sleep()
    return Parity.ODD if x % 2 else Parity.EVEN


def say(about):
    """A sentence or two."""
    _sleep()
    return f"Of {about} I say" + " this" * (len(str(about)) % 3 + 1) + "."


def facts(x):
    """What there is to know of a number."""
    _sleep()
    return {
        "id": x,
        "name": f"n{x}",
        "parts": ["a", f"b{x % 4}"],
        "weight": x / 3,
        "odd": x % 2 == 1,
    }


def as_json(x):
    """The same as text."""
    _sleep()
    return json.dumps({"id": x, "weight": x % 10 / 4, "words": ["few", "many"][x % 2]})


def perhaps(x):
    """Nothing for one of every five."""
    _sleep()
    return None if x % 5 == 3 else Reading(f"r{x}", x * 7 % 50)
