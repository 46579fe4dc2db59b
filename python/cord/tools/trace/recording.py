"""`cord run --trace FILE`: the run is written down, natively, while it goes on.

What is known of it before stands at the file's begin, what is known when it has ended at its end,
both as JSON (docs/trace.md).
"""

from __future__ import annotations

import json
import os
import sys
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from cord import _core
from cord.errors import CordError
from cord.tools.explain.reasons import unseen
from cord.tools.explain.told import Report
from cord.tools.replicas import counted

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from cord.plan.model import Plan
    from cord.plan.program import Program
    from cord.runtime.births.births import Births
    from cord.runtime.client.session import Session
    from cord.tools.report.stats import Sums

# Every so many seconds it is looked where the program is.
EVERY = 0.01
# Texts of more bytes than this are not kept in the file.
_LONGEST = 1 << 20


class Recording(Report):
    """A run that is written down.

    Args:
        plan: The plan.
        program: The program.
        path: The file to write; what it held is gone.
        args: The program's own arguments.
        settings: What was set on the command line.
        variant: The variant of the plan.

    Raises:
        CordError: The file cannot be written.
    """

    def __init__(
        self,
        plan: Plan,
        program: Program,
        path: str,
        args: list[str],
        settings: list[str],
        variant: str,
    ) -> None:
        super().__init__(plan, program)
        self.path = os.path.abspath(path)
        head = {
            "program": program.path,
            "module": program.module,
            "args": args,
            "folder": self._folder,
            "plan": {
                "path": os.path.abspath(plan.path),
                "text": _text_of(plan.path),
                "settings": settings,
                "variant": variant,
            },
            "engine": plan.engine.kind,
            "modules": [
                {
                    "name": remote.module,
                    "replicas": remote.replicas,
                    "threads": remote.threads,
                    "pure": remote.is_pure,
                }
                for remote in plan.remote.values()
            ],
            "cores": len(os.sched_getaffinity(0)),
            "python": sys.version.split()[0],
            "began": time.time(),
        }
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC
        try:
            file = os.open(self.path, flags, 0o666)
            self.trace: _core.Trace = _core.Trace(file, json.dumps(head))
        except OSError as error:
            raise CordError(
                f"the trace {path} cannot be written: {error.strerror or error}",
                "name a file in a folder that is there, and where you may write",
            ) from None

    def follow(self, session: Session, births: Births | None) -> None:
        """The run has this session, and these scouts if its files could be read."""
        super().follow(session, births)
        if births is not None:
            self.trace.watch(EVERY, [self._program.folder.rstrip(os.sep) + os.sep])

    def tell(self) -> None:
        """Write what is known at the end. Nothing in a forked child of the program's."""
        if os.getpid() != self._process or self._session is None:
            return
        seconds = self.trace.now * 1e-9
        lines, waits = self.trace.seen()
        places = [*self._sites(), *self._functions(self._session)]
        busy, fallen = self._session.at_end
        end = {
            "seconds": seconds,
            "places": places,
            "every": EVERY,
            "lines": lines,
            "waits": waits,
            "copies": self._session.copies_told,
            "busy": busy,
            "fallen": fallen,
            "sources": self._sources(places, lines + waits),
        }
        try:
            self.trace.end(json.dumps(end))
        except OSError as error:
            words = f"cord: the trace {self.path} could not be written: {error.strerror or error}\n"
            with suppress(OSError):
                os.write(2, words.encode(errors="backslashreplace"))

    def _sites(self) -> Iterator[dict[str, Any]]:
        """The calls that the text shows, as far as the program came to them."""
        if self.births is None:
            return
        for claim in self.claims():
            number, tally = self.births.place(*claim.site), self.tally(claim)
            if not number and not any(tally):
                continue
            yield {
                "place": number,
                "file": claim.file,
                "lines": [claim.line, claim.last],
                "call": claim.call,
                "remote": claim.is_remote,
                "verdict": claim.verdict,
                "reason": claim.reason,
                "remedy": claim.remedy,
                "tally": tally,
                "sums": self.births.sums(*claim.site),
                "told": [
                    *(line.strip() for line in self.reasons(claim)),
                    *_kept(self.births.sums(*claim.site)),
                ],
            }

    def _functions(self, session: Session) -> Iterator[dict[str, Any]]:
        """The functions whose calls the text does not show."""
        for name, (tally, reasons, sums) in session.tallies.items():
            if any(tally):
                told = [line.strip() for line in unseen(reasons, sum(tally[:-1]))]
                yield _function(name, session.places[name], tally, sums, [*told, *_kept(sums)])

    def _sources(self, places: list[Any], lines: list[tuple[str, int, int]]) -> dict[str, str]:
        """The texts of the files that are spoken of."""
        files = {one["file"] for one in places if one["file"]} | {file for file, _, _ in lines}
        files.add(os.path.join(self._folder, self._program.path))
        texts = {file: _text_of(os.path.join(self._folder, file)) for file in files}
        return {file: text for file, text in texts.items() if text is not None}


def _function(
    name: str, place: int, tally: tuple[int, ...], sums: Sums, told: list[str]
) -> dict[str, Any]:
    return {
        "place": place,
        "file": None,
        "lines": None,
        "call": name,
        "remote": True,
        "verdict": None,
        "reason": None,
        "remedy": None,
        "tally": tally,
        "sums": sums,
        "told": told,
    }


def _kept(sums: Sums) -> Iterator[str]:
    """How many calls of a place were not made."""
    if kept := sums[-1]:
        yield f"{counted(kept, 'call')} answered by what was kept of others."


def _text_of(path: str) -> str | None:
    """What a file holds; None if it cannot be read, or is very long."""
    with suppress(OSError, UnicodeDecodeError, ValueError):
        if os.path.getsize(path) <= _LONGEST:
            with open(path, encoding="utf-8") as file:
                return file.read()
    return None
