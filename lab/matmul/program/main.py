"""Multiplies two matrices row by row: main.py, and a size on each line of its input."""

import json
import statistics
import sys
import time
import zlib

import numpy as np

import product


def multiply(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Each row of the product takes a row of `a` and the whole of `b`."""
    return np.array([product.row_times(row, b) for row in a])


def new_matrix(size: int, seed: int) -> np.ndarray:
    """The numbers of the lab's other programs."""
    numbers, state = np.empty(size * size, np.int32), seed
    for place in range(size * size):
        state = (state * 1664525 + 1013904223) % 2**32
        numbers[place] = (state >> 22) - 512
    return numbers.reshape(size, size)


def main() -> None:
    """Multiply new matrices of each line's size, and print the medians of the seconds as JSON.

    The first line does not count: servers are up then, as the native ones are.
    """
    times: dict[str, list[float]] = {}
    checks: dict[str, int] = {}
    for place, line in enumerate(sys.stdin):
        size = line.strip()
        a, b = new_matrix(int(size), 1), new_matrix(int(size), 2)
        begin = time.perf_counter()
        c = multiply(a, b)
        seconds = time.perf_counter() - begin
        if place > 0:
            times.setdefault(size, []).append(seconds)
            checks[f"check {size}"] = zlib.adler32(c)
    medians = {size: statistics.median(found) for size, found in times.items()}
    print(json.dumps(medians | checks))


if __name__ == "__main__":
    main()
