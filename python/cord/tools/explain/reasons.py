"""Why calls of a run were not ahead, in words: what guards and scouts have told."""

from __future__ import annotations

import ast
import linecache
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cord.tools.explain.claims import AHEAD
from cord.tools.explain.command import sentences
from cord.tools.explain.wording import called

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cord.tools.explain.claims import Claim

# So many reasons are told of one call.
MOST_REASONS = 5
WIDTH = 96
# What one call at the beginning or end of a loop tells says nothing of the others.
_COMMON = ("First", "Passed", "Ended", "Behind", "Waits", "Full", "Copied", "Inlined")
# Reasons that are those of the text, where that has some.
_OF_THE_TEXT = ("First", "Passed", "Ended")
# What the user may declare free of effects, and how `[assume]` names it.
_DECLARED = ("Function", "Method", "Attribute")

# Ahead by a slice, ahead by a copy, just then, in place, not sent, and issued in vain.
Tally = tuple[int, int, int, int, int, int]
# Name, words, what it is about, an example, the place in the program's text, and how often.
Met = tuple[str, str, str, str, "tuple[str, tuple[int, int], tuple[int, int]] | None", int]


@dataclass(frozen=True, slots=True)
class Told:
    """What is told of one call beside its counts.

    Attributes:
        reasons: Why it was made in place, the most frequent first.
        distance: How many calls scouts were ahead as a rule, and at most; None if they never were.
    """

    reasons: list[Met]
    distance: tuple[int, int] | None

    def lines(self, claim: Claim, tally: Tally, script: str) -> Iterator[str]:
        """What is told of a call, in words.

        Args:
            claim: What the text tells of it.
            tally: How often it was made, and how it was answered.
            script: What `[assume]` calls the main script.
        """
        if self.distance is not None:
            usual, most = self.distance
            yield f"  ahead by {_calls(usual)} as a rule, by {_calls(most)} at most."
        total, in_place = sum(tally[:-1]), tally[3]
        seldom = 1 if claim.is_remote else total  # what a helper calls tells of itself
        by_text, met = 0, self.reasons
        if claim.verdict != AHEAD:
            met = [one for one in met if one[0] not in _OF_THE_TEXT]
            by_text = in_place - sum(one[-1] for one in met)
        met = [one for one in met if one[0] not in _COMMON or one[-1] > seldom]
        if by_text > seldom:
            yield f"  in place {by_text} of {total} times, as the text tells: {claim.reason}."
            if claim.remedy is not None:
                yield f"    remedy: {claim.remedy}"
        for one in met[:MOST_REASONS]:
            yield from _reason(one, claim, total, script)
        more = sum(one[-1] for one in met[MOST_REASONS:])
        if more:
            yield f"  in place {more} of {total} times for other reasons."
        if met and by_text <= seldom:
            yield _cut(f"  the text alone tells: {sentences(claim)[0]}")


def unseen(reasons: list[Met], total: int) -> Iterator[str]:
    """Why calls were in place that the text does not show."""
    for _, words, *_, count in reasons:
        if count > 1:
            yield f"  in place {count} of {total} times, because {words}."


def _calls(count: int) -> str:
    return f"{count} call{'' if count == 1 else 's'}"


def _reason(met: Met, claim: Claim, total: int, script: str) -> Iterator[str]:
    name, words, of, example, place, count = met
    because = words.replace("__main__.", "")
    if name == "Passed" and claim.passed:
        because = f"{because} ({claim.passed})"
    first = "at first " if count > 1 else ""
    for_example = f" ({first}{example})" if example else ""
    where = "" if place is None else _where(place, claim)
    yield f"  in place {count} of {total} times, because {because}{for_example}{where}."
    if name == "Resumed":
        yield "    remedy: make a list of it before the loop"
    if name in _DECLARED and of.replace(".", "").isidentifier():
        what = called(of.replace("__main__.", f"{script}."))
        if what is not None:
            yield f"    remedy: {what}"


def _where(place: tuple[str, tuple[int, int], tuple[int, int]], claim: Claim) -> str:
    """Where the scout stood, as the program writes it."""
    file, (line, _), _ = place
    short = os.path.basename(file)
    own = claim.place.rpartition(":")[0]
    at = f"line {line}" if short == own else f"{short}:{line}"
    text = _written(place)
    return f": {text} at {at}" if text else f", at {at}"


def _written(place: tuple[str, tuple[int, int], tuple[int, int]]) -> str:
    """An operation as the program writes it, if that is known and short."""
    file, (first, last), (begin, end) = place
    if not end:
        return ""
    lines = [line.encode() for line in linecache.getlines(file)[first - 1 : last]]
    if len(lines) <= last - first:
        return ""
    lines[-1] = lines[-1][:end]
    lines[0] = lines[0][begin:]
    try:
        text = ast.unparse(ast.parse(b"".join(lines).decode().strip(), mode="eval"))
    except (SyntaxError, ValueError, RecursionError):
        return ""
    return text if len(text) <= WIDTH // 2 else ""


def _cut(line: str) -> str:
    return line if len(line) <= WIDTH else f"{line[: WIDTH - 3]}..."
