"""Lines for people: with colours on a terminal, as they are anywhere else.

NO_COLOR and FORCE_COLOR say otherwise, and TERM=dumb; rich knows of them.
"""

from __future__ import annotations

import os
import re
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

# What is coloured where a line begins so, or, for levels, behind the place that it begins with.
_STYLES = (
    (re.compile(r"^cord: "), "red"),
    (re.compile(r"^(\S+: )?(?P<mark>error:)"), "red"),
    (re.compile(r"^(\S+: )?(?P<mark>warning:)"), "yellow"),
    (re.compile(r"^! .{16}"), "yellow"),
    (re.compile(r"^\s*hint:"), "cyan"),
)


def show(lines: Iterable[str], *, on_stderr: bool = False) -> None:
    """Write lines to stdout or stderr.

    Args:
        lines: The lines, without their ends.
        on_stderr: Where they go.
    """
    stream = sys.stderr if on_stderr else sys.stdout
    if not (stream.isatty() or "FORCE_COLOR" in os.environ):
        for line in lines:  # rich is not needed, and has an opinion on pipes that break
            print(line, file=stream)
        return
    from rich.console import Console
    from rich.text import Text

    console = Console(stderr=on_stderr, soft_wrap=True, highlight=False)
    for line in lines:
        text = Text(line)
        for pattern, style in _STYLES:
            found = pattern.search(line)
            if found is not None:
                text.stylize(style, *found.span("mark" if found.re.groups else 0))
        console.print(text)
