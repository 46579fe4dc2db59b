"""The world of a process: its environment, working directory and `sys.path`.

The client tells replicas what it has made of its own; a replica makes the same of its own before it
runs a call. The native module hears of changes (`world.rs`); what is here runs only after one.
"""

from __future__ import annotations

import marshal
import os
import sys

from cord._core import changed_variables, note_new_state

TYPE_CHECKING = False  # typing is not imported on the way to a first call
if TYPE_CHECKING:
    # Environment variables as C code has them; None: not set.
    Variables = list[tuple[bytes, bytes | None]]
    from collections.abc import Callable

    from cord.runtime.travel.settings import Change

    # Working directory, sys.path, os.environ, of C code's environment what was ever changed,
    # settings, and the state of the project's modules.
    Content = tuple[str, list[str], dict[bytes, bytes], Variables, dict[str, object], bytes]


# The environment variables of this process that are not the client's, and stay as they began.
_kept: set[bytes] = set()


def keep(names: list[str]) -> None:
    """Let environment variables of this process, and those forked from it, stay as they are."""
    _kept.update(map(os.fsencode, names))


# Where this is another interpreter than the client's: the entries of `sys.path` that are that one's
# own, and this one's.
_own: list[list[str]] = [[], []]


def is_another(theirs: list[str], ours: list[str]) -> None:
    """Have `sys.path` as the client has it, but for what belongs to the interpreter itself.

    Args:
        theirs: The entries that belong to the client's.
        ours: Those that belong to this one.
    """
    _own[:] = theirs, ours


def as_ours(path: list[str], theirs: list[str], ours: list[str]) -> list[str]:
    """A client's `sys.path` with the entries of this interpreter; see `is_another`."""
    if not any(entry in theirs for entry in path):
        return path
    first = min(path.index(entry) for entry in theirs if entry in path)
    kept = [entry for entry in path if entry not in theirs]
    before = [entry for entry in path[:first] if entry in kept]
    added = [entry for entry in ours if entry not in kept]
    return [*before, *added, *kept[len(before) :]]


def as_clients(path: list[str]) -> list[str]:
    """This process's `sys.path` as the client is to have it."""
    theirs, ours = _own
    return as_ours(path, ours, theirs) if theirs else path  # or it is the client's interpreter


def encode(
    changed: Variables, modules: bytes, is_at_start: bool = False, is_pure: bool = False
) -> tuple[bytes | str, bool]:
    """Encode the world of this process.

    Args:
        changed: The environment variables that were ever changed, as C code has them now.
        modules: The state of the project's modules.
        is_at_start: Whether environment, folder and `sys.path` are as they were at first.
        is_pure: For calls that can be made again: what replicas can hardly read is left out.

    Returns:
        The world, nothing for that in which replicas are started; or why it cannot travel. And
        whether it is the same for all calls.
    """
    from cord.runtime.travel import settings  # nothing needs it as long as nothing changes

    left_out = settings.left_out()
    try:
        values = settings.read(left_out if is_pure else None)
    except settings.Untold as exc:
        return str(exc), not left_out
    if is_at_start and not values and not modules:
        return b"", not left_out
    return marshal.dumps(_content(changed, values, modules)), not left_out


def _content(changed: Variables, values: dict[str, object], modules: bytes) -> Content:
    path = [str(entry) for entry in sys.path if isinstance(entry, str)]  # imports use no others
    return _folder(), path, shown_environment().copy(), changed, values, modules


def _folder() -> str:
    try:
        return os.getcwd()
    except OSError:  # it was deleted, but one can still be in it
        return _folder_of(os.getpid())


def _folder_of(process: int) -> str:
    return f"/proc/{process}/cwd"


def shown_environment() -> dict[bytes, bytes]:
    """What is behind os.environ and os.environb; to change it does not reach C code."""
    behind = getattr(os.environ, "_data", None)
    return behind if isinstance(behind, dict) else {}  # the program put something else there


