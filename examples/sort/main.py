"""Sorts random numbers: sorts parts of them, and merges the parts."""

import argparse
import heapq
import random

import sorting


def sort_in_parts(numbers: list[int], parts: int) -> list[int]:
    """Sort every part by itself, and merge them all at once."""
    size = max(1, -(-len(numbers) // parts))  # rounded up
    starts = range(0, len(numbers), size)
    ordered = [sorting.insertion_sort(numbers[start : start + size]) for start in starts]
    return list(heapq.merge(*ordered))


def main() -> None:
    """Read the command line, sort, and print some of the numbers."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=60_000, help="how many numbers to sort")
    parser.add_argument("--parts", type=int, default=16, help="how many parts to sort them in")
    arguments = parser.parse_args()

    source = random.Random(1)
    numbers = [source.randrange(10**6) for _ in range(arguments.count)]
    ordered = sort_in_parts(numbers, arguments.parts)
    print(f"{len(ordered)} numbers, in order: {all(map(int.__le__, ordered, ordered[1:]))}")
    print("ten of them:", *ordered[:: max(1, len(ordered) // 10)][:10])


if __name__ == "__main__":
    main()
