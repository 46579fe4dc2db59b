"""How long calls of functions take that looks find too short to tell: a few of them are timed."""

from __future__ import annotations

import sys
from time import perf_counter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from types import FrameType
    from typing import Final

    from cord.tools.unplanned.watch import Function

# It ends with so many calls, or after so many seconds.
_ENOUGH: Final = 40
_LONGEST: Final = 0.03


class Timing:
    """Times calls on this thread, as a profile function of Python's: not those within others.

    Args:
        functions: The functions.
        frame: The innermost frame of the program's.
    """

    def __init__(self, functions: Iterable[Function], frame: FrameType | None) -> None:
        self._functions = {id(one.code): one for one in functions}
        self._began = perf_counter()
        self._depth = dict.fromkeys(self._functions, 0)
        self._since: dict[int, float] = {}
        self._taken: dict[int, list[float]] = {number: [] for number in self._functions}
        self._left = _ENOUGH
        while frame is not None:
            if id(frame.f_code) in self._depth:
                self._depth[id(frame.f_code)] += 1
                self._since[id(frame.f_code)] = self._began
            frame = frame.f_back
        sys.setprofile(self)

    def __call__(self, frame: FrameType, event: str, _arg: object) -> None:
        """Something is called, or returns."""
        now, number = perf_counter(), id(frame.f_code)
        if now - self._began > _LONGEST:
            self.end()
        elif number in self._depth and event == "call":
            self._depth[number] += 1
            if self._depth[number] == 1:
                self._since[number] = now
        elif number in self._depth and event == "return":
            self._depth[number] -= 1
            if not self._depth[number]:
                since = self._since.pop(number)
                if since > self._began:  # else it had begun before
                    self._taken[number].append(now - since)
                    self._left -= 1
        if not self._left:
            self.end()

    @property
    def has_ended(self) -> bool:
        """Whether no more is timed; something else may have taken the place."""
        current: object = sys.getprofile()
        if current is not self:
            return True
        if perf_counter() - self._began > _LONGEST:
            self.end()
            return True
        return False

    def end(self) -> None:
        """Time no more, and tell the functions."""
        current: object = sys.getprofile()
        if current is self:
            sys.setprofile(None)
        now = perf_counter()
        for number, taken in self._taken.items():
            if not taken and number in self._since:
                taken.append(now - self._since[number])  # it has not come to an end yet
            if taken:
                self._functions[number].each = sorted(taken)[len(taken) // 2]