class Surroundings:
    """The world of a replica, which follows the client's.

    Attributes:
        content: What was entered last.

    Args:
        client: Process id of the client.
        apply_modules: Makes the state of the project's modules the client's.
    """

    __slots__ = ("_apply_modules", "_before", "_client", "_start", "content")

    def __init__(
        self, client: int, apply_modules: Callable[[bytes], None] = lambda _state: None
    ) -> None:
        self._client = client
        self._apply_modules = apply_modules
        self._start = self.content = _content([], {}, b"")
        self._before: dict[bytes, bytes | None] = {}  # what was ever changed, as C code had it

    def enter(self, world: bytes) -> None:
        """Make the client's world that of this process.

        Args:
            world: What `encode` returned, or nothing for the world that the replica began in.

        Raises:
            OSError: The client's working directory cannot be entered.
        """
        content: Content = marshal.loads(world) if world else self._start
        self.content = content
        folder, path, environment, changed, values, modules = content
        sys.path[:] = as_ours(path, *_own)
        before = self._start[2]
        for name, _ in changed:
            self._before.setdefault(name, before.get(name))
        for name, value in {**self._before, **dict(changed)}.items():
            if name in _kept:
                continue
            if value is None:
                os.unsetenv(name)
            else:
                os.putenv(name, value)
        shown = shown_environment()
        shown.clear()
        shown.update(environment)
        for name in _kept:
            shown.pop(name, None)
            if name in before:
                shown[name] = before[name]
        try:
            os.chdir(folder)
        except OSError:  # deleted, or the client itself could not go there by its name any more
            os.chdir(_folder_of(self._client))
        _enter_settings(values)  # last: who may do less may not go there
        self._apply_modules(modules)
        note_new_state()  # what is other than before is no call's doing

    def now(self, changes: list[Change]) -> bytes | None:
        """Encode what a call has made of the world that was entered for it.

        Args:
            changes: The settings that it has changed.

        Returns:
            What `enter` takes in the replicas of other modules; None if it is that world still.

        Raises:
            Untold: Something that has changed cannot travel.
        """
        variables = [one for one in changed_variables() if one[0] not in _kept]
        if not changes and all(self._as_c_code_had(name) == text for name, text in variables):
            return None
        folder, path, environment, _, values, modules = self.content
        values = values.copy()
        for row, _, now in changes:
            if row.name == "folder":
                folder = now or _folder()
            elif row.name == "sys.path":
                path = as_clients(now)
            elif row.name == "environment":
                kept = {name: text for name, text in environment.items() if name in _kept}
                environment = {name: now[name] for name in now if name not in _kept} | kept
            elif not row.is_apart:
                value = row.told_value()
                values.pop(row.name, None)
                if value is not None:
                    values[row.name] = value
        return marshal.dumps((folder, path, environment, variables, values, modules))

    def _as_c_code_had(self, name: bytes) -> bytes | None:
        before = self._before.get(name, self._start[2].get(name))
        return dict(self.content[3]).get(name, before)


def _enter_settings(values: dict[str, object]) -> None:
    if values or "cord.runtime.travel.settings" in sys.modules:
        from cord.runtime.travel import settings

        settings.enter(values)


class VisitorsSurroundings(Surroundings):
    """The world of one program of several whose calls a process makes.

    Args:
        folder: The working directory that the program began in.
        path: Its `sys.path` then.
        environment: And its environment.
        client: Process id of who serves the program, and is in that folder.
        apply_modules: Makes the state of the project's modules the program's.
    """

    __slots__ = ()

    def __init__(
        self,
        folder: str,
        path: list[str],
        environment: dict[str, str],
        client: int,
        apply_modules: Callable[[bytes], None],
    ) -> None:
        encoded = {os.fsencode(name): os.fsencode(text) for name, text in environment.items()}
        self._client = client
        self._apply_modules = apply_modules
        self._start = self.content = folder, path, encoded, [], {}, b""
        self._before = {}

    def names(self) -> set[bytes]:
        """The environment variables that C code may find set."""
        return self._start[2].keys() | self._before.keys()

    def move_in(self, others: set[bytes]) -> set[bytes]:
        """Give C code the environment that the program began with; `enter` does the rest.

        Args:
            others: Names of variables that may be set.

        Returns:
            Those that may be set then.
        """
        for name in others - self._start[2].keys():
            os.unsetenv(name)
        for name, text in self._start[2].items():
            os.putenv(name, text)
        return self.names()
