"""The state of the project's modules, as the program has it, for replicas to have the same."""

from __future__ import annotations


def state() -> bytes:
    """Encode what differs from what the modules' import has left.

    Returns:
        What `cord.runtime.replica.modules.apply` makes the same of; nothing where nothing differs.
    """
    return b""
