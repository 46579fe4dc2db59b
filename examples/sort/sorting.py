"""Sorts and merges lists, in plain Python."""


def insertion_sort(numbers: list[int]) -> list[int]:
    """Sort by insertion: simple, and slow, as its time grows with the square of the length.

    Args:
        numbers: What to sort.

    Returns:
        A new list, in rising order.
    """
    ordered: list[int] = []
    for number in numbers:
        place = len(ordered)
        while place > 0 and ordered[place - 1] > number:
            place -= 1
        ordered.insert(place, number)
    return ordered


def merge(left: list[int], right: list[int]) -> list[int]:
    """Merge two lists that are in rising order into one that is, too."""
    merged = []
    i = j = 0
    while i < len(left) and j < len(right):
        if right[j] < left[i]:
            merged.append(right[j])
            j += 1
        else:
            merged.append(left[i])
            i += 1
    return merged + left[i:] + right[j:]
