"""Starting the program's interpreter anew, where it is to have what the nodes' interpreters have.

That is a hash seed that can be told, so that the order of sets is the same, and what holds
libraries to one level of processors. Both must be there before an interpreter starts.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False  # typing is not imported on the way to a first call
if TYPE_CHECKING:
    from collections.abc import Mapping

_SEED = "CORD_HASH_SEED"
_LEVEL = "CORD_CPU_LEVEL"


class Hidden:
    """The hash seed that this interpreter was started with, where the program does not know it."""

    seed: str | None = None


def start_anew(cpu: str) -> None:
    """Start this interpreter again with what it is to have, if it has not.

    The program does not see the variables: it began without.

    Args:
        cpu: What the plan says of processors.

    Raises:
        CordError: This machine's processor is below the level.
    """
    was_seeded, was_held = _SEED in os.environ, _LEVEL in os.environ
    if was_seeded:
        Hidden.seed = os.environ.pop(_SEED)
        del os.environ["PYTHONHASHSEED"]
    if was_held:
        hide(os.environ.pop(_LEVEL))
    if was_seeded or was_held:
        return
    added = {**_seed(), **(_level() if cpu == "baseline" else {})}
    if not added:
        return
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()
    os.execve(sys.executable, sys.orig_argv, {**os.environ, **added})


def _seed() -> dict[str, str]:
    """The variables of a hash seed; none where there is one, or is to be none."""
    is_known = os.environ.get("PYTHONHASHSEED", "random") != "random"
    if is_known or sys.flags.ignore_environment or not sys.flags.hash_randomization:
        return {}
    seed = str(int.from_bytes(os.urandom(4), "little") or 1)
    return {"PYTHONHASHSEED": seed, _SEED: seed}


def _level() -> dict[str, str]:
    """The variables of a level; none where all are there."""
    from cord.engines.nodes import facts, level

    level.check(facts.flags())
    added = level.variables(os.environ)
    return {**added, _LEVEL: note(added, os.environ)} if added else {}


def note(added: Mapping[str, str], environment: Mapping[str, str]) -> str:
    """What `hide` is to be told: the variables that are added, and what they were."""
    return "\n".join(
        f"{name}={environment[name]}" if name in environment else name for name in added
    )


def hide(noted: str) -> None:
    """Let the program not see variables that libraries are still to read.

    Only `os.environ` forgets them. C code, and so what the program starts, goes on seeing them: it
    is to compute alike.

    Args:
        noted: What `note` gave.
    """
    shown = os.environ._data  # type: ignore[attr-defined]
    for line in noted.split("\n"):
        name, is_set, before = line.partition("=")
        if is_set:
            shown[os.environ.encodekey(name)] = os.environ.encodevalue(before)
        else:
            shown.pop(os.environ.encodekey(name), None)
