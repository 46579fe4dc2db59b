"""How many bytes cross the link to an agent when 500 calls need the same matrix of 8 MiB."""

import time

import numpy as np
import work
from counted_link import carried
from timing import report


def product(rows: np.ndarray, matrix: np.ndarray) -> list[np.ndarray]:
    """Multiply each row by the matrix."""
    return [work.times(row, matrix) for row in rows]


numbers = np.random.default_rng(seed=1)
matrix = numbers.random((1024, 1024))
rows = numbers.random((500, 1024))
begin = time.perf_counter()
results = product(rows, matrix)
seconds = time.perf_counter() - begin
assert np.allclose(results, rows @ matrix)
sent = carried()
report(seconds=seconds, bytes=sent, part=sent / (matrix.nbytes + rows.nbytes))
