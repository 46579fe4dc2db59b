"""Sleeps."""

import time


def nap(number: int, seconds: float) -> int:
    """Sleep, and give the number back."""
    time.sleep(seconds)
    return number
