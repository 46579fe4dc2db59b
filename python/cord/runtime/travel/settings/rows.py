"""What a row of the table of settings is."""

from __future__ import annotations

TYPE_CHECKING = False  # dataclasses and typing are not imported on the way to a first call
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


class Kept:
    """Sets a setting, or lets it come back to what it was before any call or world has changed it.

    Args:
        read: Gives its value.
        write: Makes that value the process's.
    """

    __slots__ = ("_first", "_read", "_write")

    def __init__(self, read: Callable[[], Any], write: Callable[[Any], None]) -> None:
        self._read = read
        self._write = write
        self._first: list[Any] = []

    def note(self, value: Any) -> None:
        """It has this value now: that is the first one, if none was noted."""
        if not self._first:
            self._first.append(value)

    def begin(self) -> None:
        """Nothing has changed it yet, unless that was noted before."""
        if not self._first:
            self.note(self._read())

    def __call__(self, value: Any) -> None:
        """Make this value the process's; None: the first one."""
        self.begin()
        self._write(self._first[0] if value is None else value)


class Row:
    """A setting, or several that belong together, of one module.

    Attributes:
        name: What it is called where it travels; with a full stop in it, for rows of libraries.
        module: It is looked at where this module is loaded, and set where it is or when it will be.
        read: Gives its value, of what `marshal` writes; None where nothing is other than at first.
        write: Makes that value the process's; None: the one that it had at first. None for what
            cannot be set: it is only looked at.
        calls: The C functions that change it, as `posix.umask`: it is read if one was ever called.
            None for one whose changes are found in what `noticed` gives, or in context variables.
        noticed: Gives what is looked at to tell whether it has changed: lists, as `(names, name)`
            of a module's dict, dicts, classes of whose instances attributes are set, and contexts
            of decimals.
        is_of_thread: Each thread has its own.
        told: What a call does that changes it, as a sentence about its function goes on.
        whole: Gives all that can change of it, where `read` leaves out what is as at first.
        put: Sets those parts of it, of a dict by their keys, that a call has changed; None for a
            part that is gone.
        is_apart: It does not go to replicas with the others of the table.
        comes_with_modules: Modules set it for themselves when they are loaded, there and here.
        left_out: Gives what pure calls need not be told, for `read` to leave out.
    """

    def __init__(
        self,
        name: str,
        module: str,
        read: Callable[..., Any],
        write: Callable[[Any], None] | None,
        *,
        calls: tuple[str, ...] = (),
        noticed: Callable[[], list[Any]] | None = None,
        is_of_thread: bool = False,
        told: str | Callable[[Any, Any], str] = "",
        whole: Callable[[], Any] | None = None,
        put: Callable[[dict[Any, Any]], None] | None = None,
        is_apart: bool = False,
        comes_with_modules: bool = False,
        left_out: Callable[[], frozenset[str]] | None = None,
    ) -> None:
        self.name = name
        self.module = module
        self.read = read
        self.write = write
        self.calls = frozenset(calls)
        self.noticed = noticed
        self.is_of_thread = is_of_thread
        self.told = told if callable(told) else _saying(told or name)
        self.whole = whole or read
        self.put = put
        self.is_apart = is_apart
        self.comes_with_modules = comes_with_modules
        self.left_out = left_out

    def told_value(self, left_out: frozenset[str] | None = None) -> Any:
        """What `read` gives.

        Args:
            left_out: What to leave out.

        Raises:
            Untold: It cannot travel.
        """
        try:
            return self.read(left_out) if left_out else self.read()
        except Exception as exc:
            raise Untold(str(exc) or f"{self.name}: {type(exc).__name__}") from exc


def _saying(what: str) -> Callable[[Any, Any], str]:
    return lambda _before, _now: f"changes {what}"


class Untold(Exception):
    """A setting has changed, and cannot travel."""
