"""Draws the Mandelbrot set, row by row, into a PNG file."""

import argparse

import fractal
import png


def draw(width: int, height: int, limit: int) -> list[bytes]:
    """Compute all rows of the picture, from top to bottom."""
    return [fractal.row(top, width, height, limit) for top in range(height)]


def main() -> None:
    """Read the command line, draw, and write the picture."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=200, help="width and height in pixels")
    parser.add_argument("--limit", type=int, default=2000, help="steps to follow a point")
    parser.add_argument("--output", default="mandelbrot.png", help="the file to write")
    arguments = parser.parse_args()

    rows = draw(arguments.size, arguments.size, arguments.limit)
    with open(arguments.output, "wb") as file:
        file.write(png.encode(rows))

    inside = sum(row.count(0) for row in rows)
    print(f"{arguments.output}: {inside} of {arguments.size**2} points are in the set")


if __name__ == "__main__":
    main()
