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
        (function.seconds, function)
        for function in functions
        if words.get(function.full) == verdicts.ASKS
        and function.calls >= _FEWEST
        and not (function.owner and function.module == "__main__")  # no plan can name it
    ]
    taken, function = max(asked, key=lambda one: one[0], default=(0.0, None))
    if function is None or seconds < _SECONDS or taken < _SHARE * seconds:
        return ""
    name = f"{script if function.module == '__main__' else function.module}.{function.name}"
    what = ["-m", program.module] if program.module is not None else [program.name]
    again = shlex.join(["cord", "run", "--repeatable", name, *what, *args])
    return (
        f"{name} took {min(1, taken / seconds):.0%} of {seconds:.1f} s with the network; "
        f"if it does no harm to call it early, again, or in vain: {again}"
    )
