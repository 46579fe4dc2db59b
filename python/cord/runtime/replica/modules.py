"""The state of the project's modules in a replica, which follows the program's."""

from __future__ import annotations

import marshal

TYPE_CHECKING = False  # typing is not imported on the way to a first call
if TYPE_CHECKING:
    from cord.runtime.replica.patches import Patches


class _State:
    """What was applied last, and what has become of it."""

    __slots__ = ("applied", "patches")

    def __init__(self) -> None:
        self.applied = b""
        self.patches: Patches | None = None


_state = _State()


def applied() -> bytes:
    """What was applied last; nothing: what the import left."""
    return _state.applied


def apply(state: bytes) -> None:
    """Make the state of the project's modules the same as in the program.

    Args:
        state: What `cord.runtime.client.modules.state` returned; nothing: what the import left.
    """
    if state == _state.applied:
        return
    if _state.patches is None:
        from cord.runtime.replica.patches import Patches  # most programs change nothing

        _state.patches = Patches()
    again, definitions, serials, items = marshal.loads(state) if state else ({}, b"", {}, b"")
    _state.patches.become(again, definitions, serials, items)
    _state.applied = state


def is_reloaded(name: str) -> None:
    """A module was executed once more: nothing of what was applied to it is left."""
    if _state.patches is not None:
        _state.patches.forget(name)
        _state.applied = b"?"
