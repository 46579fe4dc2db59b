"""Agents that Ray or Dask places.

Their libraries have threads and much to say, so they are loaded by a process of their own, which
ends when its standard input does. It tells the client of what it finds on its standard output, and
the gateway of agents that have ended.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from typing import TYPE_CHECKING

from cord.engines.nodes.launchers import CannotLaunch, Launched, connecting_agent
from cord.engines.nodes.launchers.watching import watch

if TYPE_CHECKING:
    from cord.plan.engine_plan import EnginePlan

# The part of `engine.wait` in which there must be room for agents; the rest is for their start.
_FOR_ROOM = 0.8


def launch(plan: EnginePlan, address: str, key: bytes, status: int) -> Launched:
    """Start the process.

    Args:
        plan: The engine's.
        address: Where agents find the gateway.
        key: What they show it.
        status: Where the client is told.

    Raises:
        CannotLaunch: The system has no room for it.
    """
    launched = Launched()
    launched.notices, notices = os.pipe()
    request = {
        "command": connecting_agent(plan, address),
        "key": key.hex(),
        "address": plan.address,
        "nodes": plan.nodes,
        "cores": plan.cores,
        "resources": plan.resources,
        "notices": notices,
        "limit": plan.wait * _FOR_ROOM,
        "begun": time.monotonic(),
    }
    module = f"cord.engines.nodes.launchers.on_{plan.kind}"
    try:
        process = subprocess.Popen(
            [sys.executable, "-P", "-m", module],
            stdin=subprocess.PIPE,
            stdout=status,
            stderr=subprocess.PIPE,
            start_new_session=True,
            pass_fds=[notices],
        )
    except OSError as error:
        raise CannotLaunch(f"cannot run {sys.executable}: {error.strerror}") from None
    os.close(notices)
    assert process.stdin is not None and process.stderr is not None
    process.stdin.write(json.dumps(request).encode() + b"\n")
    process.stdin.flush()
    launched.processes.append(process)
    watch(process, process.stderr, f"what starts agents on {plan.kind}", status, shows=False)
    return launched
