"""Sorts the numbers of a file: sorts parts of them, and merges the parts."""

import json
import statistics
import sys
import time
import zlib

import numpy as np

import sorting


def sort_in_parts(numbers: np.ndarray, algorithm: str, parts: int) -> np.ndarray:
    """Sort every part by itself, and merge them all."""
    ordered = [sorting.sort(part, algorithm) for part in np.split(numbers, parts)]
    return sorting.merge(ordered)


def main() -> None:
    """Sort as many numbers as the command line says, as often, and print the times as JSON."""
    path, algorithm, parts, repeats, *sizes = sys.argv[1:]
    measures = {}
    for size in sizes:
        times = []
        for _ in range(int(repeats)):
            numbers = np.fromfile(path, np.int32, int(size))
            begin = time.perf_counter()
            ordered = sort_in_parts(numbers, algorithm, int(parts))
            times.append(time.perf_counter() - begin)
        measures[size] = statistics.median(times)
        measures[f"check {size}"] = zlib.adler32(ordered)
    print(json.dumps(measures))


if __name__ == "__main__":
    main()
