"""Multiplies two matrices row by row: main.py REPEATS SIZE..."""

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
    """Multiply matrices of each size so often, and print the medians of the seconds as JSON."""
    repeats, *sizes = map(int, sys.argv[1:])
    measures: dict[str, float] = {}
    for size in sizes:
        a, b = new_matrix(size, 1), new_matrix(size, 2)
        if size == sizes[0]:
            multiply(a, b)  # servers are up, as the native ones are
        times = []
        for _ in range(repeats):
            begin = time.perf_counter()
            c = multiply(a, b)
            times.append(time.perf_counter() - begin)
        measures[str(size)] = statistics.median(times)
        measures[f"check {size}"] = zlib.adler32(c)
    print(json.dumps(measures))


if __name__ == "__main__":
    main()
