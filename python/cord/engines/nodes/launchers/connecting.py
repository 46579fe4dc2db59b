"""Agents that stand: nothing is started, the gateway connects to them."""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING

from cord.engines.nodes import keys
from cord.engines.nodes.addresses import address_of
from cord.engines.nodes.launchers import CannotLaunch, Launched
from cord.engines.nodes.launchers.watching import tell
from cord.errors import CordError

if TYPE_CHECKING:
    from cord.plan.engine_plan import EnginePlan

# Seconds that a connection may take to be made.
_PATIENCE = 5.0


def launch(plan: EnginePlan, status: int) -> Launched:
    """Connect to the agent on each host.

    Args:
        plan: The engine's.
        status: Where the client is told which hosts cannot be reached.

    Raises:
        CannotLaunch: There is no key.
    """
    assert plan.keys is not None
    launched = Launched()
    try:
        launched.key = keys.read(plan.keys)
    except CordError as problem:
        raise CannotLaunch(f"{problem.message}\n\nhint: {problem.hint}") from None
    for host in plan.hosts:
        try:
            connection = socket.create_connection(address_of(host), min(_PATIENCE, plan.wait))
        except (OSError, ValueError) as error:
            tell(status, "failed", f"{host}: cannot connect: {error}\n\nhint: {_hint(plan)}")
        else:
            launched.pipes.append((host, connection.detach(), -1))
    return launched


def _hint(plan: EnginePlan) -> str:
    return f"there, cord agent --serve --keys FILE --name {plan.name} is to run"
