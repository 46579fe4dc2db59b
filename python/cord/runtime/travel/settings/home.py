"""What a call that is not pure leaves changed of settings and random numbers comes home.

It goes with the reply, and is made here when the reply is read (`travel/pieces.py`).
"""

from __future__ import annotations

import marshal
import sys
from _pickle import loads  # a replica that starts loads no more than it needs
from contextlib import suppress

from cord import _core
from cord.runtime.travel.settings import rows_of, write
from cord.runtime.travel.settings.randoms import write_random

TYPE_CHECKING = False  # typing is not imported on the way to a first call
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from cord.runtime.travel.settings import Change
    from cord.runtime.travel.settings.randoms import Randoms
    from cord.runtime.travel.settings.rows import Row

    # The module, the class in it if it is one's, the name, and its value, pickled: empty if it
    # stands for nothing now, None for what cannot travel.
    Name = tuple[str, str, str, bytes | None]

_MODULES = {"random": "random", "numpy": "numpy.random"}


def encoded(
    changes: list[Change],
    randoms: Randoms,
    names: list[Name],
    as_theirs: Callable[[list[str]], list[str]],
) -> bytes:
    """Encode changes.

    Args:
        changes: The settings that a call has changed.
        randoms: The states of shared random numbers that it has set.
        names: What it has bound in modules and classes of libraries.
        as_theirs: Turns this process's `sys.path` into the client's.

    Returns:
        What `come_home` reads; nothing if there is nothing that can be set there.
    """
    found = {}
    for row, before, now in changes:
        if row.put is not None and type(before) is type(now) is dict:
            both: list[Any] = _parts(before, now)
        elif row.name == "sys.path":
            both = [as_theirs(before), as_theirs(now)]
        elif row.write is not None:
            both = [before, now]
        else:
            continue
        with suppress(ValueError):
            marshal.dumps(both)
            found[row.name] = both
    return marshal.dumps((found, randoms, names)) if found or randoms or names else b""


def _parts(before: dict[Any, Any], now: dict[Any, Any]) -> list[Any]:
    """What differs in two dicts; None for what is in one of them only."""
    names = [name for name in {**before, **now} if before.get(name) != now.get(name)]
    return [{name: one.get(name) for name in names} for one in (before, now)]


def come_home(encoded: bytes) -> None:
    """Change here what a call has changed in its replica.

    Args:
        encoded: What the function of that name has returned.

    Raises:
        StateConflict: Another thread has changed the same meanwhile.
        EncodeError: It has bound something in a library that cannot travel.
    """
    changes, randoms, names = marshal.loads(encoded)
    rows = [row for row in rows_of(changes) if row.name in changes]
    if not _core.is_in_world_of_call():
        for row in rows:
            changes[row.name] = _compared(row, *changes[row.name])
    for row in rows:
        now = changes[row.name][1]
        _came[row.name] = {**_came.get(row.name, {}), **now} if row.put is not None else now
        if row.put is not None and row.module in sys.modules:
            row.put(now)
        elif row.write is not None:
            write(row, {row.name: now})
    for name in randoms:
        with suppress(ImportError):
            __import__(_MODULES[name])
    write_random(randoms)
    for one in names:
        _bind(*one)


def _bind(home: str, label: str, name: str, value: bytes | None) -> None:
    """Bind a name in a module or class of a library, or unbind it."""
    owner = sys.modules.get(home) or __import__(home, fromlist=["*"])
    for part in filter(None, label.split(".")):
        owner = getattr(owner, part)
    if value is None:
        from cord.errors import EncodeError

        raise EncodeError(
            f"a remote call changes {'.'.join(filter(None, (home, label, name)))}, "
            "and what that is now cannot come home",
            "change it in the program, not in a remote function",
        )
    if value:
        now = loads(value)
        setattr(owner, name, _core.original_of(now) if type(now) is _core.RemoteFunction else now)
    elif hasattr(owner, name):
        delattr(owner, name)


# What came home last: the calls of an `independent` function come home one after the other, though
# all may have begun before.
_came: dict[str, Any] = {}


def _compared(row: Row, before: Any, after: Any) -> list[Any]:
    """What a call has changed, if that is here as it was before the call, or is after it.

    Raises:
        StateConflict: It is something else.
    """
    if row.module not in sys.modules:
        return [before, after]
    here, came = row.whole(), _came.get(row.name)
    if row.put is not None:
        come = came or {}
        others = [
            name
            for name in after
            if here.get(name) not in (before[name], after[name], come.get(name, before[name]))
        ]
        if not others:
            return [before, after]
    elif here in (before, after):
        return [before, after]
    elif here == came:
        is_longer = type(after) is list and after[: len(before)] == before
        return [before, here + after[len(before) :] if is_longer else after]
    from cord.errors import StateConflict

    raise StateConflict(
        f"a remote call {row.told(before, after)}, and so did others while it ran",
        "let threads not change the same settings, or guard them by a lock",
    )
