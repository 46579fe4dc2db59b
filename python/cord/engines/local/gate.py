"""Who may run in a process that makes several calls at once: calls of one world at a time.

Environment, working directory, `sys.path` and what stands for the main script are the process's. A
call of another world waits until those inside have ended, and those that come after it wait behind
it. A call that waits for one that it has made is not inside meanwhile, so nobody who is inside
waits for who is not: that cannot lock up. Where a thread that a call has started makes the other
call, the first stays inside; so who is of the same world waits behind others only for a moment.
"""

from __future__ import annotations

from _thread import _local
from collections import deque
from threading import Condition, Lock

TYPE_CHECKING = False  # typing is not imported on the way to a first call
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Final

    # World, version of the main script and what puts that in place, whether nobody else may be in.
    Held = tuple[bytes, int, Callable[[], None] | None, bool]

# Seconds in which a call waits behind those of another world though it is of this one.
PATIENCE: Final = 0.05


class _Mine(_local):
    """What a thread has come in with; None where it is not inside."""

    held: Held | None = None


class Gate:
    """Lets calls of one world at a time into the process.

    Args:
        enter: Makes a world that of this process.
    """

    def __init__(self, enter: Callable[[bytes], None]) -> None:
        self._enter = enter
        self._changed = Condition(Lock())
        self._line: deque[object] = deque()
        self._world: bytes | None = b""
        self._version = 0
        self._inside = 0
        self._is_closed = False
        self._mine = _Mine()

    def come_in(self, world: bytes) -> bool:
        """Begin a call; whether it had to wait.

        Args:
            world: The world that it is to run in.

        Raises:
            OSError: The world cannot be entered.
        """
        return self._come_in((world, self._version, None, False))

    def come_in_alone(self, world: bytes) -> None:
        """Do something that no call is to see halfway, in this world; end it as a call.

        Raises:
            OSError: The world cannot be entered.
        """
        self._come_in((world, self._version, None, True))

    def change(self, version: int, put: Callable[[], None]) -> None:
        """Go on with another version of the main script.

        Args:
            version: Its number.
            put: Puts it in place.
        """
        held = self._mine.held
        assert held is not None
        now = (held[0], version, put, held[3])
        if version == self._version:
            self._mine.held = now
        else:
            self.go_out()
            self._come_in(now)

    def go_out(self) -> None:
        """End a call; does nothing for one that could not come in."""
        if self._mine.held is None:
            return
        self._mine.held = None
        with self._changed:
            self._inside -= 1
            self._is_closed = False
            if not self._inside:
                self._changed.notify_all()

    def wait(self, world: bytes | None) -> Held | None:
        """The call begins to wait for another one: what `go_on` takes.

        Args:
            world: What it has made of its world, if it has changed that.
        """
        held = self._mine.held
        if held is not None and world is not None:
            held = (world, *held[1:])
            with self._changed:
                self._world = world
        self.go_out()
        return held

    def go_on(self, held: Held | None) -> None:
        """The call goes on where it was."""
        if held is not None:
            self._come_in(held)

    def _come_in(self, held: Held) -> bool:
        world, version, put, alone = held
        waited = False
        with self._changed:
            if self._line or not self._fits(held):
                waited = True
                self._wait(held)
            if world != self._world:
                self._world = None  # unless that succeeds
                self._enter(world)
                self._world = world
            if put is not None and version != self._version:
                put()
                self._version = version
            self._inside += 1
            self._is_closed = alone
        self._mine.held = held
        return waited

    def _wait(self, held: Held) -> None:
        mine = object()
        self._line.append(mine)
        is_late = False
        try:
            while not (self._fits(held) and (self._line[0] is mine or is_late)):
                is_late = not self._changed.wait(PATIENCE)
        finally:
            self._line.remove(mine)
            self._changed.notify_all()

    def _fits(self, held: Held) -> bool:
        if not self._inside:
            return True
        world, version, put, alone = held
        is_same = world == self._world and (put is None or version == self._version)
        return is_same and not alone and not self._is_closed
