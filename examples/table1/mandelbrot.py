"""How soon points leave the Mandelbrot iteration."""


def row(imaginary: float, reals: tuple[float, float], width: int, limit: int) -> list[int]:
    """Iterate the points of one row.

    Args:
        imaginary: The imaginary part of all its points.
        reals: The real parts of the first and of the last one.
        width: How many points it has.
        limit: How many iterations are tried.

    Returns:
        For each point after how many iterations it was further than 2 from the origin; `limit` if
        it never was.
    """
    first, last = reals
    return [
        _iterations(complex(first + (last - first) * x / (width - 1), imaginary), limit)
        for x in range(width)
    ]


def _iterations(point: complex, limit: int) -> int:
    z = 0j
    for count in range(limit):
        if abs(z) > 2:
            return count
        z = z * z + point
    return limit
