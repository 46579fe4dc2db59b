"""Calls that only wait, while the program computes between them and while it does not."""

import secrets
import time

import work
from timing import median, report

COUNT = 2000
BLOCK = 200
TASK = 0.001
COMPUTING = 0.0004  # in seconds, between two calls: two replicas want a call every 0.0005


def block() -> int:
    """How many calls the next block has: what no scout can know before the program does.

    Otherwise calls of one block would be made while the program is in the one before.
    """
    return BLOCK + secrets.randbelow(1)


def compute(turns: int) -> int:
    """Compute something, in plain Python."""
    total = 0
    for number in range(turns):
        total += number * number % 7
    return total


def alone(turns: int, count: int) -> float:
    """How long the computing takes beside nothing, in seconds."""
    spent = 0.0
    for _ in range(count):
        begin = time.perf_counter()
        compute(turns)
        spent += time.perf_counter() - begin
    return spent


def idle(count: int) -> float:
    """How long the calls take if the program does nothing else, in seconds."""
    begin = time.perf_counter()
    for _ in range(count):
        work.nap(TASK)
    return time.perf_counter() - begin


def computing(turns: int, count: int) -> tuple[float, float]:
    """How long the calls take while the program computes, and how long it computes, in seconds."""
    spent = 0.0
    begin = time.perf_counter()
    for _ in range(count):
        work.nap(TASK)
        mark = time.perf_counter()
        compute(turns)
        spent += time.perf_counter() - mark
    return time.perf_counter() - begin, spent


turns = round(10_000 * COMPUTING / (alone(10_000, 50) / 50))
idle(20)
kept, slowed = [], []
for _ in range(COUNT // BLOCK):  # in turns, so that what else the machine does meets all alike
    undisturbed, waiting = alone(turns, BLOCK), idle(block())
    both, spent = computing(turns, block())
    kept.append(waiting / both)
    slowed.append(spent / undisturbed)
report(kept=median(kept), slowed=median(slowed))
