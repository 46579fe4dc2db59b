# Recursion over remote leaves.
# file: work.py
import time


def leaf(items):
    time.sleep(len(items) % 2 / 1000)
    return sorted(items)


def merge(a, b):
    return sorted(a + b)
# file: main.py
import work


def sort(items, depth=0):
    print(" " * depth, items)
    if len(items) <= 2:
        return work.leaf(items)
    middle = len(items) // 2
    left = sort(items[:middle], depth + 1)
    right = sort(items[middle:], depth + 1)
    return work.merge(left, right)


def tree(n):
    return work.leaf([n]) if n < 2 else tree(n - 1) + tree(n - 2)


print(sort([5, 2, 9, 1, 7, 7, 0, 3, 8]))
print(tree(6))
