"""Multiplies a row by a matrix, in plain Python: exact for whole numbers of any size."""


def row_times(row: list[int], matrix: list[list[int]]) -> list[int]:
    """Multiply a row by a matrix.

    Args:
        row: As many numbers as the matrix has rows.
        matrix: Its rows, from top to bottom.

    Returns:
        One row of the product.
    """
    return [sum(map(int.__mul__, row, column)) for column in zip(*matrix, strict=True)]
