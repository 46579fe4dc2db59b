"""The table of discounts, and the sum of an invoice."""

import random

ARTICLES = 5000


def _rows() -> list[tuple[int, int, int]]:
    numbers = random.Random("discounts")
    return [
        (numbers.randrange(ARTICLES), numbers.randrange(2, 10), numbers.randrange(1, 30))
        for _ in range(5_000)
    ]


ROWS = _rows()  # article, from so many pieces on, per cent


def total(items: list[tuple[int, int, int, int]]) -> int:
    """Add up an order, in cents, each line with the best discount that there is for it.

    Args:
        items: The lines of the order, as `articles.priced` gives them.
    """
    cents = 0
    for article, pieces, price, _ in items:
        discounts = [
            percent for known, least, percent in ROWS if known == article and pieces >= least
        ]
        cents += pieces * price * (100 - max(discounts, default=0)) // 100
    return cents
