"""``python spy.py PROGRAM``: ``cord run PROGRAM``, with what scouts do written down.

The file named by SPY gets a line for each event: ``birth`` of a scout, ``issue f(1)`` by a scout.
"""

from __future__ import annotations

import os
import sys
from types import SimpleNamespace
from typing import Any

from cord import _core
from cord.cli.main import run_command
from cord.runtime.births import births
from cord.runtime.client import inlined


def tell(event: str) -> None:
    with open(os.environ["SPY"], "a", encoding="utf-8") as log:
        log.write(event + "\n")


class Site:
    """A native site that tells of the calls issued there."""

    def __init__(self, *args: Any) -> None:
        native = self.native = _core.Site(*args)
        self.uid, self.take, self.bound = native.uid, native.take, native.bound
        self.enter, self.go, self.take_named = native.enter, native.go, native.take_named
        self.native_issue, self.native_ask = native.issue_named, native.ask_named

    def issue(self, run: Any, callee: Any, *args: Any, **kwargs: Any) -> bool:
        pause = self.native_issue(run, callee, *args, **kwargs)
        tell(f"issue {callee.__name__}({', '.join(map(repr, args))})")
        return bool(pause)

    def ask(self, run: Any, callee: Any, *args: Any, **kwargs: Any) -> Any:
        future = self.native_ask(run, callee, *args, **kwargs)
        tell(f"issue {callee.__name__}({', '.join(map(repr, args))})")
        return future

    issue_named, ask_named = issue, ask


def late(site: Site, *args: Any) -> Any:
    """What receives the value of a call late."""
    return _core.Late(site.native, *args)


class Births(births.Births):
    def birth(self, *args: Any) -> Any:
        levels = super().birth(*args)
        if levels:
            tell("birth")
        return levels


names = {name: getattr(_core, name) for name in dir(_core) if not name.startswith("__")}
births._core = SimpleNamespace(**{**names, "Site": Site, "Late": late})  # type: ignore[attr-defined]
inlined.Inlined.follow = lambda *_: None  # type: ignore[method-assign]  # sites are not native
births.Births = Births  # type: ignore[misc]

if __name__ == "__main__":
    sys.exit(run_command(["run", *sys.argv[1:]]))
