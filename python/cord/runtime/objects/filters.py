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


class _Module:
    """Matches names of Cord's modules, which stand above the remote function, and perhaps others.

    Args:
        own: What else it matches, as a filter has it; it is equal to that.
    """

    __slots__ = ("own",)
    pattern = "cord[.]"
    flags = 0

    def __init__(self, own: Any = None) -> None:
        self.own = own

    def match(self, name: str) -> bool:
        """Whether this is one."""
        if self.own is None or name.startswith("cord."):
            return name.startswith("cord.")
        return bool(self.own == name if isinstance(self.own, str) else self.own.match(name))

    def __eq__(self, other: object) -> bool:
        own = other.own if isinstance(other, _Module) else other
        return self is other or (own is not None and bool(self.own == own))

    def __hash__(self) -> int:
        return hash(self.own)

    def __reduce__(self) -> tuple[Any, ...]:
        return _Module, (self.own,)


_of_cord: Final = _Module()


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
        is_held = own in (*COUNTED, "always", "all")
        matched = module
        if module is not None and is_held:  # perhaps that of a caller, which is not known here
            matched = _Module(module)
        elif module is not None:
            made.append((held, message, category, _of_cord, line))
        made.append((held if is_held else own, message, category, matched, line))
    return made


def plain(held: Iterable[Filter]) -> list[Filter]:
    """The filters as plain Python has them, from what `filters` returned.

    Args:
        held: Filters of a replica.
    """
    return [
        (
            one[0].action if isinstance(one[0], Held) else one[0],
            *one[1:3],
            one[3].own if isinstance(one[3], _Module) else one[3],
            one[4],
        )
        for one in held
        if not isinstance(one[3], _Module) or one[3].own is not None
    ]
