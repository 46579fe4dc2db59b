"""The rest of a function, as it is run, and as copies hand it to one another.

To make one its function's text is read and compiled (`resuming.py`), which takes longer than all
that a copy does with it.
"""

from __future__ import annotations

import marshal
from types import FunctionType
from typing import TYPE_CHECKING

from cord import _core

from .remembered import sign_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import CodeType
    from typing import Any

# Names in the text that is made; they end so that no class has them for its own.
HELD = "_cord_held_{}__"
RESUMED = "_cord_resumed__"
MARK = "_cord_mark__"
RETURNED = "_cord_returned__"
LOST = "_cord_lost__"
UNKNOWN = "_cord_unknown__"  # what is raised if something is not known, and what may come of that
PASSES = "_cord_passes__"  # only the former
LOSE = "_cord_lose__"  # what an object is behind a call of its method that is passed by

# Where in a function it begins: a line or an instruction, and whether a call there has returned.
Place = tuple[int, bool]


class Rest:
    """The rest of a function from a line on, or from a call on that has returned.

    Attributes:
        code: It runs the rest.
        names: Variables that are not shared with other functions.
        first: The first of them, if that is an argument.
        called: By which name, and those of attributes, the function calls that has returned.
        holding: For each loop and `with` statement that is open, outermost first, whether it is
            a loop.
    """

    __slots__ = ("called", "code", "first", "holding", "names")

    def __init__(
        self,
        code: CodeType,
        names: list[str],
        first: list[str],
        called: list[str],
        holding: list[bool],
    ) -> None:
        self.code, self.names, self.first = code, names, first
        self.called, self.holding = called, holding

    def as_function(self, names: dict[str, Any], cells: dict[str, Any]) -> Callable[..., Any]:
        """It as something that can be called.

        Args:
            names: The module's names.
            cells: The variables that are shared with other functions, by their names.
        """
        closure = tuple(cells[name] for name in self.code.co_freevars)
        return FunctionType(self.code, names, RESUMED, None, closure)


def noted(code: CodeType, place: Place) -> tuple[Rest | None, bool]:
    """What a copy has made before: the rest, or None if it cannot be made; and whether one has."""
    found = _core.noted(_key(code, place))
    if found is None:
        return None, False
    parts = marshal.loads(found)
    return None if parts is None else Rest(*parts), True


def note(code: CodeType, place: Place, rest: Rest | None) -> None:
    """Tell other copies what was made, if anything could be."""
    parts = None
    if rest is not None:
        parts = rest.code, rest.names, rest.first, rest.called, rest.holding
    _core.note(_key(code, place), marshal.dumps(parts))


_hashes: dict[CodeType, bytes] = {}


def _key(code: CodeType, place: Place) -> bytes:
    if code not in _hashes:  # its constants are objects of the program's
        names = code.co_qualname, code.co_names, code.co_varnames
        where = code.co_filename, code.co_firstlineno
        _hashes[code] = sign_of(code.co_code, code.co_linetable, *names, *where)
    return _hashes[code] + repr(place).encode()
