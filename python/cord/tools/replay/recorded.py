"""The calls that runs have recorded, and which of them are meant."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cord._core import RecordedCalls
from cord.errors import CordError
from cord.runtime.client.kept import unread
from cord.tools.kept.shown import is_named
from cord.tools.kept.store import not_known

if TYPE_CHECKING:
    from cord.tools.replay.stage import Call


@dataclass(frozen=True, slots=True)
class Row:
    """What is told of a call without decoding it.

    Attributes:
        key: By what it is known; that of its outcome, too.
        function: What is called, with its module.
        module: The remote module that serves it.
        made: When, in seconds since 1970.
        seconds: How long it took.
        raised: Whether it raised, or was lost.
        bytes: How much of the store it takes.
    """

    key: str
    function: str
    module: str
    made: int
    seconds: float
    raised: bool
    bytes: int

    @property
    def short_key(self) -> str:
        """As much of the key as tells it from others."""
        return self.key[:12]


class Store:
    """The recorded calls of a folder.

    Args:
        folder: Where outcomes are kept.

    Attributes:
        rows: What is told of each, the newest first.
    """

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self._calls = RecordedCalls(folder) if os.path.isdir(folder) else None
        self.rows = [Row(*one) for one in self._calls.told()] if self._calls else []

    def call(self, row: Row) -> Call:
        """All that it takes to make a call again.

        Raises:
            CordError: A part of it is not there any more.
        """
        call = self._calls.call(row.key) if self._calls is not None else None
        if call is None:
            raise CordError(
                f"{row.short_key}: a part of its arguments is not kept any more",
                "run the program again: its calls are recorded anew",
            )
        return call

    def of_function(self, name: str) -> list[Row]:
        """The calls of a function, by its name with or without the module."""
        return [row for row in self.rows if is_named(row.function, name)]

    def one(self, which: str) -> Row:
        """The call whose key begins so.

        Raises:
            CordError: There is none, or several.
        """
        found = [row for row in self.rows if row.key.startswith(which.lower())]
        if len(found) == 1:
            return found[0]
        if found:
            raise CordError(f"{len(found)} keys begin with {which}", "write more of it")
        if not self.rows:
            raise nothing(self.folder)
        what = f"no call is recorded of a function {which}, or with a key that begins so"
        raise not_known(which, {row.function for row in self.rows}, what)

    def last_that_raised(self) -> Row:
        """The newest call that raised.

        Raises:
            CordError: None has.
        """
        if not self.rows:
            raise nothing(self.folder)
        for row in self.rows:
            if row.raised:
                return row
        raise CordError("no recorded call has raised", "name one by its key: cord replay KEY")


def nothing(folder: str) -> CordError:
    """What is said where no call is recorded."""
    return CordError(
        f"no call is recorded in {folder}",
        unread(folder) or "a run records the calls of functions with keep = true in the plan",
    )
