"""Sorts random numbers by halves: sorts each half in the same way, and merges the two."""

import argparse
import random

import sorting


def merge_sort(numbers: list[int], depth: int) -> list[int]:
    """Sort by halves down to a depth; what is left there is sorted by insertion."""
    if depth == 0:
        return sorting.insertion_sort(numbers)
    middle = len(numbers) // 2
    left = merge_sort(numbers[:middle], depth - 1)
    right = merge_sort(numbers[middle:], depth - 1)
    return sorting.merge(left, right)


def main() -> None:
    """Read the command line, sort, and print some of the numbers."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=60_000, help="how many numbers to sort")
    parser.add_argument("--depth", type=int, default=4, help="how often to halve them")
    arguments = parser.parse_args()

    source = random.Random(1)
    numbers = [source.randrange(10**6) for _ in range(arguments.count)]
    ordered = merge_sort(numbers, arguments.depth)
    print(f"{len(ordered)} numbers, in order: {all(map(int.__le__, ordered, ordered[1:]))}")
    print("ten of them:", *ordered[:: max(1, len(ordered) // 10)][:10])


if __name__ == "__main__":
    main()
