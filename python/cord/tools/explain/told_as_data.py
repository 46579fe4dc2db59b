"""`cord explain --run --json`: how the calls of a run were made, as one line of JSON on stderr."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from cord.tools.explain.reasons import unseen
from cord.tools.explain.told import Report

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from cord.runtime.client.session import Session
    from cord.tools.explain.claims import Claim
    from cord.tools.explain.reasons import Tally

_HOW = ("by_slice", "by_copy", "just_then", "in_place", "not_sent", "in_vain")


class ReportAsData(Report):
    """The same facts as `Report` tells, for programs to read."""

    def lines(self, session: Session) -> Iterator[str]:
        """One line: stdout is the program's, and so is what stands on stderr before."""
        yield json.dumps(
            {
                "program": self.name,
                "plan": self._plan.path,
                "calls": [self._call(claim) for claim in self.claims()],
                "functions": [
                    {
                        "function": name,
                        **_tallied(tally),
                        "told": _told(unseen(reasons, sum(tally[:-1]))),
                    }
                    for name, (tally, reasons, _) in session.tallies.items()
                    if any(tally)
                ],
                "copies": session.copies_told if self._plan.copies else None,
            }
        )

    def _call(self, claim: Claim) -> dict[str, Any]:
        return {
            "place": claim.place,
            "call": claim.call,
            "remote": claim.is_remote,
            **_tallied(self.tally(claim)),
            "told": _told(self.reasons(claim)),
            "verdict": claim.verdict,
            "reason": claim.reason,
            "remedy": claim.remedy,
        }


def _tallied(tally: Tally) -> dict[str, int]:
    return {"calls": sum(tally[:-1]), **dict(zip(_HOW, tally, strict=True))}


def _told(lines: Iterator[str]) -> list[str]:
    return [line.strip() for line in lines]
