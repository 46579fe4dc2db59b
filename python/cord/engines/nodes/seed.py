"""A hash seed that can be told to nodes: the order of sets is the same there and in the program."""

from __future__ import annotations

import os
import sys

_SEED = "CORD_HASH_SEED"


class Hidden:
    """The hash seed that this interpreter was started with, where the program does not know it."""

    seed: str | None = None


def choose_seed() -> None:
    """Start this interpreter again with a hash seed that can be told to others, if it has none.

    The order of sets and the like is the same in the program and on all nodes then. The program
    does not see the variable: it began without.
    """
    chosen = os.environ.pop(_SEED, None)
    if chosen is not None:
        Hidden.seed = chosen
        del os.environ["PYTHONHASHSEED"]
        return
    is_known = os.environ.get("PYTHONHASHSEED", "random") != "random"
    if is_known or sys.flags.ignore_environment or not sys.flags.hash_randomization:
        return
    seed = str(int.from_bytes(os.urandom(4), "little") or 1)
    had = dict(os.environ)
    had.pop("PYTHONHASHSEED", None)
    environment = {**had, "PYTHONHASHSEED": seed, _SEED: seed}
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()
    os.execve(sys.executable, sys.orig_argv, environment)
