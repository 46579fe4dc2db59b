"""A leader goes on behind an error that ends it, since something is not known.

Code that cannot be left (a generator's, a framework's that C code calls) has raised it. All
functions are unwound by then; but each of the program's own has its variables yet, and the rest of
it follows behind the statement that the error came from: that is passed by.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from .asking import is_own, outwards
from .passing import open_in, rest_of_passed, run_rest, was_passed

if TYPE_CHECKING:
    from types import FrameType, TracebackType
    from typing import Any

# What own functions held on their stacks (iterators of loops, ends of `with`), at an instruction.
_held: dict[FrameType, tuple[int, list[Any]]] = {}


def hold() -> None:
    """Keep what functions hold that are open now: something is passed by, and may unwind them."""
    for frame in outwards():
        if not is_own(frame) or _held.get(frame, (None,))[0] == frame.f_lasti:
            continue
        rest = rest_of_passed(frame, frame.f_lineno)
        if rest is not None and rest.holding:
            _held[frame] = frame.f_lasti, open_in(frame, rest)


def go_on(error: BaseException) -> None:
    """Run what follows behind the statements that an error has come by, from the innermost on."""
    if not isinstance(error, Exception) or not was_passed():
        return
    for trace in reversed(_traces(error)):
        frame = trace.tb_frame
        if not is_own(frame):
            continue
        rest = rest_of_passed(frame, trace.tb_lineno)
        at, held = _held.get(frame, (None, []))
        if rest is None or (rest.holding and at != trace.tb_lasti):
            continue
        with suppress(BaseException):
            run_rest(rest, frame, held=held)


def _traces(error: BaseException) -> list[TracebackType]:
    found: list[TracebackType] = []
    trace = error.__traceback__
    while trace is not None:
        found.append(trace)
        trace = trace.tb_next
    return found
