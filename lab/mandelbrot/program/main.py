"""Draws the Mandelbrot set, row by row: main.py SIZE LIMIT."""

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
    """Draw a small picture, which does not count, and the picture; print the seconds as JSON."""
    size, limit = map(int, sys.argv[1:])
    draw(32, 10)
    begin = time.perf_counter()
    picture = draw(size, limit)
    seconds = time.perf_counter() - begin
    print(json.dumps({"seconds": seconds, "check": zlib.adler32(picture)}))


if __name__ == "__main__":
    main()
