"""The shared random numbers of `random` and NumPy: read and set for functions that are not pure.

They are no part of the world: every draw changes them. So a replica draws from its own, and only
what a call has seeded comes home: else both would draw the same numbers.
"""

from __future__ import annotations

import sys
from contextlib import suppress

TYPE_CHECKING = False  # typing is not imported on the way to a first call
if TYPE_CHECKING:
    from typing import Any

    # Of `random` and of NumPy, as far as they are loaded.
    Randoms = dict[str, Any]

_WORDS = 624
_ROUNDS = 64  # of so many words each; who draws more is taken for one who seeds


def read_random() -> Randoms:
    """The states of those that are loaded; equal states are equal."""
    found: Randoms = {}
    shared = _shared()
    if shared is not None:
        found["random"] = shared.getstate()
    numpy = sys.modules.get("numpy.random")
    if numpy is not None:
        with suppress(ValueError):  # another generator was put there
            kind, keys, position, has_gauss, gauss = numpy.get_state(legacy=True)
            found["numpy"] = kind, keys.tobytes(), position, has_gauss, gauss
    return found


def write_random(randoms: Randoms) -> None:
    """Set the states of those that are loaded.

    Args:
        randoms: What `read_random` has returned, here or in another process.
    """
    shared = _shared()
    if shared is not None and "random" in randoms:
        shared.setstate(randoms["random"])
    numpy = sys.modules.get("numpy.random")
    if numpy is not None and "numpy" in randoms:
        kind, keys, *rest = randoms["numpy"]
        numpy.set_state((kind, sys.modules["numpy"].frombuffer(keys, "uint32"), *rest))


def seeded(before: Randoms, after: Randoms) -> Randoms:
    """Those of some states that do not follow from others by drawing.

    Args:
        before: Earlier states.
        after: Later ones.
    """
    return {
        name: state
        for name, state in after.items()
        if name in before and not _follows(_words(before[name]), _words(state))
    }


def _words(state: Any) -> tuple[int, ...]:
    """The words of a state, without the place of the next one."""
    if isinstance(state[1], bytes):
        return tuple(memoryview(state[1]).cast("I"))
    words: tuple[int, ...] = state[1][:-1]
    return words


def _follows(before: tuple[int, ...], after: tuple[int, ...]) -> bool:
    """Whether somebody who only draws comes from one state to the other, in so many rounds."""
    if before == after:
        return True
    other = sys.modules.get("random") or __import__("random")
    generator = other.Random()
    generator.setstate((3, (*before, _WORDS), None))
    for _ in range(_ROUNDS):
        generator.getrandbits(32 * _WORDS)
        if generator.getstate()[1][:-1] == after:
            return True
    return False


def _shared() -> Any:
    """What the functions of `random` draw from."""
    return getattr(sys.modules.get("random"), "_inst", None)
