"""One recorded call, made again: here, under a debugger, or in a replica."""

from __future__ import annotations

import json
import pdb
import sys
import traceback
from contextlib import nullcontext, redirect_stdout
from typing import TYPE_CHECKING

from cord.tools.kept.shown import when
from cord.tools.replay import came
from cord.tools.replay.came import Came
from cord.tools.replay.shown import arguments_text
from cord.tools.report.table import time_text
from cord.tools.run import OWN_FRAMES

if TYPE_CHECKING:
    from types import TracebackType

    from cord.tools.replay.recorded import Row, Store
    from cord.tools.replay.stage import Made, Stage


def replay(store: Store, row: Row, stage: Stage, *, debugs: bool, as_data: bool) -> int:
    """Make one call again, and print what came of it.

    Args:
        store: Where it is.
        row: The call.
        stage: Where it is made.
        debugs: Stop at its exception, or at its first line, under pdb.
        as_data: Print JSON; what the call prints goes to stderr.

    Returns:
        The exit code: 1 if it gives something else, else 0.

    Raises:
        CordError: It cannot be made any more.
    """
    call = store.call(row)
    before = came.then(call, stage.decode(row, call))
    made = stage.decode(row, call)  # its own, whatever the outcome has had of them
    text = f"{row.function}({arguments_text(made)})"
    took = f"recorded {when(row.made)}, took {time_text(row.seconds)}"
    if not as_data:
        print(f"{text}\n{took}: {before.sentence if before else 'what came of it is not kept'}")
        if call[1] is None:
            print("Its environment is not recorded: it is made in that of this command.")
        sys.stdout.flush()
    if debugs:
        is_now = _debugged(made, has_raised=row.raised)
        if is_now is None:
            return 0
        if row.raised and is_now.how == "returned":
            print("It has raised nothing now, so there was nowhere to stop.")
    else:
        with redirect_stdout(sys.stderr) if as_data else nullcontext():
            is_now = came.now(made)
            if is_now.how == "raised":
                _show(is_now.value)
    differs = came.what_differs(before, is_now) if before is not None else ""
    same = differs is None
    if as_data:
        data = {
            **{"key": row.key, "call": text, "made": row.made, "seconds": row.seconds},
            "was": before.as_data() if before else None,
            "is": is_now.as_data(),
            "same": same if before else None,
            "differs_in": differs or "",
            "changed": call[3],
        }
        print(json.dumps(data, indent=2))
    else:
        print(f"now: {is_now.sentence}{_verdict(before, differs)}")
        if call[3] and not same:
            print(f"What it had read is another thing now: {call[3]}.")
    return 0 if same or before is None else 1


def _verdict(before: Came | None, differs: str | None) -> str:
    if before is None:
        return ""
    if differs is None:
        return ", the same"
    return f", the same but for {differs}" if differs else ", something else"


def _debugged(made: Made, *, has_raised: bool) -> Came | None:
    """Make a call under pdb; None if whoever debugs has had enough."""
    debugger = _Debugger()
    function, args, kwargs = made
    try:
        with came.interrupts() as heard:
            if has_raised:
                value = function(*args, **kwargs)
            else:
                value = debugger.runcall(function, *args, **kwargs)
                if debugger.is_left:
                    return None
            return Came("returned", came.result_of(value))
    except BaseException as exc:
        if heard:
            raise
        _show(exc)
        found = _of_program(exc.__traceback__)
        if found is not None:  # else it has not come to its first line
            debugger.reset()
            debugger.interaction(None, found)
        return Came("raised", exc)


class _Debugger(pdb.Pdb):
    is_left = False

    def set_quit(self) -> None:
        self.is_left = True
        super().set_quit()


def _show(exc: BaseException) -> None:
    """Its traceback, on stderr."""
    sys.stdout.flush()
    traceback.print_exception(exc.with_traceback(_of_program(exc.__traceback__)))


def _of_program(found: TracebackType | None) -> TracebackType | None:
    """A traceback from the program's first frame on; None if there is none of it."""
    while found is not None and found.tb_frame.f_code.co_filename.startswith(OWN_FRAMES):
        found = found.tb_next
    return found
