"""The table of articles: what a piece of each costs, in cents, and weighs, in grams."""

import random

ARTICLES = 5000


def _rows() -> list[tuple[int, int, int]]:
    numbers = random.Random("articles")
    return [
        (article, numbers.randrange(100, 10_000), numbers.randrange(50, 5_000))
        for article in range(ARTICLES)
    ]


ROWS = _rows()  # article, cents, grams


def priced(lines: list[tuple[int, int]]) -> list[tuple[int, int, int, int]]:
    """Add to every line of an order what a piece of its article costs and weighs.

    Args:
        lines: Pairs of article and pieces.

    Returns:
        For each line: article, pieces, cents and grams of one piece.
    """
    return [
        (article, pieces, cents, grams)
        for article, pieces in lines
        for known, cents, grams in ROWS
        if known == article
    ]
