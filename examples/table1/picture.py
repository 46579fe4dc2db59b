"""Draws the Mandelbrot set, row by row, and writes the picture as a PNG file.

Each row of points is one call of `mandelbrot.row`. The picture is finer than the points: in between
it is smoothed.
"""

import argparse
import math
import struct
import sys
import time
import zlib
from pathlib import Path

import mandelbrot

REALS = (-1.8, 0.5)
IMAGINARIES = (-1.2, 1.2)
SCALE = 3  # pixels of the picture for each point, either way
DARK = (0, 0, 0)

Colour = tuple[int, int, int]


def colour(count: float, limit: int) -> Colour:
    """The colour of a point that left after so many iterations."""
    if count >= limit:
        return DARK
    angle = 2.4 * math.log(1 + count)
    red, green, blue = (
        round(255 * (0.5 + 0.5 * math.cos(angle + shift)) ** (1 / 2.2)) for shift in (3.1, 4.2, 5.3)
    )
    return red, green, blue


def line(counts: list[int], before: list[int], step: int, limit: int) -> bytes:
    """One line of the picture: so many steps of SCALE from the row before to this one."""
    part = step / SCALE
    means = [one * part + other * (1 - part) for one, other in zip(counts, before, strict=True)]
    pixels = []
    for left, right in zip(means, [*means[1:], means[-1]], strict=True):
        for pixel in range(SCALE):
            pixels += colour(left + (right - left) * pixel / SCALE, limit)
    return bytes(pixels)


def draw(rows: int, width: int, limit: int) -> list[bytes]:
    """The lines of the picture, SCALE for each row of points."""
    lines: list[bytes] = []
    before = None
    first, last = IMAGINARIES
    for y in range(rows):
        imaginary = first + (last - first) * y / max(rows - 1, 1)
        counts = mandelbrot.row(imaginary, REALS, width, limit)
        lines += [line(counts, before or counts, step, limit) for step in range(1, SCALE + 1)]
        before = counts
    return lines


def chunk(kind: bytes, data: bytes) -> bytes:
    """A part of a PNG file."""
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(lines: list[bytes]) -> bytes:
    """A picture with 8 bits for each of red, green and blue."""
    header = struct.pack(">IIBBBBB", len(lines[0]) // 3, len(lines), 8, 2, 0, 0, 0)
    data = zlib.compress(b"".join(b"\0" + one for one in lines))
    parts = [(b"IHDR", header), (b"IDAT", data), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunk(*part) for part in parts)


def main() -> None:
    """Read the command line, draw, and write."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rows", type=int, default=200)
    parser.add_argument("--width", type=int, default=200, help="points of each row")
    parser.add_argument("--limit", type=int, default=200, help="iterations to try")
    parser.add_argument("--output", type=Path, default=Path("mandelbrot.png"))
    arguments = parser.parse_args()

    begin = time.perf_counter()
    lines = draw(arguments.rows, arguments.width, arguments.limit)
    print(f"drawn in {time.perf_counter() - begin:.3f} s", file=sys.stderr)
    arguments.output.write_bytes(png(lines))
    print(f"written to {arguments.output}", file=sys.stderr)


if __name__ == "__main__":
    main()
