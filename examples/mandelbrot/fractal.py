"""Computes the Mandelbrot set, one row of the picture at a time."""


def row(top: int, width: int, height: int, limit: int) -> bytes:
    """Compute one row of the picture: real parts from -1.8 to 0.5, imaginary ones from 1.2 to -1.2.

    Args:
        top: How many rows are above this one.
        width: How many pixels a row has.
        height: How many rows the picture has.
        limit: How many steps a point is followed before it counts as one of the set.

    Returns:
        A grey level for each pixel, 0 (black, in the set) to 255 (left it at once).
    """
    imaginary = 1.2 - 2.4 * (top + 0.5) / height
    levels = bytearray()
    for left in range(width):
        point = complex(-1.8 + 2.3 * (left + 0.5) / width, imaginary)
        levels.append(255 - 255 * steps_inside(point, limit) // limit)
    return bytes(levels)


def steps_inside(point: complex, limit: int) -> int:
    """Count how many steps of z -> z*z + point stay within 2 of the origin, up to `limit`."""
    z = 0j
    for step in range(limit):
        z = z * z + point
        if abs(z) > 2:
            return step
    return limit
