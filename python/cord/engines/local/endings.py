"""What remote functions leave running: a replica's end waits for threads, and lets processes be.

The program's end waits for threads that are no daemons, before it calls its exit functions. So a
replica says when a function begins one and when that has ended, and the client waits for it. What
is written after the call's reply, the replica gives to the client at the latest when it ends
itself; what processes write that outlive it is passed on for as long as they live.
"""

from __future__ import annotations

import os
import select
import sys
from contextlib import suppress

from cord import _core
from cord.engines.local.heirs import Leaving, children_of, descendants_of
from cord.engines.local.ledger import BEGUN, ENDED, OUTPUT, Ledger
from cord.runtime.replica import started

TYPE_CHECKING = False  # typing is not imported on the way to a first call
if TYPE_CHECKING:
    from types import CodeType
    from typing import Final

    from cord.runtime.io.output import Capture

# How often what processes write is passed on, in milliseconds.
_PASS_ON: Final = 20
_PIECE: Final = 1 << 16


class Run:
    """What belongs to the whole run, as its zygote has it, and each replica after it.

    Attributes:
        ledger: What replicas and the client share; None where there is none.
        notice: Leads to the zygote.
        outs: The client's own descriptors 1 and 2.
        has_made: In a replica, whether it may have made a call: if not, its module has come to no
            state that its exit functions could be about, and the program's own are called.
    """

    def __init__(self) -> None:
        self.ledger: Ledger | None = None
        self.notice: _core.Descriptor | None = None
        self.outs: list[_core.Descriptor | None] = [None, None]
        self.has_made = True

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


def follow_threads(capture: Capture, idle: CodeType) -> None:
    """Say of threads that functions start that they have begun, and have ended.

    Args:
        capture: Recorder of what is written.
        idle: The code that runs in the main thread while no call does.
    """

    def begun() -> None:
        _say(BEGUN)

    def ended(is_idle: bool) -> None:
        if is_idle:
            with suppress(OSError):
                _give_output(capture)
        _say(ENDED)

    started.follow_threads(capture, idle, begun, ended)


def _say(what: bytes) -> None:
    if run.ledger is not None:
        run.ledger.add(what)


def _give_output(capture: Capture) -> None:
    if run.ledger is not None:
        written = capture.drain_late()
        if written:
            run.ledger.add(OUTPUT, written)


def with_something(replicas: set[int]) -> set[int]:
    """In the zygote: the replicas whose functions have left threads or processes.

    Args:
        replicas: The processes of all.
    """
    said = {pid for _, pid, _ in run.ledger.news()} if run.ledger is not None else set()
    return {pid for pid in replicas if pid in said or children_of(pid)}


def leave(capture: Capture) -> None:
    """At a replica's end: wait for threads and for children that the program would wait for.

    Args:
        capture: Recorder of what is written.
    """
    util = sys.modules.get("multiprocessing.util")
    if util is not None or started.are_there_any():
        run.tell(Leaving.JOINING)
        with suppress(BaseException):
            started.join()
        if util is not None:
            with suppress(BaseException):
                util._exit_function()
    with suppress(OSError):
        _give_output(capture)
    if _has_children():
        with suppress(OSError):
            _pass_on(capture)


def _has_children() -> bool:
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return False
    return True


def _pass_on(capture: Capture) -> None:
    """Have a process pass on what those write that outlive this one, if any can."""
    writers = _writers(capture.identities())
    if writers and any(run.outs) and os.fork() == 0:
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
