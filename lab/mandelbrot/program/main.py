"""Draws the Mandelbrot set, row by row: main.py SIZE, and a limit on each line of its input."""

import json
import sys
import time
import zlib

import numpy as np

import fractal


def draw(size: int, limit: int) -> np.ndarray:
    """Compute all rows of the picture, from top to bottom."""
    return np.array([fractal.row(1.2 - 2.4 * y / (size - 1), size, limit) for y in range(size)])


def main() -> None:
    """Draw a picture for each line's limit; print the seconds of the last as JSON.

    Only by then does the slowest machine have what its rows need.
    """
    size = int(sys.argv[1])
    for line in sys.stdin:
        begin = time.perf_counter()
        picture = draw(size, int(line))
        seconds = time.perf_counter() - begin
    print(json.dumps({"seconds": seconds, "check": zlib.adler32(picture)}))


if __name__ == "__main__":
    main()
