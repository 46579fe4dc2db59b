"""What a frame of the program's shows."""

from __future__ import annotations

from sys import getrefcount
from types import FrameType, GeneratorType

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from cord._core import Activation
    from cord.translate.results import Place

CO_OPTIMIZED = 1
_ACTIVATION = ":cord"


def variables(frame: FrameType) -> dict[str, Any]:
    """The variables of a frame. No snapshot stays behind that would keep their objects alive."""
    there = frame.f_locals
    found = dict(there)
    # before Python 3.13 a function's frame keeps the dict; leave it where the program has it too
    if frame.f_code.co_flags & CO_OPTIMIZED and type(there) is dict and getrefcount(there) <= 3:
        there.clear()
    return found


def activation_of(frame: FrameType) -> Activation | None:
    """The activation of a frame that has entered a region."""
    found: Activation | None = variables(frame).get(_ACTIVATION)
    return found


def place_of(generator: GeneratorType[Any, Any, Any]) -> Place | None:
    """Where the yield stands at which a generator has stopped, None if it has not started.

    Raises:
        LookupError: The interpreter does not know (`-X no_debug_ranges`).
    """
    frame = generator.gi_frame
    if frame is None or not generator.gi_suspended:
        return None
    positions = list(frame.f_code.co_positions())
    line, end, column, end_column = positions[frame.f_lasti // 2]
    if line is None or end is None or column is None or end_column is None:
        raise LookupError
    return line, end, column, end_column
