"""`cord trace FILE`: what was written down of a run, for other tools."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

from cord import _core
from cord.errors import CordError

if TYPE_CHECKING:
    from typing import Any


def export(path: str, perfetto: str | None) -> int:
    """Write a trace in the form that another tool reads.

    Args:
        path: The trace.
        perfetto: The file to write for ui.perfetto.dev; what it held is gone.

    Returns:
        The exit code: 0.

    Raises:
        CordError: The trace cannot be read, or nothing is asked for, or it cannot be written.
    """
    if perfetto is None:
        raise CordError(
            "it is not said what to make of the trace", f"cord trace {path} --perfetto run.pftrace"
        )
    trace, head, end = read(path)
    places = {one["place"]: one["call"] for one in end.get("places", []) if one["place"]}
    modules = [module["name"] for module in head["modules"]]
    try:
        exported = _core.perfetto(trace, os.path.basename(head["program"]), modules, places)
    except ValueError as error:
        raise damaged(path, error) from None
    try:
        with open(perfetto, "wb") as file:
            file.write(exported)
    except OSError as error:
        raise CordError(f"{perfetto} cannot be written: {error.strerror}") from None
    return 0


def read(path: str) -> tuple[bytes, dict[str, Any], dict[str, Any]]:
    """A trace, and what is told in it of the run before, and of the run when it had ended.

    The last is empty where the trace was cut off.

    Raises:
        CordError: It cannot be read, or is none.
    """
    try:
        with open(path, "rb") as file:
            trace = file.read()
    except OSError as error:
        raise CordError(f"the trace {path} cannot be read: {error.strerror}") from None
    try:
        head, end = _core.trace_texts(trace)
        return trace, json.loads(head or "{}"), json.loads(end or "{}")
    except ValueError as error:
        raise damaged(path, error) from None


def damaged(path: str, error: ValueError) -> CordError:
    """What is said of a file that is no trace."""
    return CordError(
        f"{path} cannot be read as a trace: {error}", "cord run --trace FILE makes one"
    )
