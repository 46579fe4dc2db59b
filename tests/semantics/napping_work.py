"""The remote module ``work`` of the programs in ``parallel/``: calls that sleep and say when.

Each call leaves a file with its start and end on the machine's monotonic clock, so that a test
can count how many calls ran at one time.
"""

import itertools
import os
import time
from pathlib import Path

_serial = itertools.count()


def _sleep(seconds=0.02):
    start = time.monotonic()
    time.sleep(seconds)
    folder = Path(os.environ["SPANS"])
    (folder / f"{os.getpid()}-{next(_serial)}").write_text(f"{start} {time.monotonic()}")


def nap(x, y=0):
    """A number made of the arguments, after 20 ms."""
    _sleep()
    return (x * 7 + y * 3) % 101


def nap_all(values):
    """The sum of ``values``, after 20 ms."""
    _sleep()
    return sum(values)


def compare(a, b):
    """A score for two words, after 20 ms."""
    _sleep()
    return sum(ord(x) ^ ord(y) for x, y in zip(a, b, strict=True))


def picky(x):
    """``x``, after 20 ms, unless it is one of every seven."""
    _sleep()
    if x % 7 == 5:
        raise ValueError(x)
    return x
