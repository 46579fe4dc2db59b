"""`cord run --stats`: a table of the run's calls, when it has ended."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

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
    """

    def __init__(self, plan: Plan, program: Program) -> None:
        super().__init__(plan, program)
        self._began = time.monotonic()

    def lines(self, session: Session) -> Iterator[str]:
        """All that is told, line by line."""
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
        yield ""
        advice = self._advice(claims)
        yield from Ended(self.name, seconds, rows, busy, fallen, advice).lines()

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
