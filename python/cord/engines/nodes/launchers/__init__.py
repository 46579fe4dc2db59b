"""How agents come to be on nodes: one module for each way.

A launcher starts something that starts agents, and gives the ends of the pipes that lead to them,
or lets them connect: they find the address in their command, and the key of the run in their
environment, where no list of processes shows it. Where agents stand, it connects to them.
"""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import socket

    from cord.plan.engine_plan import EnginePlan

# The variable in which an agent finds the key of the run.
KEY = "CORD_AGENT_KEY"
# The one in which it finds how many cores are meant for it, where that is not all there are.
CORES = "CORD_AGENT_CORES"
# And what its launcher calls the place that it is at, where that tells the gateway of its end.
PLACE = "CORD_AGENT_PLACE"
# And the names of variables that replicas have as they are there, not as the program has them.
KEEPS = "CORD_AGENT_KEEPS"
# What an interpreter is told, to be an agent; whatever modules lie in the folder it starts in.
AGENT = ("-P", "-m", "cord", "agent")
# Seconds that it may take to take something back.
_UNDO = 10.0


class CannotLaunch(Exception):
    """What starts agents cannot be started; the text says why."""


class Launched:
    """What has been started.

    Attributes:
        pipes: What leads to agents: where to, a descriptor to read from, and one to write to.
        absent: Agents that stand but do not listen yet: their names, IP addresses and ports.
        processes: What is to end with the run.
        key: What secures the pipes, where they are not secure already.
        files: What is to be removed then.
        undo: Commands that take back what has been asked of others.
        held: What is there as long as the run.
        notices: Brings lines, each with the place of an agent that has ended, and why.
    """

    def __init__(self) -> None:
        self.pipes: list[tuple[str, int, int]] = []
        self.absent: list[tuple[str, str, int]] = []
        self.processes: list[subprocess.Popen[bytes]] = []
        self.key: bytes | None = None
        self.files: list[str] = []
        self.undo: list[list[str]] = []
        self.held: socket.socket | None = None
        self.notices: int | None = None

    def end(self, seconds: float) -> None:
        """End what has not ended by itself, and remove the files."""
        for file in self.files:
            with suppress(OSError):
                os.unlink(file)
        for command in self.undo:
            with suppress(OSError, subprocess.TimeoutExpired):
                subprocess.run(
                    command,
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    timeout=_UNDO,
                    check=False,
                )
        for process in self.processes:
            if process.stdin is not None:
                process.stdin.close()  # whoever reads there knows that the run is over
        for process in self.processes:
            try:
                process.wait(seconds)
            except subprocess.TimeoutExpired:
                process.terminate()
        for process in self.processes:
            try:
                process.wait(seconds)
            except subprocess.TimeoutExpired:
                process.kill()


def connects(plan: EnginePlan) -> bool:
    """Whether agents connect to the gateway by themselves."""
    return plan.kind not in ("ssh", "standing", "kubernetes")


def connecting_agent(plan: EnginePlan, address: str) -> list[str]:
    """The command of an agent that connects to the gateway at an address."""
    return [plan.python or sys.executable, *AGENT, "--connect", address]


def launch(
    plan: EnginePlan, address: str | None, key: bytes | None, status: int, ends: list[int]
) -> Launched:
    """Start agents.

    Args:
        plan: The engine's.
        address: Where those that connect find the gateway.
        key: What they show it.
        status: Where the client is told why none will come.
        ends: One of these can be read when the run is over.

    Raises:
        CannotLaunch: That cannot be.
    """
    if plan.kind == "standing":
        from cord.engines.nodes.launchers import connecting

        return connecting.launch(plan, status, ends)
    if plan.kind == "kubernetes":
        from cord.engines.nodes.launchers import kubernetes

        return kubernetes.launch(plan)
    if address is None or key is None:
        from cord.engines.nodes.launchers import ssh

        return ssh.launch(plan)
    if plan.kind in ("ray", "dask"):
        from cord.engines.nodes.launchers import cluster

        return cluster.launch(plan, address, key, status)
    if plan.kind == "hq":
        from cord.engines.nodes.launchers import hq

        return hq.launch(plan, address, key, status)
    from cord.engines.nodes.launchers import command, ranks

    if ranks.count(plan) > 1:
        return ranks.launch(plan, address, key, status)
    return command.launch(plan, address, key, status)
