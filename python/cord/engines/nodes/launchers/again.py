"""Agents that were lost are started again, a few times: by ssh there, or by the plan's command."""

from __future__ import annotations

import os
import socket
import threading
import time
from collections import Counter
from contextlib import suppress
from typing import TYPE_CHECKING

from cord.engines.nodes import launchers
from cord.engines.nodes.launchers import ranks

if TYPE_CHECKING:
    from typing import Final

    from cord.plan.engine_plan import EnginePlan

# How often that is done for each host or, where a command starts them, for each of them.
MOST: Final = 3
# Seconds before the first time; before each further one it is twice as long.
_PAUSE: Final = 1.0


def start(
    plan: EnginePlan,
    address: str | None,
    key: bytes | None,
    status: int,
    launched: launchers.Launched,
) -> int | None:
    """Start agents again from now on, in a thread.

    Args:
        plan: The engine's.
        address: Where those that connect find the gateway.
        key: What they show it.
        status: Where the client was told of the first ones.
        launched: What has been started.

    Returns:
        A descriptor for the gateway, which says there of whom it has lost; None where others see
        to it that there are agents.
    """
    if not _can_start_one(plan):
        return None
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    arguments = (ours, plan, address, key, status, launched)
    threading.Thread(target=_serve, args=arguments, daemon=True).start()
    return theirs.detach()


def _can_start_one(plan: EnginePlan) -> bool:
    if plan.kind == "ssh":
        return True
    if plan.launch is None or ranks.count(plan) > 1:
        return False
    return plan.nodes == 1 or "{n}" in plan.launch


def _serve(
    lost: socket.socket,
    plan: EnginePlan,
    address: str | None,
    key: bytes | None,
    status: int,
    launched: launchers.Launched,
) -> None:
    times: Counter[str] = Counter()
    most = MOST if plan.kind == "ssh" else MOST * plan.nodes
    while name := lost.recv(4096).decode():
        host = name.rstrip("\n")
        if times[host] == most:
            continue
        time.sleep(_PAUSE * 2 ** min(times[host], MOST - 1))
        times[host] += 1
        _say(f"an agent is started again{host and f' on {host}'}")
        one = plan.with_one_agent(host)
        try:
            more = launchers.launch(one, address, key, os.dup(status), [])
        except (launchers.CannotLaunch, OSError) as problem:
            _say(f"it cannot be started: {problem}")
            continue
        launched.processes += more.processes
        for there, reader, _ in more.pipes:
            socket.send_fds(lost, [there.encode()], [reader])
            os.close(reader)


def _say(text: str) -> None:
    with suppress(OSError):
        os.write(2, f"cord: {text}\n".encode())
