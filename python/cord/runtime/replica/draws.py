"""Where random numbers lie that the process shares: numbers that change with each draw."""

from __future__ import annotations

import sys

from cord._core import state_in_capsule

TYPE_CHECKING = False  # typing is not imported on the way to a first call
if TYPE_CHECKING:
    from typing import Any, Final

    Place = tuple[str, int]

# Where the state of `random.Random` lies in its object, behind what all objects have.
_BEHIND_HEAD: Final = object.__basicsize__
_MERSENNE: Final = 624
# Where the last number of numpy's state lies, with the place of the next one behind it.
_LAST: Final = 4 * (_MERSENNE - 1)


def state_of_random() -> list[Place]:
    """Where numbers lie that change with each draw from the random numbers of `random`, or seed."""
    random = sys.modules.get("random")
    shared = getattr(random, "_inst", None)
    if shared is None or type(shared).__module__ != "random":
        return []
    base: Any = type(shared).__base__
    if base.__basicsize__ < _BEHIND_HEAD + 4 * (1 + _MERSENNE):
        return []
    # the index and the first word, which no seed changes; and the next two
    return [("random", id(shared) + place) for place in (_BEHIND_HEAD, _BEHIND_HEAD + 8)]


def state_of_numpy() -> list[Place]:
    """The same for those of `numpy.random`."""
    random = sys.modules.get("numpy.random.mtrand")
    shared = getattr(random, "_rand", None)
    bits: Any = getattr(shared, "_bit_generator", None)
    if type(bits).__name__ != "MT19937":
        return []
    place = state_in_capsule(bits.capsule)
    return [] if place is None else [("numpy.random", place + _LAST)]


def is_fresh(name: str) -> bool:
    """Whether nobody has drawn from random numbers since they were seeded."""
    if name == "random":
        return bool(sys.modules["random"].getstate()[1][-1] == _MERSENNE)
    random = sys.modules["numpy.random.mtrand"]
    other = type(random._rand._bit_generator)()
    return bool(random._rand._bit_generator.state["state"]["pos"] == other.state["state"]["pos"])
