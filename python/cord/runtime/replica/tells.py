"""What calls tell besides what they write: log records and warnings, as entries of their output.

The program's loggers, handlers, filters and registries decide what becomes of them, so they are
not handled here: they go into the journal of the call's output, in order with what it prints, and
the program handles them at the take (`io/told.py`). A call that tells nothing pays nothing for it.
"""

from __future__ import annotations

from cord.runtime.io import output
from cord.runtime.replica import warned
from cord.runtime.replica.warned import set_filters
from cord.runtime.travel.executed import when_imported

__all__ = ["install", "set_filters"]


def install(capture: output.Capture) -> None:
    """Let calls tell, from here on.

    Args:
        capture: Recorder of what calls write.
    """

    def take_records(_logging: object) -> None:
        from cord.runtime.replica import records  # where there is logging

        records.install(capture)

    output.forward_by(capture.record)
    warned.install(capture)
    when_imported("logging", take_records)
