"""`cord report FILE`: what was written down of a run, as text, as JSON, and as a page.

`cord trace --perfetto OUT FILE`: the same for other programs that show such things.
"""

from __future__ import annotations

import dataclasses
import json
import os
import sys
from typing import TYPE_CHECKING

from cord.errors import CordError
from cord.tools.trace.diagnosis import diagnose
from cord.tools.trace.facts import facts_of, with_gains
from cord.tools.trace.reading import Trace
from cord.tools.trace.text import lines_of

if TYPE_CHECKING:
    from typing import Any

    from cord.tools.trace.facts import Facts


def report(path: str, output: str | None, *, as_data: bool) -> int:
    """Tell of a run: text to stdout and a page, or JSON to stdout.

    Args:
        path: What `cord run --trace` has written.
        output: The page to write; None for one beside it.
        as_data: Whether only JSON is wanted; a page is written then where it is named.

    Returns:
        0.

    Raises:
        CordError: The trace cannot be read, or the page cannot be written.
    """
    trace = Trace.read(path)
    facts = with_gains(facts_of(trace), trace)
    if as_data:
        print(json.dumps(as_json(facts), indent=1))
    else:
        for line in lines_of(facts):
            print(line)
    if output is not None or not as_data:
        page = output if output is not None else f"{path}.html"
        from cord.tools.trace.page.render import rendered

        _write(page, rendered(facts))
        sys.stderr.write(f"cord: {os.path.abspath(page)} tells the same, and more, as a page\n")
    return 0


def as_json(facts: Facts) -> dict[str, Any]:
    """All facts but what is only drawn; times in seconds, but for `numbers`, in nanoseconds."""
    told = dataclasses.asdict(facts)
    told["findings"] = [dataclasses.asdict(one) for one in diagnose(facts)]
    lines = facts.critical_lines()
    told["path"] = [[*key, spent] for key, spent in facts.path.items()]
    told["own_lines"] = [[*line, spent] for line, spent in facts.own_lines.items()]
    told["critical_lines"] = [[*line, spent] for line, spent in lines.items()]
    told["gains"]["shorter"] = [
        {"place": place, "saved": saved} for place, saved in facts.gains.shorter.items()
    ]
    told["gains"]["more"] = [
        {"module": name, "replicas": many, "saved": saved}
        for name, (many, saved) in facts.gains.more.items()
    ]
    told["waits"] = [[*line, count] for line, count in facts.waits.items()]
    del told["sources"], told["numbers"]["timeline"], told["numbers"]["places"]
    return told


def _write(path: str, text: str) -> None:
    try:
        with open(path, "w", encoding="utf-8", errors="backslashreplace") as file:
            file.write(text)
    except OSError as error:
        raise CordError(f"{path} cannot be written: {error.strerror}") from None
