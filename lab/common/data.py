"""The numbers that programs read from files: the same ones for all."""

from __future__ import annotations

from pathlib import Path

from lab.common.places import BUILD


def random_numbers(count: int) -> Path:
    """A file with so many random whole numbers of 32 bits, made if it is not there."""
    import numpy as np

    path = BUILD / f"numbers-{count}"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        np.random.default_rng(1).integers(0, 2**31 - 1, count, dtype=np.int32).tofile(path)
    return path
