"""`cord trace FILE`: what was written down of a run, for other tools."""

from __future__ import annotations

import os

from cord.errors import CordError
from cord.tools.trace.reading import Trace


def export(path: str, perfetto: str | None, opentelemetry: bool) -> int:
    """Give a trace to another tool.

    Args:
        path: The trace.
        perfetto: The file to write for ui.perfetto.dev; what it held is gone.
        opentelemetry: Whether it is sent to where OpenTelemetry's own variables say.

    Returns:
        The exit code: 0.

    Raises:
        CordError: The trace cannot be read, or nothing is asked for, or it cannot be given on.
    """
    if perfetto is None and not opentelemetry:
        raise CordError(
            "it is not said what to make of the trace", f"cord trace {path} --perfetto run.pftrace"
        )
    trace = Trace.read(path)
    if perfetto is not None:
        _write(perfetto, _in_perfetto(trace))
    if opentelemetry:
        from cord.tools.trace.spans import send

        send(trace)
    return 0


def _in_perfetto(trace: Trace) -> bytes:
    program = os.path.basename(trace.program)
    return trace.traced.perfetto(program, trace.modules, trace.calls)


def _write(path: str, content: bytes) -> None:
    try:
        with open(path, "wb") as file:
            file.write(content)
    except OSError as error:
        raise CordError(f"{path} cannot be written: {error.strerror}") from None
