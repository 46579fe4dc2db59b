"""The state of the project's modules in a replica, which follows the program's."""

from __future__ import annotations


def apply(state: bytes) -> None:
    """Make the state of the project's modules the same as in the program.

    Args:
        state: What `cord.runtime.client.modules.state` returned; nothing: what the import left.
    """
