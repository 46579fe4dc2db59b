"""What an engine is: the contract between Cord and where replicas live.

An engine has two halves. In Python it starts whatever makes replicas, before the program's first
line or in a program that runs already. In the native core (`crates/cord-core/src/engine/`) it
supplies a *launcher* and *links*, to which the dispatcher's thread talks without Python.

A launcher promises that it never blocks; that each replica that was asked for is reported as dead
or as not to be started some time, unless the launcher is gone itself, which it reports too; that a
replica whose link is closed ends, and all when the launcher does, however the client ended.

A link promises frames in order, none twice, and that it never blocks. When either side is gone,
what had come before is read first; then it says so.

When a replica is lost, the dispatcher makes its pure calls elsewhere and fails the others. When the
launcher is lost, no new replicas come, and those that live go on. When all are lost, so are the
calls that wait.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable

    from cord.plan.model import RemotePlan


class Replicas(Protocol):
    """The client's side of what makes the replicas of a run.

    Attributes:
        control: The descriptor by which the native core asks for them; who takes it, closes it.
        pid: The process that makes them, a child of the client's.
    """

    control: int
    pid: int

    def close(self) -> None:
        """End all of it, and wait until it is gone. May be called twice."""

    def has_heir(self) -> bool:
        """Whether, since the last time, another process makes replicas than before."""

    def wait_for_threads(self) -> None:
        """Wait for threads of remote functions that the interpreter's end would wait for."""


class Engine(Protocol):
    """A module that starts what makes replicas."""

    def start(
        self,
        modules: list[RemotePlan],
        path: list[str],
        beside: Callable[[bytes], None],
    ) -> Replicas:
        """Start it for a program that has not begun. It ends with this process.

        Args:
            modules: The remote modules; the core names one by its index.
            path: `sys.path` as replicas see it.
            beside: Does what the client may ask for by a message, in a process of its own.

        Raises:
            OSError: The system has no room for it.
        """

    def cores(self) -> int:
        """How many cores replicas have, all together; known once it is started or joined."""

    def join(self, modules: list[RemotePlan]) -> Replicas:
        """Start it for a program that runs already, and may have threads. Who calls closes it.

        Args:
            modules: As above.

        Raises:
            OSError: The system has no room for it.
        """
