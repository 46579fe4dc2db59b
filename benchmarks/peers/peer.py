"""What the jobs want of every peer."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Any

Open = Callable[[int], AbstractContextManager["Peer"]]


class Peer:
    """A system with its workers. Functions are those of `work`.

    Attributes:
        chunk: How many calls go together, where they are put together by hand.
    """

    chunk = 0

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

    def chunked(self, function: Callable[..., Any], items: Sequence[Any]) -> Iterator[Any]:
        """The same, `chunk` of them put together by hand."""
        raise NotImplementedError

    def chunks(self, items: Sequence[Any]) -> list[Sequence[Any]]:
        """The items, `chunk` of them together."""
        return [items[at : at + self.chunk] for at in range(0, len(items), self.chunk)]

    def products(self, rows: Any, matrix: Any) -> list[Any]:
        """Multiply each row by the matrix, which all workers get in the best way there is."""
        raise NotImplementedError
