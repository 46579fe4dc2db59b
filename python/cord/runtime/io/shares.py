"""What calls write that run at once, in threads of one process.

What Python code writes goes to the call that it belongs to: a context variable names it, and
threads that a call starts have that, too. What goes past Python, into the descriptors 1 and 2,
shows nothing of who wrote it: it goes to the call that writes by Python code next, or ends next.
"""

from __future__ import annotations

import _thread
from contextvars import ContextVar
from weakref import WeakSet

from cord.runtime.io.output import Capture, _emptied

TYPE_CHECKING = False  # typing is not imported on the way to a first call
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from cord.runtime.io.output import Operation, StreamStyle


class _Turn:
    """One call of those that write into a share, with the threads that it starts.

    Attributes:
        share: The share.
        is_vain: What it writes is the program's to write, which makes the call itself.
    """

    __slots__ = ("is_vain", "share")

    def __init__(self, share: Share) -> None:
        self.share = share
        self.is_vain = False


_turn: ContextVar[_Turn | None] = ContextVar("cord_share", default=None)


class SharedCapture(Capture):
    """Records what is written in a process that makes several calls at once.

    Its own journal is that of threads which belong to no call: the call that ends next has it.

    Args:
        stdout: How the client's stdout looks; None if the client has none.
        stderr: The same for stderr.
    """

    def __init__(self, stdout: StreamStyle | None, stderr: StreamStyle | None) -> None:
        self.lock = _thread.RLock()  # a finalizer may print while it is held
        self._shares: list[Share] = []
        self._begun = 0  # how often one has begun to be written
        super().__init__(stdout, stderr)

    def record(self, operation: str, stream: int, data: Any) -> None:
        """Add one operation of Python code to what its call has written."""
        if self._forked:
            self._pass_on(operation, stream, data)
            return
        turn = _turn.get()
        if turn is not None and turn.is_vain:
            return
        share = None if turn is None else turn.share
        journal = self.journal if share is None else share.journal
        with self.lock:
            if share is not None and not journal:
                self._begun += 1
                share.since = self._begun
            self._add(journal, operation, stream, data)

    def share(self, share: Share) -> None:
        """Have what a share holds at the end of the process."""
        self._shares.append(share)

    def drain_late(self) -> bytes:
        """Return what was written since the last replies; while no call runs."""
        with self.lock:
            for share in sorted(self._shares, key=lambda one: one.since):
                self.journal += share.journal
                share.journal.clear()
            return super().drain_late()


class Share:
    """What one of the calls writes that run at once; stands for the process's `Capture`.

    Attributes:
        journal: What Python code has written since the last time it was drained.
        quiet: Tells whether there is anything to drain.
        since: Orders shares by when something was first written that is not drained.
        threads: The threads that the calls have started, as `threading` has them.

    Args:
        capture: That of the process.
        begin: Is called in each thread that the calls start.
    """

    def __init__(self, capture: SharedCapture, begin: Callable[[], None]) -> None:
        self._capture = capture
        self.begin = begin
        self.journal: list[Operation] = []
        self.since = 0
        self.threads: WeakSet[object] = WeakSet()
        capture.share(self)
        self.quiet = capture._quiet_of(self.journal)

    def take(self) -> None:
        """What is written in this context from here on belongs to the calls of this one."""
        _turn.set(_Turn(self))

    def drain(self) -> bytes:
        """Return all that the call has written, for `replay`; b"" if it was nothing."""
        capture = self._capture
        with capture.lock:
            if not capture.journal and self.quiet.holds():
                return b""
            self.journal += capture.journal
            capture.journal.clear()
            capture._complete(self.journal)
            return _emptied(self.journal)

    def suspend(self) -> list[Operation]:
        """Set aside what the call at hand has written, while another one runs in its thread."""
        with self._capture.lock:
            written = self.journal.copy()
            self.journal.clear()
        return written

    def resume(self, written: list[Operation]) -> None:
        """Go on with what `suspend` returned."""
        with self._capture.lock:
            self.journal[:0] = written

    def discard(self) -> None:
        """Forget what Python code has written so far."""
        with self._capture.lock:
            self.journal.clear()

    def disown(self) -> None:
        """Forget what the call of this context has written, and what its threads will write."""
        turn = _turn.get()
        if turn is not None:
            turn.is_vain = True
        self.discard()


def follow_threads() -> None:
    """Let threads belong to the call that starts them, from here on."""
    import threading

    name = "_start_joinable_thread"  # since Python 3.13
    if not hasattr(threading, name):
        name = "_start_new_thread"
    setattr(threading, name, _following(getattr(threading, name)))
    _thread.start_new_thread = _following(_thread.start_new_thread)
    _thread.start_new = _thread.start_new_thread


def _following(start: Callable[..., Any]) -> Callable[..., Any]:
    import threading

    def start_following(function: Callable[..., Any], *args: Any, **more: Any) -> Any:
        turn = _turn.get()
        if turn is None or not callable(function):
            return start(function, *args, **more)

        thread = getattr(function, "__self__", None)
        if isinstance(thread, threading.Thread):
            turn.share.threads.add(thread)

        def run(*args: Any, **kwargs: Any) -> Any:
            _turn.set(turn)
            turn.share.begin()
            return function(*args, **kwargs)

        return start(run, *args, **more)

    return start_following
