"""How many threads the numerical libraries of a replica use.

OpenBLAS, MKL, BLIS and OpenMP take all cores by default. Replicas that do so together are slower
than one process alone.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False  # typing is not imported on the way to a first call
if TYPE_CHECKING:
    from typing import Final

_VARIABLES: Final = (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "BLIS_NUM_THREADS",
)


def threads_of(setting: int | str, replicas: int) -> int | None:
    """The number of threads that a setting of the plan means, or None for no limit.

    Args:
        setting: A number, "auto" or "all".
        replicas: How many processes share the cores. A single one has them all.
    """
    if isinstance(setting, int):
        return setting
    if setting == "all" or replicas == 1:
        return None
    return max(1, len(os.sched_getaffinity(0)) // replicas)


def limit_threads(number: int) -> None:
    """Let numerical libraries that are loaded from now on use that many threads.

    It is done in the environment that C code sees, so that the remote module finds `os.environ` as
    the program left it. Where the program or its user says something about it, that holds.
    """
    if any(name in os.environ for name in _VARIABLES):
        return
    for name in _VARIABLES:
        os.putenv(name, str(number))
