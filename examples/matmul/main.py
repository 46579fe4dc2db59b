"""Multiplies two random square matrices modulo a prime, and shows a corner of the product."""

import argparse

import numpy as np

import product


def multiply(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Multiply two matrices: each row of the product takes a row of `a` and the whole of `b`."""
    return np.array([product.row_times(row, b) for row in a])


def main() -> None:
    """Read the command line, multiply, and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=500, help="rows and columns of each matrix")
    arguments = parser.parse_args()

    numbers = np.random.default_rng(seed=1)
    a, b = (
        numbers.integers(product.PRIME, size=(arguments.size, arguments.size)) for _ in range(2)
    )
    c = multiply(a, b)
    for row in c[:3]:
        print(" ".join(f"{number:>10}" for number in row[:5]), "...")
    print("trace", c.trace() % product.PRIME)


if __name__ == "__main__":
    main()
