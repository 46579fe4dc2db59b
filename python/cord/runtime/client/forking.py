"""Forks of the program: Python's warning of a process with threads is not for Cord's own.

Since Python 3.12, `os.fork` warns where the process has other threads. Cord's hold no lock of the
interpreter's: a fork is as safe as without them, and the program is not to see that they are there.
"""

from __future__ import annotations

import os
import sys
import warnings
from contextlib import suppress

from cord._core import around_forks

_ANY = ("ignore", None, DeprecationWarning, None, 0)


def warn_of_own_threads_only() -> None:
    """Let forks from here on warn as they would without Cord's threads."""
    if sys.version_info >= (3, 12):
        around_forks(_hush, _end)


def _hush() -> None:
    # nothing else is called while it is there, and registries of warnings do not begin anew for it
    if not _has_own_threads():
        warnings.filters.insert(0, _ANY)  # type: ignore[attr-defined]


def _end() -> None:
    if warnings.filters and warnings.filters[0] is _ANY:
        del warnings.filters[0]  # type: ignore[attr-defined]


def _has_own_threads() -> bool:
    """Whether the program itself has more than one thread."""
    own = 0
    with suppress(OSError):  # without /proc nobody can tell
        for thread in os.listdir("/proc/self/task"):
            with suppress(OSError), open(f"/proc/self/task/{thread}/comm", "rb") as name:
                own += not name.read().startswith(b"cord-")
    return own > 1
