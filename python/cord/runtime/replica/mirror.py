"""The replica's side of what the main script defines: its `__main__` mirrors the program's.

Definitions stand before the arguments in the pickle of a call, so they are in place when classes
and functions are looked up by their names. The mirror is one namespace: the functions in it see
each other, and what they keep.
"""

from __future__ import annotations

import sys
from _pickle import Unpickler
from io import BytesIO

from cord._core import note_new_state
from cord.runtime.replica import modules
from cord.runtime.travel import arrivals

TYPE_CHECKING = False  # typing is not imported on the way to a first call
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Final

    from cord.runtime.replica.changes import Before

    Suspended = tuple[dict[str, object], int, Before | None]

# Versions that are kept decoded.
_MOST: Final = 8


class Version:
    """One version of the definitions, decoded.

    Attributes:
        names: What the names stand for.
        unbound: Names that stand for nothing.
        classes: The classes of the main script, each with its attributes, and what members hold.
        before: What there was before the last call whose changes were to go home.
        state: The state of modules that it holds for; None for any. What a module has under a name
            is its own object there, unless that held something else when this was decoded.
    """

    def __init__(self, encoded: Any) -> None:
        self.before: Before | None = None
        main = vars(sys.modules["__main__"])
        reader = Unpickler(BytesIO(encoded))
        self.names: dict[str, object] = {}
        strangers = arrivals.Made.strangers
        while (name := reader.load()) is not None:
            main[name] = self.names[name] = reader.load()
        self.state = None if strangers == arrivals.Made.strangers else modules.applied()
        self.unbound: tuple[str, ...] = reader.load()
        self.classes = [
            (value, dict(vars(value)), _held_by_members(value))
            for value in self.names.values()
            if isinstance(value, type) and value.__module__ == "__main__"
        ]

    def holds(self) -> bool:
        """Whether decoded now it would be the same."""
        return self.state is None or self.state == modules.applied()

    def put_in_place(self) -> None:
        """Make the mirror what the program was when this version was made."""
        main = vars(sys.modules["__main__"])
        main.update(self.names)
        for name in self.unbound:
            main.pop(name, None)
        for cls, attributes, members in self.classes:
            arrivals.drop_others(cls, attributes)
            for name, value in attributes.items():
                if vars(cls).get(name) is not value and name not in _NOT_SET:
                    setattr(cls, name, value)
            arrivals.give_members(cls, members)


def _held_by_members(cls: type) -> dict[str, dict[str, Any]]:
    if "_member_map_" not in vars(cls):
        return {}
    from cord.runtime.objects.classes import held_by_members  # few scripts need it

    return held_by_members(cls)


_NOT_SET = frozenset({"__dict__", "__weakref__"})


class Mirror:
    """What this process has of the main script.

    Attributes:
        versions: The versions that are kept, the youngest last.
        current: Number of the version that is in place.
        before: What there was before the call under way, if its changes are to go home.
        change: What puts a version in place where several calls run at once; None elsewhere.
    """

    __slots__ = ("before", "current", "versions")
    change: Callable[[int, Callable[[], None]], None] | None = None

    def __init__(self) -> None:
        self.versions: dict[int, Version] = {}
        self.current = 0
        self.before: Before | None = None


_mirror = Mirror()


def change_to(other: Mirror, aside: Mirror) -> None:
    """Calls of another program are made from here on.

    Args:
        other: Its mirror; `sys.modules` has its `__main__` already.
        aside: What is to hold what is in place now.
    """
    aside.versions, aside.current = _mirror.versions, _mirror.current
    _mirror.versions, _mirror.current, _mirror.before = other.versions, other.current, None


def define(number: int, encoded: Any) -> None:
    """Put a version of the definitions in place.

    Args:
        number: The version's number in the client.
        encoded: The version, encoded.
    """
    if Mirror.change is not None:
        Mirror.change(number, lambda: _put(number, encoded))
    elif number != _mirror.current or not _mirror.versions[number].holds():
        _put(number, encoded)


def _put(number: int, encoded: Any) -> None:
    versions = _mirror.versions
    version = versions.pop(number, None)
    if version is None or not version.holds():
        version = Version(encoded)
    versions[number] = version
    version.put_in_place()
    note_new_state()
    _mirror.current = number
    if len(versions) > _MOST:
        del versions[next(iter(versions))]


def version() -> int:
    """The number of the version that is in place; 0 for none."""
    return _mirror.current


def forget() -> None:
    """Know no version: another program's may have the same numbers."""
    _mirror.versions.clear()
    _mirror.current = 0


def overlay(encoded: bytes) -> None:
    """Put definitions in place that the state of modules needs, beside those of calls."""
    Version(encoded).put_in_place()
    _mirror.current = 0  # what is in place is no version by itself


def change_by(change: Callable[[int, Callable[[], None]], None]) -> None:
    """Have this change the version that is in place: other calls run at the same time.

    Args:
        change: Given the number of the version and what puts it in place, sees to it that it is.
    """
    Mirror.change = staticmethod(change)


def lend(number: int, encoded: Any) -> None:
    """Put a version in place for a call whose changes go home with its reply.

    Args:
        number: As for `define`.
        encoded: As for `define`.
    """
    from cord.runtime.replica.changes import Before

    define(number, encoded)
    version = _mirror.versions[number]
    if version.before is None or version.before.changes():
        names = [*version.names, *version.unbound]
        version.before = Before([name for name in names if name.isidentifier()])
    _mirror.before = version.before


def suspend() -> Suspended | None:
    """Put aside what the call under way has of the main script; another one is run meanwhile.

    Returns:
        What `resume` takes; None if there is nothing.
    """
    if not _mirror.current and _mirror.before is None:
        return None
    aside = dict(vars(sys.modules["__main__"])), _mirror.current, _mirror.before
    _mirror.before = None
    return aside


def resume(aside: Suspended | None) -> None:
    """Put back what `suspend` returned."""
    if aside is None:
        _mirror.before = None
        return
    names, _mirror.current, _mirror.before = aside
    main = vars(sys.modules["__main__"])
    main.clear()
    main.update(names)
    note_new_state()


def with_lent(names: list[str]) -> list[str]:
    """These names, and all that the call under way must take home: what it calls may change them.

    Args:
        names: Names that a call mentions which is made meanwhile.
    """
    lent = () if _mirror.before is None else _mirror.before.names
    return list(dict.fromkeys([*names, *lent]))


def is_lent() -> bool:
    """Whether the call under way must take its changes home."""
    return _mirror.before is not None


def take_home(head: bytes) -> bytes:
    """Put what the call has changed in front of its reply.

    Args:
        head: The encoded value or exception.

    Raises:
        Exception: A change cannot be encoded.
    """
    from cord.runtime.replica.changes import before_reply

    before, _mirror.before = _mirror.before, None
    changes = before.changes() if before is not None else []
    if not changes:
        return head
    # What was decoded is no longer what it was.
    _mirror.versions.clear()
    _mirror.current = 0
    return before_reply(head, changes)
