"""``python told_run.py WHEN FILE PROGRAM ARGS``: ``cord run``, and what came of copies.

WHEN is ``forced`` for a copy at every call that waits, however short, ``inlined`` for a run after
one that has made all calls in the program itself, else ``planned``. FILE gets, as JSON, what the
session tells of its copies under these NAMES.
"""

from __future__ import annotations

import atexit
import json
import sys
from typing import Any

from cord import _core
from cord.cli.main import run_command
from cord.runtime.client import inlined, session

NAMES = ("made", "issued", "taken", "ends", "refused", "cost", "guesses")


class Session(session.Session):
    """Tells at the end what came of copies."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        atexit.register(self.tell)

    def _copy_ahead(self, eager: bool = False) -> None:
        super()._copy_ahead(eager=eager or WHEN == "forced")

    def close(self) -> None:
        super().close()
        self.tell()

    def tell(self) -> None:
        with open(TOLD, "w", encoding="utf-8") as file:
            told = self.copies_told or {
                **dict.fromkeys(NAMES, 0),
                **{"ends": {}, "refused": None, "guesses": {}},
            }
            json.dump([told[name] for name in NAMES], file)


FOLLOW = inlined.Inlined.follow


def follow(known: inlined.Inlined, place: Any, native: Any) -> None:
    """An earlier run has found that calls of this place take 30 ms and are not worth sending."""
    FOLLOW(known, place, native)
    _core.begin_inlined(native, (64, 30_000_000, 0, False))


if __name__ == "__main__":
    WHEN, TOLD = sys.argv[1:3]
    del sys.argv[1:3]
    if WHEN == "inlined":
        inlined.Inlined.follow = follow  # type: ignore[method-assign]
    session.Session = Session  # type: ignore[misc]
    sys.exit(run_command(["run", *sys.argv[1:]]))
