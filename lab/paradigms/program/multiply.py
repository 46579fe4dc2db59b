"""Multiplies two matrices row by row: multiply.py, and the size on each line of its input."""

import json
import statistics
import sys
import time
import zlib

import numpy as np
import work


def multiply(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Each row of the product takes a row of `a` and the whole of `b`."""
    return np.array([work.row_times(row, b) for row in a])


def new_matrix(size: int, seed: int) -> np.ndarray:
    """The numbers of the lab's other programs: small ones, so that no sum is rounded."""
    numbers, state = np.empty(size * size), seed
    for place in range(size * size):
        state = (state * 1664525 + 1013904223) % 2**32
        numbers[place] = (state >> 22) - 512
    return numbers.reshape(size, size)


def main() -> None:
    """Multiply for each line, and print the median of the seconds as JSON."""
    times = []
    for line in sys.stdin:
        a, b = new_matrix(int(line), 1), new_matrix(int(line), 2)
        begin = time.perf_counter()
        c = multiply(a, b)
        times.append(time.perf_counter() - begin)
    print(json.dumps({"seconds": statistics.median(times), "check": zlib.adler32(c)}))


if __name__ == "__main__":
    main()
