"""Agents on hosts that ssh leads to. The link is ssh's own: no port, no key of Cord's."""

from __future__ import annotations

import shlex
import socket
import subprocess
import sys
from typing import TYPE_CHECKING

from cord.engines.nodes.launchers import AGENT, CannotLaunch, Launched

if TYPE_CHECKING:
    from cord.plan.engine_plan import EnginePlan

# It asks nothing, and says nothing where all is well.
_SSH = ("ssh", "-T", "-o", "BatchMode=yes", "-o", "LogLevel=ERROR")


def launch(plan: EnginePlan) -> Launched:
    """Start an agent on each host.

    Args:
        plan: The engine's.

    Raises:
        CannotLaunch: There is no ssh.
    """
    launched = Launched()
    agent = shlex.join([plan.python or sys.executable, *AGENT, "--stdio"])
    for host in plan.hosts:
        ours, theirs = socket.socketpair()
        try:
            command = [*_SSH, "--", host, agent]
            end = theirs.fileno()
            process = subprocess.Popen(command, stdin=end, stdout=end)
        except OSError as error:
            raise CannotLaunch(f"cannot run ssh: {error.strerror}") from None
        finally:
            theirs.close()
        launched.processes.append(process)
        launched.pipes.append((host, ours.detach(), -1))
    return launched
