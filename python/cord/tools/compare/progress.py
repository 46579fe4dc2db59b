"""Telling on stderr how far the measurement is."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from rich import progress as bars

    from cord.tools.compare.measure import Progress


@contextmanager
def progress(rounds: int, ways: int) -> Iterator[Progress]:
    """A bar where stderr is a terminal, else a line for each run.

    Args:
        rounds: How many rounds there are.
        ways: How many runs each has.
    """
    if sys.stderr is None or not sys.stderr.isatty():
        yield Lines(rounds, sys.stderr or io.StringIO())
        return
    from rich import progress as bars
    from rich.console import Console

    # Drawn only between runs: nothing of Cord's shall run beside what is measured.
    with bars.Progress(
        bars.TextColumn("{task.description}"),
        bars.BarColumn(),
        bars.MofNCompleteColumn(),
        console=Console(stderr=True, markup=False),
        auto_refresh=False,
        transient=True,
    ) as bar:
        yield Bar(rounds, bar, bar.add_task("", total=rounds * ways))


class Lines:
    """A line for each run.

    Args:
        rounds: How many rounds there are.
        stream: Where it goes.
    """

    def __init__(self, rounds: int, stream: TextIO) -> None:
        self._rounds = rounds
        self._stream = stream

    def begins(self, number: int, name: str) -> None:
        """Nothing is told yet."""

    def ended(self, number: int, name: str, seconds: float) -> None:
        """Tell the run's time."""
        self._stream.write(f"round {number} of {self._rounds}: {name} {seconds:.3f} s\n")
        self._stream.flush()


class Bar:
    """A bar that grows with every run.

    Args:
        rounds: How many rounds there are.
        bar: The bar.
        task: What it shows.
    """

    def __init__(self, rounds: int, bar: bars.Progress, task: bars.TaskID) -> None:
        self._rounds = rounds
        self._bar = bar
        self._task = task

    def begins(self, number: int, name: str) -> None:
        """Show what runs now."""
        shown = f"round {number} of {self._rounds}: {name}"
        self._bar.update(self._task, description=shown, refresh=True)

    def ended(self, number: int, name: str, seconds: float) -> None:
        """Let the bar grow."""
        self._bar.update(self._task, advance=1, refresh=True)
