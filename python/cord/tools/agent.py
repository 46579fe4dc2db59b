"""What `cord agent` and `cord keys` do: serve this node for programs that run elsewhere."""

from __future__ import annotations

import sys


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


def stand(address: str | None, keys: str, name: str) -> int:
    """Serve whoever connects and has the key, until it is told to end.

    Args:
        address: Where to listen; None for the loopback's usual port.
        keys: The file with the agent's key.
        name: Under which clients look for it.

    Returns:
        The exit code: 0.

    Raises:
        CordError: There is no key, or it cannot listen there.
    """
    from cord.engines.nodes.standing import serve_all

    sys.stdout = sys.stderr
    return serve_all(address, keys, name)


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
