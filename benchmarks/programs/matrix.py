"""How long 500 calls take that all need the same matrix of 8 MiB."""

import time

import numpy as np
import work
from timing import report


def product(rows: np.ndarray, matrix: np.ndarray) -> list[np.ndarray]:
    """Multiply each row by the matrix."""
    return [work.times(row, matrix) for row in rows]


numbers = np.random.default_rng(seed=1)
matrix = numbers.random((1024, 1024))
rows = numbers.random((500, 1024))
product(rows[:4, :4], matrix[:4, :4])
begin = time.perf_counter()
results = product(rows, matrix)
seconds = time.perf_counter() - begin
assert np.allclose(results, rows @ matrix)
report(seconds=seconds)
