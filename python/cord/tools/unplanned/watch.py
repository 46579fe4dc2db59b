"""Looks at where the program is, now and then, and what that says of its functions.

A look is at the frames of the first thread, between two of its instructions. The time since the
last look counts for all functions on the stack. A frame that is looked at gets a mark, so that it
is known how many calls were seen, and whether they last from one look to the next.
"""

from __future__ import annotations

import os
from time import perf_counter, thread_time

from cord.plan.modules import is_of_python
from cord.runtime.client.facade import GIVES_NO_VALUE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import CodeType, FrameType
    from typing import Any, Final

# Seconds after which what was seen counts half: programs have phases.
_HALF: Final = 2.0
_MOST_STACKS: Final = 500
# Of what was seen it had a core for so much, or it waits.
_COMPUTES: Final = 0.5
_CORD: Final = os.path.dirname(os.path.dirname(os.path.dirname(__file__))) + os.sep


class Function:
    """A function of the project's that was seen on the stack.

    Attributes:
        code: Its code.
        names: The global names that it sees.
        calls: How many calls of it were seen.
        looks: How often it was seen.
        lasted: How often in a call that had been seen before.
        inside: How often its caller was of its own module.
        is_recursive: Whether one call of it was seen within another.
        each: How many seconds a call takes (the median), where some were timed.
        seconds: For how many seconds it was under way, since the program began.
        busy: For how many of these the program's thread had a core.
        depth: How many others were under way that had called it, when it was last seen.
    """

    def __init__(self, code: CodeType, names: dict[str, Any]) -> None:
        self.code = code
        self.names = names
        self.calls = self.looks = self.lasted = self.inside = 0
        self.is_recursive = False
        self.each: float | None = None
        self.seconds = self.busy = 0.0
        self.depth = 0

    @property
    def waits(self) -> bool:
        """Whether it waits more than it computes."""
        return waits(self.seconds, self.busy)

    @property
    def name(self) -> str:
        """Its name in its module; a method's is `Class.name`."""
        return self.code.co_qualname

    @property
    def owner(self) -> type | None:
        """The class that it is a method of, if that has its name still."""
        found = self.names.get(self.name.partition(".")[0]) if "." in self.name else None
        return found if isinstance(found, type) else None

    @property
    def value(self) -> object:
        """What its name leads to now, without what makes a method static or of its class."""
        names = vars(self.owner) if self.owner else self.names
        value = names.get(self.name.rpartition(".")[2])
        return value.__func__ if isinstance(value, (staticmethod, classmethod)) else value

    @property
    def module(self) -> str:
        """The module's name."""
        return str(self.names.get("__name__", ""))

    @property
    def full(self) -> str:
        """Its module and name."""
        return f"{self.module}.{self.name}"

    @property
    def is_inside(self) -> bool:
        """Whether its own module's calls are to be remote: then those of itself are, too."""
        is_everyones = self.module == "__main__" or "." in self.name
        return is_everyones or self.inside > self.looks / 2

    def ages(self) -> None:
        """Let what was seen count half."""
        self.looks /= 2  # type: ignore[assignment]
        self.lasted /= 2  # type: ignore[assignment]
        self.inside /= 2  # type: ignore[assignment]


def _mark(_frame: FrameType, _event: str, _arg: object) -> None:
    """Marks a frame that was seen. Debuggers that find it call it."""


class Watch:
    """What was seen.

    Args:
        is_own: Whether a file is the project's.

    Attributes:
        total: For how many seconds the program was looked at; what is long ago counts less.
        stacks: By the functions on the stack, the outermost first: for how many seconds, and how
            many of these the program's thread had a core.
    """

    def __init__(self, is_own: Callable[[str], bool]) -> None:
        self.total = 0.0
        self.stacks: dict[tuple[Function, ...], list[float]] = {}
        self._is_own = is_own
        self._files: dict[str, bool] = {}
        self._functions: dict[int, Function | CodeType] = {}
        self._last = perf_counter(), thread_time()

    def look(self, frame: FrameType | None) -> None:
        """Look at the stack.

        Args:
            frame: The innermost frame of the program's.
        """
        now, busy = perf_counter(), thread_time()
        before = self._last
        self._last = now, busy
        passed = now - before[0]
        stack: list[Function] = []
        inner: Function | None = None
        while frame is not None:
            code = frame.f_code
            file = code.co_filename
            is_own = self._files.get(file)
            if is_own is None:
                is_own = self._files[file] = self._is_own(file)
            if is_own:
                if inner is not None and frame.f_globals is inner.names:
                    inner.inside += 1
                inner = self._seen(code, frame)
                if inner is not None:
                    if inner in stack:
                        stack.remove(inner)  # of calls within calls the outermost counts
                        inner.is_recursive = True
                    stack.append(inner)
            frame = frame.f_back
        stack.reverse()
        self._count(tuple(stack), passed, busy - before[1])

    def _seen(self, code: CodeType, frame: FrameType) -> Function | None:
        function = self._functions.get(id(code))
        if function is None:
            is_public = _is_named(code.co_qualname)
            gives = not code.co_flags & GIVES_NO_VALUE
            function = Function(code, frame.f_globals) if is_public and gives else code
            self._functions[id(code)] = function
        if type(function) is not Function:
            return None
        function.looks += 1
        if frame.f_trace is _mark:
            function.lasted += 1
        elif frame.f_trace is None:
            frame.f_trace = _mark
            function.calls += 1
        return function

    def _count(self, stack: tuple[Function, ...], passed: float, busy: float) -> None:
        self.total += passed
        for depth, function in enumerate(stack):
            function.depth = depth
            function.seconds += passed
            function.busy += busy
        if self.total > 2 * _HALF:
            self._age()
        if stack in self.stacks or len(self.stacks) < _MOST_STACKS:
            times = self.stacks.setdefault(stack, [0.0, 0.0])
            times[0] += passed
            times[1] += busy

    @property
    def functions(self) -> list[Function]:
        """All that were seen."""
        return [one for one in self._functions.values() if type(one) is Function]

    def forget(self) -> None:
        """Let go of the program's objects."""
        self._functions.clear()
        self.stacks.clear()

    def _age(self) -> None:
        self.total /= 2
        for times in self.stacks.values():
            times[0] /= 2
            times[1] /= 2
        for function in self.functions:
            function.ages()


def waits(seconds: float, busy: float) -> bool:
    """Whether what was under way for so long, and had a core for so long, waits."""
    return busy < _COMPUTES * seconds


def _is_named(name: str) -> bool:
    """Whether this is the name of a public function, or of a method as `Class.name`."""
    parts = name.split(".")
    return len(parts) <= 2 and all(part[0] not in "<_" for part in parts)


def is_own_file(file: str) -> bool:
    """Whether a file is the project's: neither Python's, nor installed, nor Cord's own."""
    if file.startswith("<"):
        return False
    path = os.path.abspath(file)
    return not is_of_python(path) and not path.startswith(_CORD)
