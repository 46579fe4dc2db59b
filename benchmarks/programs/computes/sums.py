"""A function that keeps a core busy."""


def sum_up(seed: int, turns: int) -> int:
    """Some arithmetic, so many times over."""
    found = seed
    for turn in range(turns):
        found = (found * 31 + turn) % 1_000_003
    return found
