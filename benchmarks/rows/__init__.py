"""The benchmarks, in the order of the table."""

from benchmarks.model import Row
from benchmarks.rows import (
    busy,
    calls,
    dispatcher,
    echo,
    engines,
    mandelbrot,
    matrix,
    memory,
    naps,
    null,
    plain,
    start,
    starve,
)

_IN_ORDER = (calls, busy, starve, naps, mandelbrot, matrix, echo, start, dispatcher, memory, plain)
ROWS: tuple[Row, ...] = (
    null.ROW,
    null.PINNED,
    *(module.ROW for module in _IN_ORDER),
    *engines.ROWS,
)
