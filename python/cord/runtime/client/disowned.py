"""What a run says of functions whose calls the program had to make, for all that the plan says.

A call that changes what the program can see, or was about to, gives no reply that may be used. The
program makes it, and most calls of the function after it: its output is right, and it is slower
than the plan meant it to be.
"""

from __future__ import annotations

from cord import _core
from cord.runtime.travel.failures import named

# By the kind of a reason what to do, where cord check would not say it.
HINTS = {
    "different": "what depends on time, chance or the process is not pure; "
    "audit = false under [run] makes no call again"
}

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any


def against(functions: Iterable[_core.RemoteFunction]) -> list[dict[str, Any]]:
    """What a run has seen of functions that do not what the plan says of them.

    Returns:
        For each its name (`function`), `place`, of what `kind` the last reason was, that as a
        sentence about the function goes on (`text`), and how many `calls` the program has made.
    """
    found = []
    for function in functions:
        stayed = _core.stayed(function)
        if stayed is not None:
            made, _, kind, text = stayed
            original = _core.original_of(function)
            said = {"function": _name(original), "place": _place(original), "kind": kind}
            found.append({**said, "text": text, "calls": made})
    return found


def lines(functions: Iterable[_core.RemoteFunction]) -> list[str]:
    """What is to be said of a session's remote functions, a line for each of which that is so.

    What an earlier session of the process has said of a function is not said again.
    """
    found = against(functions)
    new = [one for one in found if one not in _said]
    _said[:] = found
    return [_line(**one) for one in new]


_said: list[dict[str, Any]] = []


def _line(function: str, place: str, kind: str, text: str, calls: int) -> str:
    where = f" ({place})" if place else ""
    hint = f"hint: {HINTS[kind]}" if kind in HINTS else 'see "cord check"'
    made = "1 call was" if calls == 1 else f"{calls:,} calls were"
    return f"{function} {text}{where}: {made} made in the program; {hint}"


def _name(original: Any) -> str:
    name = getattr(original, "__qualname__", None) or repr(original)
    module = getattr(original, "__module__", "__main__")
    return str(name) if module == "__main__" else f"{module}.{name}"


def _place(original: Any) -> str:
    """Where the function is defined; nothing where that is not known."""
    code = getattr(original, "__code__", None)
    if code is None:
        return ""
    return named(code.co_filename, code.co_firstlineno)
