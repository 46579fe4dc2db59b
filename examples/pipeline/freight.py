"""Packs orders into parcels."""

LARGEST = 30_000  # grams in a parcel
TRIES = 40


def parcels(items: list[tuple[int, int, int, int]]) -> int:
    """Count the parcels that an order needs: the best of several ways to pack it.

    Args:
        items: The lines of the order, as `articles.priced` gives them.
    """
    pieces = [grams for _, count, _, grams in items for _ in range(count)]
    pieces.sort(reverse=True)
    return min(_packed(pieces[first:] + pieces[:first]) for first in range(TRIES))


def _packed(pieces: list[int]) -> int:
    """Put each piece into the first parcel that has room for it, and count the parcels."""
    loads: list[int] = []
    for grams in pieces:
        for number, load in enumerate(loads):
            if load + grams <= LARGEST:
                loads[number] = load + grams
                break
        else:
            loads.append(grams)
    return len(loads)
