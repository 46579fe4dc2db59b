"""Sorts and merges by the lab's kernels, which are in C."""

import ctypes
from pathlib import Path

import numpy as np

KERNELS = ctypes.CDLL(str(Path(__file__).parents[3] / "build" / "lab" / "libkernels.so"))


def sort(numbers: np.ndarray, algorithm: str) -> np.ndarray:
    """Sort numbers.

    Args:
        numbers: Whole numbers of 32 bits; they stay as they are.
        algorithm: "insertion" or "quick".

    Returns:
        A new array, in rising order.
    """
    ordered = np.array(numbers, np.int32)
    kernel = KERNELS.insertion_sort if algorithm == "insertion" else KERNELS.quicksort
    kernel(ctypes.c_void_p(ordered.ctypes.data), ctypes.c_size_t(len(ordered)))
    return ordered


def merge(parts: list[np.ndarray]) -> np.ndarray:
    """Merge sorted parts into one array."""
    numbers = np.concatenate(parts)
    ends = np.cumsum([len(part) for part in parts], dtype=np.uintp)
    merged = np.empty_like(numbers)
    KERNELS.merge_parts(
        ctypes.c_void_p(numbers.ctypes.data),
        ctypes.c_void_p(ends.ctypes.data),
        ctypes.c_size_t(len(parts)),
        ctypes.c_void_p(merged.ctypes.data),
    )
    return merged
