"""What the processes that have agents placed share: their run, and what starts an agent there."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from functools import partial
from typing import TYPE_CHECKING

from cord._core import set_parent_death_signal
from cord.engines.nodes.launchers import CORES, KEEPS, KEY, PLACE
from cord.engines.nodes.launchers.watching import tell
from cord.errors import CordError
from cord.ready import ready

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

# Seconds that it takes to see what a cluster has.
_ONE_LOOK = 0.2


class Run:
    """A run that wants agents.

    Attributes:
        command: An agent's command.
        address: Where the plan says that the cluster is.
        nodes: How many agents are wanted.
        cores: How many cores of each.
        resources: What else of each, by name.
        limit: How many seconds it may take until there is room for them, from the start of this
            process on.
    """

    def __init__(self) -> None:
        request = json.loads(sys.stdin.buffer.readline())
        self._status = os.dup(1)
        os.dup2(2, 1)  # what libraries print is not for the client
        self._notices: int = request["notices"]
        os.set_inheritable(self._notices, False)
        self._key: str = request["key"]
        self.command: list[str] = request["command"]
        self.address: str | None = request["address"]
        self.nodes: int = request["nodes"]
        self.cores: int = request["cores"]
        self.resources: dict[str, float] = request["resources"]
        self.limit: float = request["limit"]
        self._until: float = request["begun"] + self.limit

    def is_over(self, seconds: float = 0.0) -> bool:
        """Whether the run has ended; waits as long for its end."""
        return bool(ready([0], seconds))

    def left(self) -> float:
        """How many seconds of the limit are left; always some, for one look."""
        return max(_ONE_LOOK, self._until - time.monotonic())

    def has_waited(self) -> bool:
        """Whether none are."""
        return time.monotonic() >= self._until

    def environment(self, cores: int, place: str, keeps: Sequence[str] = ()) -> dict[str, str]:
        """What an agent finds in its environment.

        Args:
            cores: How many cores it has.
            place: What its launcher calls the place.
            keeps: The variables that are what they are there, whatever the program has.
        """
        return {KEY: self._key, CORES: str(cores), PLACE: place, KEEPS: " ".join(keeps)}

    def expect(self, count: int) -> None:
        """Say how many agents there are to be."""
        tell(self._status, "expect", str(count))

    def has_ended(self, place: str, why: str | None) -> None:
        """Say that the agent at a place has ended, unless it has said itself why."""
        if why is not None:
            tell(self._status, "failed", why)  # to the client, which waits for agents to join
            tell(self._notices, place, why)  # to the gateway, if it has joined

    def cannot(self, error: CordError) -> None:
        """Say that no agents will come."""
        tell(self._status, "over", str(error))


def serve(start: Callable[[Run], None]) -> None:
    """Have agents placed for the run that the standard input tells of.

    Args:
        start: Starts them, and returns when the run or all of them have ended.
    """
    run = Run()
    try:
        start(run)
    except CordError as error:
        run.cannot(error)


def run_agent(command: list[str], environment: dict[str, str]) -> str | None:
    """Run an agent until it ends; in a process of Ray's or Dask's, with whose thread it ends.

    Args:
        command: The agent's.
        environment: What is added to that of this process.

    Returns:
        What it said last; None where it has come to its end, or has told the gateway.
    """
    try:
        agent = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
            env={**os.environ, **environment},
            preexec_fn=partial(  # noqa: PLW1509 - a system call, which takes no lock
                set_parent_death_signal, signal.SIGTERM.value
            ),
        )
    except OSError as error:
        return f"{socket.gethostname()}: cannot run {command[0]}: {error.strerror}"
    last = None
    assert agent.stderr is not None
    for line in agent.stderr:
        sys.stderr.write(line)
        if line.strip() and not line.startswith("hint: "):
            last = f"{socket.gethostname()}: {line.strip()}"
    code = agent.wait()
    if code < 0:
        return f"{socket.gethostname()}: the agent has ended by signal {-code}"
    return last if code != 0 else None
