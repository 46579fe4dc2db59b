"""The table of orders: which customer has ordered how many pieces of which article."""

import random

CUSTOMERS = 1000
ARTICLES = 5000


def _rows() -> list[tuple[int, int, int]]:
    numbers = random.Random("orders")
    return [
        (numbers.randrange(CUSTOMERS), numbers.randrange(ARTICLES), numbers.randrange(1, 10))
        for _ in range(50_000)
    ]


ROWS = _rows()  # customer, article, pieces


def lines_of(customer: int) -> list[tuple[int, int]]:
    """Find what a customer has ordered: pairs of article and pieces."""
    return [(article, pieces) for buyer, article, pieces in ROWS if buyer == customer]
