"""Where the program asks for a value that is not there."""

from __future__ import annotations

import os
from sys import _getframe

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType

_LIBRARIES = os.path.dirname(os.__file__)
_told: set[tuple[str, int]] = set()


def asking() -> str | None:
    """The innermost line of the program's own code; None if it was told before.

    Where no library's caller is the program's own, it is the innermost line outside of Cord.
    """
    frames = [frame for frame in _outwards(_getframe(1)) if not _is_of_cord(frame)]
    own = [frame for frame in frames if not frame.f_code.co_filename.startswith(_LIBRARIES)]
    for frame in own or frames:
        place = (frame.f_code.co_filename, frame.f_lineno)
        if place in _told:
            return None
        _told.add(place)
        return f"{os.path.basename(place[0])}:{place[1]}"
    return None


def _outwards(frame: FrameType | None) -> list[FrameType]:
    found: list[FrameType] = []
    while frame is not None:
        found.append(frame)
        frame = frame.f_back
    return found


def _is_of_cord(frame: FrameType) -> bool:
    package = frame.f_globals.get("__package__")
    return type(package) is str and (package == "cord" or package.startswith("cord."))
