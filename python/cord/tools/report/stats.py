"""`cord run --stats`: a table of the run's calls, when it has ended."""

from __future__ import annotations

import json
import os
import time
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from cord.errors import CordError
from cord.tools.explain.reasons import unseen
from cord.tools.explain.told import Report, where_copies_stop, why_no_copies
from cord.tools.report.table import Ended, Row

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cord.plan.model import Plan
    from cord.plan.program import Program
    from cord.runtime.client.session import Session
    from cord.tools.explain.claims import Claim
    from cord.tools.explain.reasons import Met, Tally

# Nanoseconds of the program and of replicas, calls with an outcome, bytes that went and came, calls
# that were answered by what was kept of others.
Sums = tuple[int, int, int, int, int, int]

_NANO = 1e-9
# So many calls of a place, and such a part of them, may be in place without a word: the first are.
_SEVERAL = 3
_OFTEN = 0.1
# For so much of its time the program must have waited for calls that copies might have had earlier.
_WAITED = 0.3
# Of so much of their service the program must have waited for calls that wait for others.
_HIDDEN = 0.8


class Stats(Report):
    """The calls of a run in numbers.

    Args:
        plan: The plan.
        program: The program.
        file: Where it is written as JSON; None to tell it on stderr.
        began: When the run began, as `time.monotonic` tells it; None for now.

    Raises:
        CordError: Nothing can be written there.
    """

    def __init__(
        self, plan: Plan, program: Program, file: str | None, began: float | None = None
    ) -> None:
        super().__init__(plan, program)
        self._began = time.monotonic() if began is None else began
        self._file = None if file is None else writable(file)

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
            row_of(claim.place, claim.call, claim.function, self.tally(claim), self._sums(claim))
            for claim in claims
        ]
        for name, (tally, _, sums) in session.tallies.items():
            if any(tally):
                rows.append(row_of(name, "", name, tally, sums))
        busy, fallen = session.at_end
        advice = self._advice(claims, session) if rows else self._where_none_is()
        copies = session.copies_told
        stop = where_copies_stop(copies)
        if stop is not None and sum(row.spent for row in rows) >= _WAITED * seconds:
            advice = f"{stop[0]}. remedy: {stop[1]}"
        threads = {name: one.threads for name, one in self._plan.remote.items()}
        guesses = {} if copies is None else copies["guesses"]
        return Ended(
            program=self.name,
            seconds=seconds,
            rows=rows,
            busy=busy,
            fallen=fallen,
            advice=advice,
            threads=threads,
            tended=session.tended,
            guesses=guesses,
            against=session.against,
            kept=session.kept,
        )

    def _sums(self, claim: Claim) -> Sums:
        return self.births.sums(*claim.site) if self.births is not None else (0,) * 6

    def _advice(self, claims: list[Claim], session: Session) -> str:
        """What keeps most of the program's waiting from being hidden, and what can be done."""
        advised = [
            (self._sums(claim)[0], partial(self._about_place, claim))
            for claim in claims
            if _is_worth_advice(self.tally(claim))
        ]
        advised += [
            (sums[0], partial(self._about_unseen, name, tally, reasons, session))
            for name, (tally, reasons, sums) in session.tallies.items()
            if _is_worth_advice(tally)
        ]
        told = [about for _, about in sorted(advised, key=lambda one: -one[0])]
        sums = [self._sums(claim) for claim in claims]
        if sum(one[0] for one in sums) >= _HIDDEN * sum(one[1] for one in sums):
            told += [partial(self._about_waits, claim) for claim in claims]
        return next((line for line in (about() for about in told) if line), "")

    def _about_place(self, claim: Claim) -> str:
        said = [line.strip() for line in self.reasons(claim)]
        at = next((at for at, line in enumerate(said) if line.startswith("in place")), None)
        if at is None:
            return ""
        after = said[at + 1 : at + 2]
        remedy = [line for line in after if line.startswith("remedy: ")]
        return " ".join([f"{claim.place}: {said[at]}", *remedy])

    def _about_waits(self, claim: Claim) -> str:
        """Calls that are ahead of the program, but need what others give first."""
        by_slice, by_copy, *_ = self.tally(claim)
        if not claim.waits or by_slice + by_copy < 2:
            return ""
        needs = " and ".join(claim.waits)
        return f"{claim.place}: ahead, but each waits for {needs}, so that hardly any run at once."

    def _about_unseen(self, name: str, tally: Tally, reasons: list[Met], session: Session) -> str:
        """Calls that a library makes, say: only copies of the program can be ahead of it there."""
        line = next(unseen(reasons, sum(tally[:-1])), "").strip()
        if not line:
            return ""
        copies = session.copies_told
        if not self._plan.copies:
            return f"{name}: {line} remedy: copies = true under [run]"
        if copies is not None and copies["made"] == 0:
            return f"{name}: {line} There was none, for {why_no_copies(copies)}."
        return f"{name}: {line}"

    def _where_none_is(self) -> str:
        """No remote function was called: where it might be that one would be."""
        for call in self.own_calls():
            if call.remedy is not None:
                return f"{call.place}: {call.reason}. remedy: {call.remedy}"
        return ""


def _is_worth_advice(tally: Tally) -> bool:
    """Whether calls were in place often enough for something to be the matter."""
    in_place, total = tally[3], sum(tally[:-1])
    return in_place > max(1, min(_SEVERAL, total // 2)) and in_place >= _OFTEN * total


def writable(file: str) -> str:
    """The file's absolute path: the program may go elsewhere.

    Raises:
        CordError: Nothing can be written there.
    """
    path = os.path.abspath(file)
    try:
        with open(path, "w", encoding="utf-8"):
            return path
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise CordError(
            f"--stats cannot write {file}: {reason}",
            "name a file in a folder that is there, and where you may write",
        ) from None


def row_of(place: str, call: str, function: str, tally: Tally, sums: Sums) -> Row:
    """What is known of the calls at one place, from what was counted and summed up there."""
    by_slice, by_copy, just_then, in_place, unsent, in_vain = tally
    spent, service, served, sent, came, kept = sums
    return Row(
        place=place,
        call=call,
        function=function,
        ahead=by_slice + by_copy,
        in_place=in_place + just_then,
        unsent=unsent,
        in_vain=in_vain,
        spent=spent * _NANO,
        service=service * _NANO,
        served=served,
        sent=sent,
        came=came,
        kept=kept,
    )
