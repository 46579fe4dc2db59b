"""How fast an array of 64 MiB goes to a replica and comes back."""

import numpy as np
import work
from timing import per_call, report


def echoes(count: int) -> np.ndarray:
    """Send the array so often; what came back last."""
    for _ in range(count):
        back = work.echo(array)
    return back


array = np.random.default_rng(seed=1).random(64 * 2**20 // 8)
assert (echoes(2) == array).all()
seconds = per_call(echoes, 1)
report(rate=2 * array.nbytes / seconds)
