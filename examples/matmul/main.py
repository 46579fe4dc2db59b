"""Multiplies two random square matrices, row by row, and shows a corner of the product."""

import argparse
import random

import product


def multiply(a: list[list[int]], b: list[list[int]]) -> list[list[int]]:
    """Multiply two matrices: each row of the product takes a row of `a` and the whole of `b`."""
    return [product.row_times(row, b) for row in a]


def random_matrix(size: int, seed: int) -> list[list[int]]:
    """Make a square matrix of whole numbers; the same seed gives the same ones."""
    numbers = random.Random(seed)
    return [[numbers.randrange(-999, 1000) for _ in range(size)] for _ in range(size)]


def main() -> None:
    """Read the command line, multiply, and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=300, help="rows and columns of each matrix")
    arguments = parser.parse_args()

    a = random_matrix(arguments.size, seed=1)
    b = random_matrix(arguments.size, seed=2)
    c = multiply(a, b)
    for row in c[:3]:
        print(" ".join(f"{number:>12}" for number in row[:5]), "...")
    print(f"trace {sum(c[i][i] for i in range(len(c)))}")


if __name__ == "__main__":
    main()
