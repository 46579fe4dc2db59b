"""A plain run in which the functions are watched that a plan may make remote: a process of its own.

What is watched, and how, is as for `cord verify`; functions of the main script are watched, too.
Their first calls come late, all together by a second or so. What the program shows otherwise then
than in other plain runs hangs on the time that passes, and on nothing else.
"""

from __future__ import annotations

import importlib
import json
import os
import pickle
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from types import FrameType, ModuleType
from typing import Any

from cord.runtime.client.remotes import RemoteFinder
from cord.tools.init.outside import Outside
from cord.tools.verify.alike import encoded
from cord.tools.verify.main_script import MAIN
from cord.tools.verify.probe import Watch, run_watched, silence_streams, write_down

OUTSIDE = "outside"  # a kind of finding
LATE_CALLS = 40
_TIMED = 5  # calls of each function


class LateWatch(Watch):
    """Watches functions of imported modules and of the main script.

    Args:
        request: As for `Watch`; and by how many seconds each of the first calls comes late: `late`.
    """

    def __init__(self, request: dict[str, Any]) -> None:
        super().__init__(request)
        self._late: float = request["late"]
        self._left = LATE_CALLS
        self._outside = Outside()
        self._is_over = False

    def call(
        self,
        module: ModuleType,
        name: str,
        original: Callable[..., Any],
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        frame: FrameType,
    ) -> Any:
        """Make a call of a watched function, a moment late if it is one of the first.

        Calls that it makes of other ones are watched, too: it is not known yet which are remote.
        """
        if self._is_over:
            return original(*args, **kwargs)
        if self._left:
            self._left -= 1
            time.sleep(self._late)
        was_inside, self.is_inside = self.is_inside, False
        try:
            heard = self._outside.around(f"{module.__name__}.{name}", original)
            return super().call(module, name, heard, args, kwargs, frame)
        finally:
            self.is_inside = was_inside

    def end(self) -> None:
        """The program has ended: calls of those that are made again do not count.

        Calls that have done something outside are not made again.
        """
        self._is_over = True
        for full, what in self._outside.seen.items():
            self.calls.pop(full, None)
            self.findings.append({"kind": OUTSIDE, "function": full, "what": what})

    def costs(self) -> dict[str, float]:
        """What it takes to encode arguments and to decode results, in seconds for a call."""
        return {
            full: sum(_cost(call.head) + _cost(call.result) for call in calls[:_TIMED])
            / len(calls[:_TIMED])
            for full, calls in self.calls.items()
        }


def _cost(data: bytes) -> float:
    """How long it takes to decode and to encode a value: once, as half of it is the replica's."""
    began = time.perf_counter()
    try:
        encoded(pickle.loads(data))
    except Exception:
        return 0.0
    return (time.perf_counter() - began) / 2


def main(arguments: list[str]) -> None:
    """Run the program as the request says, then write down what was seen."""
    with open(arguments[0], encoding="utf-8") as file:
        request = json.load(file)
    observer = LateWatch(request)
    RemoteFinder(request["remote"].keys() - {MAIN}, observer.serving).install()
    process = os.getpid()
    with suppress(BaseException):  # how it ends was seen in the plain run
        run_watched(request, observer)
    if os.getpid() == process:
        with suppress(Exception):
            sys.stdout.flush()
        silence_streams()
        observer.end()
        with open(request["costs"], "w", encoding="utf-8") as file:
            json.dump(observer.costs(), file)
        write_down(observer, request)
    os._exit(0)  # the program's own exit functions have nothing to say here


if __name__ == "__main__":
    # under its own name, which it keeps when `__main__` is the program's
    importlib.import_module("cord.tools.init.watched").main(sys.argv[1:])
