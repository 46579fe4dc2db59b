"""Waiting for agents, before the program's first line."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

from cord.errors import CordError
from cord.ready import ready

if TYPE_CHECKING:
    from typing import TextIO

# Whoever waits for longer is told for what.
_QUIET = 2.0


class Joining:
    """What a gateway has told of its agents.

    Args:
        expected: How many there are to be.

    Attributes:
        joined: The nodes that serve, with their cores.
        problems: Why others do not.
        where: The address that agents connect to; empty where they do not.
    """

    def __init__(self, expected: int) -> None:
        self.expected = expected
        self.joined: list[tuple[str, int]] = []
        self.problems: list[str] = []
        self.where = ""
        self._hint: str | None = None
        self._is_over = False

    def hear(self, line: str) -> None:
        """Take in a line of the gateway's, or of what starts agents."""
        what, _, more = line.partition(" ")
        if what == "joined":
            cores, _, name = more.partition(" ")
            self.joined.append((name, int(cores)))
        elif what == "expect":
            self.expected = int(more)
        elif what == "listens":
            self.where = more
        elif what in ("refused", "failed", "over"):
            problem, _, hint = more.replace("\\n", "\n").partition("\n\nhint: ")
            self.problems.append(problem)
            self._hint = hint or self._hint
            self._is_over |= what == "over"  # nobody else is to come

    def reasons(self, seconds: float) -> str:
        """Why agents are missing, after so many seconds."""
        known = "; ".join(dict.fromkeys(self.problems))
        at = f" at {self.where}" if self.where else ""
        return known or f"nothing was heard of them{at} in {seconds:g} s"

    @property
    def hint(self) -> str | None:
        """What to do about that; None where the reason says it."""
        if self._hint is not None:
            return self._hint
        if self.where and (not self.problems or any(self.where in one for one in self.problems)):
            return (
                f"if nodes cannot reach {self.where}, engine.listen names an address of this "
                "machine that they can"
            )
        by_hand = "start one by hand to see what it says: cord agent --help"
        return None if self.problems else by_hand

    @property
    def cores(self) -> int:
        """How many cores the nodes have that serve, all together."""
        return sum(cores for _, cores in self.joined)

    @property
    def is_settled(self) -> bool:
        """Whether nothing more is to be waited for."""
        return self._is_over or len(self.joined) + len(self.problems) >= self.expected


def wait_for_agents(status: int, expected: int, seconds: float, stderr: TextIO | None) -> Joining:
    """Wait until all agents have joined or cannot.

    Args:
        status: Where the gateway tells of them.
        expected: How many there are to be.
        seconds: How long they may take.
        stderr: Where it is told that somebody waits, and who has not come.

    Raises:
        CordError: None has joined.
    """
    joining, text, until = Joining(expected), b"", time.monotonic() + seconds
    quiet_until = time.monotonic() + _QUIET
    is_told = False
    while not joining.is_settled:
        now = time.monotonic()
        if now >= until:
            break
        if now >= quiet_until and not is_told:
            is_told = True
            left = joining.expected - len(joining.joined) - len(joining.problems)
            at = f" at {joining.where}" if joining.where else ""
            _say(stderr, f"waiting for {left} of {_agents(joining.expected)} to join{at}")
        if not ready([status], min(until - now, 0.25)):
            continue
        got = os.read(status, 4096)
        if not got:
            break  # the gateway is gone
        text += got
        *lines, text = text.split(b"\n")
        for line in lines:
            joining.hear(line.decode(errors="replace"))
    _judge(joining, seconds, stderr)
    return joining


def _judge(joining: Joining, seconds: float, stderr: TextIO | None) -> None:
    missing = joining.expected - len(joining.joined)
    if missing == 0:
        return
    reasons = joining.reasons(seconds)
    if joining.joined:
        _say(stderr, f"{missing} of {_agents(joining.expected)} did not join: {reasons}")
        if not joining.problems:
            _say(stderr, f"hint: {joining.hint}")
        return
    raise CordError(
        f"no agent has joined, so there is nowhere to run replicas: {reasons}",
        joining.hint,
    )


def _agents(count: int) -> str:
    return f"{count} agents" if count != 1 else "1 agent"


def _say(stderr: TextIO | None, text: str) -> None:
    if stderr is not None:
        stderr.write(f"cord: {text}\n")
        stderr.flush()
