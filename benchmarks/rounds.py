"""The policy of the measurement: who runs when, and what becomes of one that fails.

It starts nothing by itself: how to run a contender is a function that it is given.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from benchmarks.model import Contender, Measured


class Failed(Exception):
    """A run came to nothing; the text says why."""


Run = Callable[[Contender], dict[str, float]]
Say = Callable[[str], None]


def measure(contenders: tuple[Contender, ...], rounds: int, run: Run, say: Say) -> list[Measured]:
    """Run all contenders so many times, in turns.

    Args:
        contenders: Who.
        rounds: How often each.
        run: Runs one of them once; raises Failed. One that has failed is not run again.
        say: Hears of every run.

    Returns:
        What was measured, in the order of `contenders`.
    """
    measured = {one.name: Measured(one.name) for one in contenders}
    for number, one in turns(contenders, rounds):
        if measured[one.name].failure is not None:
            continue
        try:
            sample = run(one)
        except Failed as failed:
            measured[one.name] = replace(measured[one.name], failure=str(failed))
            say(f"round {number} of {rounds}: {one.name}: {failed}")
        else:
            measured[one.name].samples.append(sample)
            say(f"round {number} of {rounds}: {one.name}: {_words(sample)}")
    return list(measured.values())


def _words(sample: dict[str, float]) -> str:
    return ", ".join(f"{key} {value:.6g}" for key, value in sample.items())


def turns(contenders: tuple[Contender, ...], rounds: int) -> Iterator[tuple[int, Contender]]:
    """The order of the runs, with the number of the round, from 1; each begins with another one.

    So whatever else the machine does meets all alike.
    """
    for number in range(rounds):
        first = number % len(contenders)
        for one in (*contenders[first:], *contenders[:first]):
            yield number + 1, one
