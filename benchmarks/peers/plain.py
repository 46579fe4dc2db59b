"""No system at all: plain calls."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from peers.peer import Peer


class Plain(Peer):
    """Calls made in place."""

    def call(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Call it."""
        return function(*arguments)

    def stream(self, function: Callable[..., Any], items: Iterable[Any]) -> Iterator[Any]:
        """Call it for one after the other."""
        return map(function, items)

    def products(self, rows: Any, matrix: Any) -> list[Any]:
        """A loop."""
        return [row @ matrix for row in rows]


@contextmanager
def opened(_: int) -> Iterator[Peer]:
    """There is nothing to open."""
    yield Plain()
