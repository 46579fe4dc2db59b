"""What a run without a plan says at its end, in a line: which word would make it faster."""

from __future__ import annotations

import shlex

from cord.tools.unplanned import verdicts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Final

    from cord.plan.program import Program
    from cord.tools.unplanned.watch import Function

# So many seconds, such a part of the run, and so many calls must be at stake.
_SECONDS: Final = 2.0
_SHARE: Final = 0.3
_FEWEST: Final = 3
# What has taken so much of what another one has taken may stand for it.
_NEAR: Final = 0.8


def line(
    program: Program,
    args: list[str],
    script: str,
    seconds: float,
    functions: list[Function],
    words: Mapping[str, str],
) -> str:
    """The line; empty for none.

    Args:
        program: The program.
        args: Its own arguments.
        script: What plans call the main script.
        seconds: How long it took.
        functions: Its functions.
        words: What becomes of them, by their full names.
    """
    asked = [
        (function.seconds, function, does)
        for function in functions
        if (does := _does(function, words.get(function.full, verdicts.MAY_NOT)))
        and function.calls >= _FEWEST
        and not (function.owner and function.module == "__main__")  # no plan can name it
    ]
    most = max((one[0] for one in asked), default=0.0)
    if seconds < _SECONDS or most < _SHARE * seconds:
        return ""
    # of those that call one another the innermost: it is what waits
    near = [one for one in asked if one[0] >= _NEAR * most]
    taken, function, does = max(near, key=lambda one: one[1].depth)
    name = f"{script if function.module == '__main__' else function.module}.{function.name}"
    what = ["-m", program.module] if program.module is not None else [program.name]
    again = shlex.join(["cord", "run", "--repeatable", name, *what, *args])
    return (
        f"{name} took {min(1, taken / seconds):.0%} of {seconds:.1f} s, and {does}; "
        f"if it does no harm to call it early, again, or in vain: {again}"
    )


def _does(function: Function, word: str) -> str:
    """What speaks against calling a function ahead, if that is for the user to say."""
    if word in (verdicts.MAY, verdicts.HELD):  # it could not be made remote
        return "waits" if function.waits else ""
    return "" if word == verdicts.MAY_NOT else word
