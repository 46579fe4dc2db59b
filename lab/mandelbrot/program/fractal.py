"""How soon points leave the Mandelbrot iteration, by the lab's kernel in C."""

import ctypes
from pathlib import Path

import numpy as np

KERNELS = ctypes.CDLL(str(Path(__file__).parents[3] / "build" / "lab" / "libkernels.so"))


def row(imaginary: float, width: int, limit: int) -> np.ndarray:
    """Count the steps of each point of a row, real parts from -1.8 to 0.5."""
    counts = np.empty(width, np.int32)
    KERNELS.mandelbrot_row(
        ctypes.c_double(imaginary),
        ctypes.c_double(-1.8),
        ctypes.c_double(0.5),
        ctypes.c_size_t(width),
        ctypes.c_int32(limit),
        ctypes.c_void_p(counts.ctypes.data),
    )
    return counts
