"""What remote functions leave running: a replica's end waits for threads, and lets processes be.

The program's end waits for threads that are no daemons, before it calls its exit functions. So a
replica says when a function begins one and when that has ended, and the client waits for it. What
is written after the call's reply, the replica gives to the client at the latest when it ends itself;
what processes write that outlive it is passed on for as long as they live.
"""

from __future__ import annotations

import os
import select
import sys
from contextlib import suppress

from cord import _core
from cord.engines.local.heirs import Leaving, descendants_of
from cord.engines.local.ledger import BEGUN, ENDED, OUTPUT, Ledger
from cord.runtime.objects.callers import is_in_import
from cord.runtime.replica.awaited import when_imported

TYPE_CHECKING = False  # typing is not imported on the way to a first call
if TYPE_CHECKING:
    from types import CodeType
    from typing import Any, Final

    from cord.runtime.io.output import Capture

# Threads of executors wait for work until the end: they are ended there.
_EXECUTOR: Final = "concurrent.futures.thread"
# Those that wait at links do so to the end.
_LISTENING: Final = "cord.engines.local.threaded"
# How often what processes write is passed on, in milliseconds.
_PASS_ON: Final = 20
_PIECE: Final = 1 << 16


class Run:
    """What belongs to the whole run, as its zygote has it, and each replica after it.

    Attributes:
        ledger: What replicas and the client share; None where there is none.
        notice: Leads to the zygote.
        outs: The client's own descriptors 1 and 2.
    """

    def __init__(self) -> None:
        self.ledger: Ledger | None = None
        self.notice: _core.Descriptor | None = None
        self.outs: list[_core.Descriptor | None] = [None, None]

    def keep_outs(self) -> None:
        """In the zygote, while it has the client's descriptors."""
        for number in (1, 2):
            with suppress(OSError):
                self.outs[number - 1] = _core.Descriptor(os.dup(number))

    def tell(self, what: bytes) -> None:
        """Tell the zygote how far this replica has come with its end.

        Args:
            what: As `Leaving` has it.
        """
        if self.notice is not None:
            with suppress(OSError):
                self.notice.write(what + os.getpid().to_bytes(4, "little"))


run: Final = Run()

# The threads that are to be waited for, by id.
_threads: dict[int, Any] = {}


def follow_threads(capture: Capture, serving: CodeType) -> None:
    """Say of threads that functions start that they have begun, and have ended.

    Args:
        capture: Recorder of what is written.
        serving: The code that runs in the main thread while no call does.
    """
    when_imported("threading", lambda threading: _follow(threading, capture, serving))


def _follow(threading: Any, capture: Capture, serving: CodeType) -> None:
    cls = threading.Thread
    starts, runs = cls.start, cls._bootstrap_inner

    def start(thread: Any) -> None:
        code_of = getattr(getattr(thread, "_target", None), "__module__", None)
        counts = not (
            thread.daemon
            or capture.is_forked
            or id(thread) in _threads
            or code_of in (_EXECUTOR, _LISTENING)
            or is_in_import()
        )
        if not counts:
            starts(thread)
            return
        _threads[id(thread)] = thread
        _say(BEGUN)
        try:
            starts(thread)
        except BaseException:
            del _threads[id(thread)]
            _say(ENDED)
            raise

    def _bootstrap_inner(thread: Any) -> None:
        try:
            runs(thread)
        finally:
            if not capture.is_forked and _threads.pop(id(thread), None) is not None:
                frame = sys._current_frames().get(threading.main_thread().ident)
                if frame is not None and frame.f_code is serving:
                    _give_output(capture)
                _say(ENDED)

    cls.start, cls._bootstrap_inner = start, _bootstrap_inner


def _say(what: bytes) -> None:
    if run.ledger is not None:
        run.ledger.add(what)


def _give_output(capture: Capture) -> None:
    if run.ledger is not None:
        written = capture.drain_late()
        if written:
            run.ledger.add(OUTPUT, written)


def leave(capture: Capture) -> None:
    """At a replica's end: wait for threads and for children that the program would wait for.

    Args:
        capture: Recorder of what is written.
    """
    util = sys.modules.get("multiprocessing.util")
    waits = bool(_threads) or util is not None or _EXECUTOR in sys.modules
    if waits:
        run.tell(Leaving.JOINING)
        with suppress(BaseException):
            _join()
        if util is not None:
            with suppress(BaseException):
                util._exit_function()
    with suppress(OSError):
        _give_output(capture)
    if _has_children():
        with suppress(OSError):
            _pass_on(capture)


def _join() -> None:
    threading: Any = sys.modules["threading"]
    for ends in reversed(threading._threading_atexits):  # executors
        ends()
    for thread in list(_threads.values()):
        thread.join()


def _has_children() -> bool:
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return False
    return True


def _pass_on(capture: Capture) -> None:
    """Have a process pass on what those write that outlive this one, if any can."""
    writers = _writers(capture.identities())
    if writers and os.fork() == 0:
        try:
            _be_passer_on(capture, writers)
        finally:
            os._exit(0)


def _writers(files: set[tuple[int, int]]) -> list[int]:
    """The processes that this one has started whose standard output leads to one of these files."""
    found = []
    for pid in descendants_of(os.getpid()):
        for number in (1, 2):
            with suppress(OSError):
                status = os.stat(f"/proc/{pid}/fd/{number}")
                if (status.st_dev, status.st_ino) in files:
                    found.append(pid)
                    break
    return found


def _be_passer_on(capture: Capture, writers: list[int]) -> None:
    _core.set_process_name("cord")
    pairs = []  # what is read from, where it is written to, and how far
    for (fd, seen), out in zip(capture.places(), run.outs, strict=True):
        if out is not None:
            pairs.append([fd, out.fd, seen])
    alive = select.poll()
    living = 0
    kept = {fd for pair in pairs for fd in pair[:2]}
    for pid in writers:
        with suppress(OSError):
            fd = os.pidfd_open(pid)
            alive.register(fd, select.POLLIN)
            kept.add(fd)
            living += 1
    _close_all_but(kept)
    while living:
        for fd, _ in alive.poll(_PASS_ON):
            alive.unregister(fd)
            living -= 1
        for pair in pairs:
            _copy(pair)


def _close_all_but(kept: set[int]) -> None:
    for name in os.listdir("/proc/self/fd"):
        if int(name) not in kept:
            with suppress(OSError):
                os.close(int(name))


def _copy(pair: list[int]) -> None:
    source, target, seen = pair
    while piece := os.pread(source, _PIECE, seen):
        seen += len(piece)
        rest = memoryview(piece)
        while rest:
            rest = rest[os.write(target, rest) :]
    pair[2] = seen
