"""What the jobs want of every peer."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from typing import Any

Open = Callable[[int], AbstractContextManager["Peer"]]


class Peer:
    """A system with its workers. Functions are those of `work`."""

    def call(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Call a function in a worker, and wait for its value."""
        raise NotImplementedError

    def repeat(self, function: Callable[[], Any], count: int) -> None:
        """Make so many calls, one after the other."""
        for _ in range(count):
            self.call(function)

    def stream(self, function: Callable[..., Any], items: Iterable[Any]) -> Iterator[Any]:
        """Make a call of its own for each item, all at once; the values in order."""
        raise NotImplementedError

    def products(self, rows: Any, matrix: Any) -> list[Any]:
        """Multiply each row by the matrix, which all workers get in the best way there is."""
        raise NotImplementedError
