"""Agents that stand: nothing is started, the gateway connects to them."""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING

from cord.engines.nodes import by_name, keys
from cord.engines.nodes.addresses import address_of
from cord.engines.nodes.launchers import CannotLaunch, Launched
from cord.engines.nodes.launchers.watching import tell
from cord.errors import CordError

if TYPE_CHECKING:
    from cord.plan.engine_plan import EnginePlan

# Seconds that a connection may take to be made.
_PATIENCE = 5.0
# The part of `engine.wait` in which Ray must know a name; the rest is for the agent.
_FOR_NAME = 0.8


def launch(plan: EnginePlan, status: int, ends: list[int]) -> Launched:
    """Connect to the agent on each host, or to the one that Ray knows by its name.

    Args:
        plan: The engine's.
        status: Where the client is told which hosts cannot be reached.
        ends: One of these can be read when the run is over.

    Raises:
        CannotLaunch: There is no key, or no agent of that name.
    """
    launched = Launched()
    try:
        if plan.address is None:
            assert plan.keys is not None
            hosts, launched.key = plan.hosts, keys.read(plan.keys)
        else:
            assert plan.name is not None
            seconds = plan.wait * _FOR_NAME
            where, launched.key, told = by_name.find(plan.address, plan.name, seconds, ends)
            hosts = (where,)
            launched.processes.append(told)
    except CordError as problem:
        raise CannotLaunch(str(problem)) from None
    for host in hosts:
        try:
            connection = socket.create_connection(address_of(host), min(_PATIENCE, plan.wait))
        except (OSError, ValueError) as error:
            tell(status, "failed", f"{host}: cannot connect: {error}\n\nhint: {_hint(plan)}")
            launched.absent += _place_of(host)
        else:
            launched.pipes.append((host, connection.detach(), -1))
    return launched


def _place_of(host: str) -> list[tuple[str, str, int]]:
    """Where an agent is to listen that does not yet; nothing where that is no place."""
    try:
        name, port = address_of(host)
        found = socket.getaddrinfo(name, port, type=socket.SOCK_STREAM)
    except (OSError, ValueError):
        return []
    return [(host, str(found[0][4][0]), port)]


def _hint(plan: EnginePlan) -> str:
    return f"there, cord agent --serve --keys FILE --name {plan.name} is to run"
