"""Keys in files: what a standing agent and its clients prove by who they are.

A pair is made at once: the agent's and the clients'. Each file holds a secret of its own and what
the other side shows, so that a client cannot pass for the agent.
"""

from __future__ import annotations

import os
import stat

from cord import _core
from cord.errors import CordError

AGENT, CLIENT = "agent.key", "client.key"
_KIND = "cord-key-1"


def make(folder: str) -> tuple[str, str]:
    """Make a pair.

    Args:
        folder: Where; it is made if it is not there.

    Returns:
        The paths of the agent's key and of the clients'.

    Raises:
        CordError: There is a key already, or the files cannot be written.
    """
    paths = os.path.join(folder, AGENT), os.path.join(folder, CLIENT)
    for path in paths:
        if os.path.lexists(path):
            raise CordError(
                f"{path} is there already, and keys are never overwritten",
                "name another folder, or remove both files if nobody uses them",
            )
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)
        for path, key in zip(paths, _core.new_key_pair(), strict=True):
            with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
                file.write(f"{_KIND} {key.hex()}\n")
    except OSError as error:
        raise CordError(f"cannot write keys in {folder}: {error.strerror}") from None
    return paths


def read(path: str) -> bytes:
    """Read one.

    Args:
        path: The file; `~` may begin it.

    Raises:
        CordError: There is none, or others could have read it.
    """
    path = os.path.expanduser(path)
    try:
        with open(path) as file:
            mode = os.fstat(file.fileno()).st_mode
            kind, _, key = file.read().strip().partition(" ")
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is no text"
        raise CordError(
            f"cannot read the key {path}: {why}", "cord keys FOLDER makes keys"
        ) from None
    if stat.S_IMODE(mode) & 0o077:
        raise CordError(f"the key {path} can be read by others", f"chmod 600 {path}")
    try:
        if kind != _KIND:
            raise ValueError
        return bytes.fromhex(key)
    except ValueError:
        raise CordError(f"{path} is no key", "cord keys FOLDER makes keys") from None
