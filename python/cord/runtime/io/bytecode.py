"""Bytecode of modules that a remote function imports: the program writes it, not the replica.

In plain Python it is written while the function runs, so it goes with the reply and is written at
the take. A replica that wrote by itself might do so at any time, into folders that the program has
removed meanwhile, or is about to remove. What it imports outside of calls the client imports too.
"""

from __future__ import annotations

import os
import sys
from importlib.machinery import SourceFileLoader

TYPE_CHECKING = False  # typing is not imported on the way to a first call
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Final

    Keep = Callable[[str, str, bytes], None]

# Cord's own modules are none of the program's.
_HERE: Final = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "")

_write: Any = SourceFileLoader._cache_bytecode  # type: ignore[attr-defined]


def keep_aside(keep: Keep) -> None:
    """Write no bytecode in this process from now on; a child that it forks does.

    Args:
        keep: Takes what would be written: the paths of the source and of the bytecode, and that.
    """
    process = os.getpid()

    def cache_bytecode(
        loader: SourceFileLoader, source: str, bytecode: str, data: bytes | bytearray
    ) -> None:
        if os.getpid() != process or source.startswith(_HERE):
            _write(loader, source, bytecode, data)
        else:
            keep(source, bytecode, bytes(data))

    SourceFileLoader._cache_bytecode = cache_bytecode  # type: ignore[attr-defined]


def write(source: str, bytecode: str, data: bytes) -> None:
    """Write, as the import system does, what a replica has kept aside.

    Args:
        source: Path of the source; where it is gone, nothing is written, and no folder made.
        bytecode: Path of the bytecode.
        data: What is to be written.
    """
    if not sys.dont_write_bytecode and os.path.exists(source):
        SourceFileLoader("", source)._cache_bytecode(source, bytecode, data)  # type: ignore[attr-defined]
