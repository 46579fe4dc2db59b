"""The shared random numbers of `random` and NumPy: read and set for functions that are not pure.

They are no part of the world: every draw changes them.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False  # typing is not imported on the way to a first call
if TYPE_CHECKING:
    from typing import Any

    # Of `random` and of NumPy, as far as they are loaded.
    Randoms = dict[str, Any]


def read_random() -> Randoms:
    """The states of those that are loaded; equal states are equal."""
    found: Randoms = {}
    shared = _shared()
    if shared is not None:
        found["random"] = shared.getstate()
    numpy = sys.modules.get("numpy.random")
    if numpy is not None:
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


def _shared() -> Any:
    """What the functions of `random` draw from."""
    return getattr(sys.modules.get("random"), "_inst", None)
