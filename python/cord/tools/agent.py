"""What `cord agent` does: serve this node for a program that runs elsewhere."""

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
