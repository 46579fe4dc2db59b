"""What the command is doing, on a terminal."""

from __future__ import annotations

import sys

_CLEAR = "\r\x1b[K"


def tell(doing: str) -> None:
    """Say on stderr, if it is a terminal, what is done now; "" for nothing any more."""
    if sys.stderr.isatty():
        text = f"cord verify: {doing} ..." if doing else ""
        sys.stderr.write(f"{_CLEAR}{text}")
        sys.stderr.flush()
