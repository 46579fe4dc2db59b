"""Filters of warnings as replicas have them: nothing is lost by them that a program may show.

What a program's filters turn into errors is raised in the function, what they ignore is gone.
Anything else the program shows, or not: it counts for each line what was shown. So in a replica
each such filter has the action "always", and knows which one it stands for.
"""

from __future__ import annotations

TYPE_CHECKING = False  # typing is not imported on the way to a first call
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any, Final

    # As `warnings` has them: action, message, category, module, line.
    Filter = tuple[Any, Any, type[Warning], Any, int]

# The actions that depend on what was shown before.
COUNTED: Final = ("default", "module", "once")


class Held(str):
    """An action that stands for another one: to C code it is "always", to all else the other.

    Attributes:
        action: The other one.
        is_program_s: Whether the program has this filter, too.
    """

    __slots__ = ("action", "is_program_s")

    action: str
    is_program_s: bool

    def __new__(cls, action: str, *, is_program_s: bool) -> Held:
        """Make it."""
        self = super().__new__(cls, "always")
        self.action = action
        self.is_program_s = is_program_s
        return self

    def __eq__(self, other: object) -> bool:
        return self.action == (other.action if isinstance(other, Held) else other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(self.action)

    def __str__(self) -> str:
        return self.action

    def __repr__(self) -> str:
        return repr(self.action)

    def __reduce__(self) -> tuple[Any, ...]:
        return str, (self.action,)


class _OfCord:
    """Matches names of Cord's modules, which stand above the remote function."""

    pattern = "cord[.]"
    flags = 0

    def match(self, name: str) -> bool:
        """Whether this is one."""
        return name.startswith("cord.")

    def __reduce__(self) -> str:
        return "_of_cord"


_of_cord: Final = _OfCord()


def filters(program_s: Iterable[Filter]) -> list[Filter]:
    """What the program's filters are in a replica.

    Args:
        program_s: The program's own, or what this has returned of them.

    Returns:
        Filters by which nothing is lost that the program may show.
    """
    made: list[Filter] = []
    for own, message, category, module, line in plain(program_s):
        held = Held(own, is_program_s=True)
        if module is not None:  # perhaps that of a caller, which is not known here
            made.append((held, message, category, _of_cord, line))
        action = held if own in (*COUNTED, "always", "all") else own
        made.append((action, message, category, module, line))
    return made


def plain(held: Iterable[Filter]) -> list[Filter]:
    """The filters as plain Python has them, from what `filters` returned.

    Args:
        held: Filters of a replica.
    """
    return [
        (one[0].action if isinstance(one[0], Held) else one[0], *one[1:])
        for one in held
        if one[3] is not _of_cord
    ]
