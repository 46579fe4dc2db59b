"""Multiplies a row by a matrix, modulo a prime: exact, whatever the size."""

import numpy as np

PRIME = 2_147_483_629  # products of two smaller numbers fit into 64 bits


def row_times(row: np.ndarray, matrix: np.ndarray) -> np.ndarray:
    """Multiply a row by a matrix.

    Args:
        row: As many numbers, from 0 to PRIME - 1, as the matrix has rows.
        matrix: A matrix of such numbers.

    Returns:
        One row of the product.
    """
    products = row[:, np.newaxis] * matrix % PRIME
    return products.sum(axis=0) % PRIME
