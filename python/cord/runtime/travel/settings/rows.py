"""What a row of the table of settings is."""

from __future__ import annotations

TYPE_CHECKING = False  # dataclasses and typing are not imported on the way to a first call
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


class Row:
    """A setting, or several that belong together, of one module.

    Attributes:
        name: What it is called where it travels; with a full stop in it, for rows of libraries.
        module: It is looked at where this module is loaded, and set where it is or when it will be.
        read: Gives its value, of what `marshal` writes; None where nothing is other than at first.
        write: Makes that value the process's; None: the one that it had at first.
        calls: The C functions that change it, as `posix.umask`: it is read if one was ever called.
            None for one whose changes are found in what `noticed` gives, or in context variables.
        noticed: Gives what is looked at to tell whether it has changed: lists, as `(names, name)`
            of a module's dict, dicts, classes of whose instances attributes are set, and contexts
            of decimals.
        is_of_thread: Each thread has its own.

    Args:
        name: See above.
        module: See above.
        read: See above.
        write: See above.
        calls: See above.
        noticed: See above.
        is_of_thread: See above.
    """

    __slots__ = ("calls", "is_of_thread", "module", "name", "noticed", "read", "write")

    def __init__(
        self,
        name: str,
        module: str,
        read: Callable[[], Any],
        write: Callable[[Any], None],
        *,
        calls: tuple[str, ...] = (),
        noticed: Callable[[], list[Any]] | None = None,
        is_of_thread: bool = False,
    ) -> None:
        self.name = name
        self.module = module
        self.read = read
        self.write = write
        self.calls = frozenset(calls)
        self.noticed = noticed
        self.is_of_thread = is_of_thread


class Untold(Exception):
    """A setting has changed, and cannot travel."""
