"""What `cord agent` and `cord keys` do: serve this node for programs that run elsewhere."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cord.plan.model import Plan


def serve(address: str | None) -> int:
    """Serve until the run is over.

    Args:
        address: Where the program waits for agents; None where it is at the other end of stdio.

    Returns:
        The exit code: 0 if the run came to its end.

    Raises:
        CordError: The program is not to be found, or there is no key.
    """
    from cord.engines.nodes.agent import serve_address, serve_stdio

    sys.stdout = sys.stderr  # what is printed here is nobody's output
    return serve_stdio() if address is None else serve_address(address)


def stand(
    address: str | None, keys: str | None, ray: str | None, name: str, config: str | None
) -> int:
    """Serve whoever connects and has the key, until it is told to end.

    Args:
        address: Where to listen; None for the loopback's usual port.
        keys: The file with the agent's key; None where Ray tells clients theirs.
        ray: The cluster that does, by the agent's name.
        name: Under which clients look for it.
        config: The plan whose remote modules it keeps for all clients; None for none.

    Returns:
        The exit code: 0.

    Raises:
        CordError: There is no key or no cluster, it cannot listen there, or the plan is wrong.
    """
    from cord.engines.nodes.standing import serve_all

    sys.stdout = sys.stderr
    return serve_all(address, keys, ray, name, None if config is None else _plan(config))


def _plan(config: str) -> Plan:
    """The plan of a service: there is no program, only what lies beside the file."""
    from cord.plan.program import Program
    from cord.plan.read import read_variants
    from cord.plan.words import BASE
    from cord.tools.shadowing import find_first

    folder = os.path.dirname(os.path.abspath(config))
    find_first(folder)
    program = Program("the service", "", folder, folder, runs=True)
    return read_variants(config, [], program, [BASE])[BASE]


def make_keys(folder: str) -> int:
    """Make the keys of a standing agent and of its clients, and say what goes where.

    Args:
        folder: Where they are put.

    Returns:
        The exit code: 0.

    Raises:
        CordError: There are some already, or they cannot be written.
    """
    from cord.engines.nodes.keys import make

    agent, client = make(folder)
    print(f"{agent}: on the machine that serves, for cord agent --serve --keys FILE")
    print(f'{client}: with those who run programs, for keys = "FILE" in the [engine] of their plan')
    return 0
