"""`cord run --stats`: a table of the run's calls, when it has ended."""

from __future__ import annotations

import json
import os
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from cord.errors import CordError
from cord.tools.explain.told import Report
from cord.tools.report.table import Ended, Row

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cord.plan.model import Plan
    from cord.plan.program import Program
    from cord.runtime.client.session import Session
    from cord.tools.explain.claims import Claim
    from cord.tools.explain.reasons import Tally

# Nanoseconds of the program and of replicas, calls with an outcome, bytes that went and came.
Sums = tuple[int, int, int, int, int]

_NANO = 1e-9


class Stats(Report):
    """The calls of a run in numbers.

    Args:
        plan: The plan.
        program: The program.
        file: Where it is written as JSON; None to tell it on stderr.

    Raises:
        CordError: Nothing can be written there.
    """

    def __init__(self, plan: Plan, program: Program, file: str | None) -> None:
        super().__init__(plan, program)
        self._began = time.monotonic()
        self._file = None if file is None else _writable(file)

    def lines(self, session: Session) -> Iterator[str]:
        """All that is told, line by line."""
        yield ""
        yield from self._ended(session).lines()

    def write(self, session: Session) -> bool:
        """Write it to a file, if that is where it goes; whether it was."""
        if self._file is None:
            return False
        with suppress(OSError), open(self._file, "w", encoding="utf-8") as file:
            json.dump(self._ended(session).as_json(), file, indent=2)
            file.write("\n")
        return True

    def _ended(self, session: Session) -> Ended:
        seconds = time.monotonic() - self._began
        claims = [claim for claim in self.claims() if claim.is_remote and any(self.tally(claim))]
        rows = [
            row_of(claim.place, claim.call, self.tally(claim), self._sums(claim))
            for claim in claims
        ]
        for name, (tally, _, sums) in session.tallies.items():
            if any(tally):
                rows.append(row_of(name, "", tally, sums))
        busy, fallen = session.at_end
        return Ended(self.name, seconds, rows, busy, fallen, self._advice(claims))

    def _sums(self, claim: Claim) -> Sums:
        return self.births.sums(*claim.site) if self.births is not None else (0,) * 5

    def _advice(self, claims: list[Claim]) -> str:
        """What keeps most of the program's waiting from being hidden, and what can be done."""
        in_place = [claim for claim in claims if self.tally(claim)[3] > 1]
        for claim in sorted(in_place, key=lambda claim: -self._sums(claim)[0]):
            said = [line.strip() for line in self.reasons(claim)]
            at = next((at for at, line in enumerate(said) if line.startswith("in place")), None)
            if at is None:
                continue
            after = said[at + 1 : at + 2]
            remedy = [line for line in after if line.startswith("remedy: ")]
            return " ".join([f"{claim.place}: {said[at]}", *remedy])
        return ""


def _writable(file: str) -> str:
    """The file's absolute path: the program may go elsewhere."""
    path = os.path.abspath(file)
    try:
        with open(path, "w", encoding="utf-8"):
            return path
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise CordError(f"--stats cannot write {file}: {reason}") from None


def row_of(place: str, call: str, tally: Tally, sums: Sums) -> Row:
    """What is known of the calls at one place, from what was counted and summed up there."""
    by_slice, by_copy, just_then, in_place, unsent, in_vain = tally
    spent, service, served, sent, came = sums
    return Row(
        place=place,
        call=call,
        ahead=by_slice + by_copy,
        in_place=in_place + just_then,
        unsent=unsent,
        in_vain=in_vain,
        spent=spent * _NANO,
        service=service * _NANO,
        served=served,
        sent=sent,
        came=came,
    )
