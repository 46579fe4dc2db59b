"""Calls as a person sees them."""

from __future__ import annotations

import io
import sys
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from typing import TYPE_CHECKING

from cord.runtime.travel.shortly import short
from cord.tools.kept.shown import aligned

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TextIO

    from cord.tools.replay.stage import Made

# The last cell of a line may be longer.
_WIDEST = 48


def arguments_text(made: Made) -> str:
    """The arguments of a call, in a few words."""
    _, args, kwargs = made
    return ", ".join([*map(short, args), *(f"{key}={short(one)}" for key, one in kwargs.items())])


def columns(rows: list[tuple[str, ...]]) -> None:
    """Print rows below one another, each in a line; long cells are cut."""
    lines = [tuple(" ".join(cell.split()) for cell in row) for row in rows]
    aligned([(*map(_cut, row[:-1]), row[-1]) for row in lines])


def _cut(text: str) -> str:
    return text if len(text) <= _WIDEST else f"{text[: _WIDEST - 1]}…"


@contextmanager
def quiet() -> Iterator[TextIO]:
    """What calls write is nobody's to read; gives the stream that is."""
    stderr = sys.stderr
    with redirect_stdout(_Nowhere()), redirect_stderr(_Nowhere()):
        yield stderr


class _Nowhere(io.StringIO):
    def write(self, text: str, /) -> int:
        return len(text)
