"""What a run says of functions whose calls the program had to make, for all that the plan says.

A call that changes what the program can see, or was about to, gives no reply that may be used. The
program makes it, and most calls of the function after it: its output is right, and it is slower
than the plan meant it to be.
"""

from __future__ import annotations

import os

from cord import _core

# By the kind of a reason what to do, where cord check would not say it.
_HINTS = {
    "different": "hint: what depends on time, chance or the process is not pure; "
    "audit = false under [run] makes no call again"
}

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any


def lines(functions: Iterable[_core.RemoteFunction]) -> list[str]:
    """What is to be said of a run's remote functions, a line for each of which that is so."""
    said = []
    for function in functions:
        stayed = _core.stayed(function)
        if stayed is not None:
            made, _, kind, text = stayed
            said.append(_line(_core.original_of(function), made, kind, text))
    return said


def _line(original: Any, made: int, kind: str, text: str) -> str:
    hint = _HINTS.get(kind, 'see "cord check"')
    return f"{_name(original)} {text}{_place(original)}: {_calls(made)} made in the program; {hint}"


def _calls(made: int) -> str:
    return "1 call was" if made == 1 else f"{made:,} calls were"


def _name(original: Any) -> str:
    name = getattr(original, "__qualname__", None) or repr(original)
    module = getattr(original, "__module__", "__main__")
    return str(name) if module == "__main__" else f"{module}.{name}"


def _place(original: Any) -> str:
    """Where the function is defined, in brackets; nothing where that is not known."""
    code = getattr(original, "__code__", None)
    if code is None:
        return ""
    return f" ({os.path.basename(code.co_filename)}:{code.co_firstlineno})"
