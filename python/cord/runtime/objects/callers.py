"""Who has called: frames as code sees them that asks for its caller, Cord's own left out.

What a remote function tells (a log record, a warning) may name not its own line but that of a
caller, some levels up. In a replica the frames above the function are Cord's; in the program they
are the program's. So the replica says how many levels above the function the place is, and the
program finds it from the take.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False  # typing is not imported on the way to a first call
if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType
    from typing import Final

# Folders of Cord whose frames stand between a remote function and what it calls.
_RUNTIME: Final = os.path.dirname(os.path.dirname(__file__))
_BETWEEN: Final = tuple(os.path.join(_RUNTIME, name, "") for name in ("replica", "io"))
# File and line of a warning that is for a caller further above than there are any.
BEYOND: Final = ("<sys>", 0) if sys.version_info >= (3, 13) else ("sys", 1)


def is_own(frame: FrameType) -> bool:
    """Whether a frame is one of Cord's."""
    module = frame.f_globals.get("__name__")
    return type(module) is str and (module == "cord" or module.startswith("cord."))


def frames_outside() -> Iterator[FrameType]:
    """The frames of the current thread, innermost first, from the first that is not Cord's."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and is_own(frame):
        frame = frame.f_back
    while frame is not None:
        if not _is_between(frame):
            yield frame
        frame = frame.f_back


def _is_between(frame: FrameType) -> bool:
    return is_own(frame) and frame.f_code.co_filename.startswith(_BETWEEN)


def locate(filename: str, line: int) -> tuple[FrameType | None, int]:
    """Find the frame that stands at a line, in a replica.

    Args:
        filename: The line's file.
        line: The line.

    Returns:
        The frame, None if none stands there; and how many levels above the remote function it is,
        0 for the function and what it has called.
    """
    above = 0
    for frame in frames_outside():
        if above or is_own(frame):
            above += 1
        if frame.f_lineno == line and frame.f_code.co_filename == filename:
            return frame, above
    return None, above + 1 if filename == BEYOND[0] else 0


def caller(above: int) -> tuple[FrameType | None, int]:
    """Find the frame so many levels above a remote function whose call is being taken.

    Args:
        above: What `locate` returned; 1 is the caller of the function.

    Returns:
        The frame, None if there are not so many; and how many levels it is above the remote
        function that is run here, if this is a replica.
    """
    further = 0
    for frame in frames_outside():
        if further or is_own(frame):
            further += 1
        above -= 1
        if above == 0:
            return frame, further
    return None, further + above


def frames_inside() -> list[FrameType]:
    """The frames of the remote function that is run here, innermost first."""
    frames = []
    for frame in frames_outside():
        if is_own(frame):
            break
        frames.append(frame)
    return frames


def lines_of(frames: list[FrameType]) -> str:
    """How frames print in a stack.

    Args:
        frames: The frames, innermost first.
    """
    from traceback import StackSummary, format_list  # slow to import, needed only here

    summary = StackSummary.extract((frame, frame.f_lineno) for frame in reversed(frames))
    return "".join(format_list(summary))


def is_in_call() -> bool:
    """Whether this is the thread that makes the remote call: Cord has called what runs in it."""
    return any(is_own(frame) for frame in frames_outside())


def is_in_import() -> bool:
    """Whether Cord imports something in this thread: the program has imported it, too."""
    outermost = None
    for frame in frames_outside():
        if is_own(frame):
            break
        outermost = frame
    return outermost is not None and "importlib._bootstrap" in outermost.f_code.co_filename
