"""What ``cord explain`` claims of a call is what a run then does.

Every program of the corpus is explained, and run with its calls counted. A call that is claimed to
be made in place is never answered by a scout. One that is claimed to be made ahead is in the
programs that show one thing each, unless a guard told of an object that it was refused; elsewhere
only a run tells what is walked, changed or sent.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from claims_lab import CORPUS, SHAPES, Answers, Case, Claim, claims, lay_out, lets_scouts_run, run

from cord.tools.explain.claims import AHEAD, IN_PLACE
from sampling import sample

# So often a program is run before a claim counts as broken: a busy machine leaves scouts no time,
# and where calls raise, chance decides how many more a scout has made by then.
TRIES = 8
# How often a call must have been made before a scout is expected: the first time it is born.
OFTEN = 3

MARK = re.compile(r"  # ((?:ahead|waits|in place)(?:, (?:ahead|waits|in place))*)$")
# Claimed to be ahead, and made in place: what only a run shows of these.
EXCEPTIONS = {
    "programs/file_lines": {5},  # what is walked is an iterator
    "programs/stdin": {6},
    "programs/handler_calls": {7},  # the exception comes from a remote call
}


def broken(case: Case, folder: Path) -> list[str]:
    """The claims of a program that its runs do not keep, in words."""
    answers: dict[tuple[str, int], Answers] = {}
    unkept: list[Claim] = []
    for number in range(TRIES):
        there = folder / str(number)
        environment = lay_out(case, there)
        unkept = [one for one in claims(there) if case in SHAPES or one.verdict == IN_PLACE]
        if "told" in case.options or not lets_scouts_run(there):  # the program makes the calls
            return []
        for site, answer in run(case, there, environment).items():
            answers[site] = answer.plus(answers.get(site))
        unkept = [
            claim
            for claim in unkept
            if claim.site in answers
            and not is_kept(claim, answers[claim.site], OFTEN * (number + 1))
            and claim.line not in EXCEPTIONS.get(case.name, ())
        ]
        if all(claim.verdict == IN_PLACE for claim in unkept):
            break
    return [f"{one.place}: {one.call} is {one.verdict}: {answers[one.site]}" for one in unkept]


@pytest.mark.parametrize("case", sample(CORPUS, 12, of="claims"), ids=lambda case: case.name)
def test_a_run_does_what_is_claimed(case: Case, tmp_path: Path) -> None:
    found = broken(case, tmp_path)
    assert not found, "\n".join(found)


def is_kept(claim: Claim, answer: Answers, often: int) -> bool:
    """Whether runs kept what was claimed of a call, if it was made often enough to tell."""
    if claim.verdict == IN_PLACE:
        return answer.ahead + answer.just_then == 0
    if sum(answer[:3]) < often or answer.refused > 0:
        return True
    return answer.ahead > 0 or (bool(claim.waits) and answer.just_then > 0)


@pytest.mark.parametrize("case", SHAPES, ids=lambda case: case.name)
def test_the_shapes_say_what_is_claimed(case: Case, tmp_path: Path) -> None:
    """Lines of the shapes end in what is claimed of their calls, from left to right."""
    lay_out(case, tmp_path)
    found: dict[str, list[str]] = {}
    for claim in claims(tmp_path):
        found.setdefault(claim.place, []).append(verdict(claim))
    assert found == marked(case)


def verdict(claim: Claim) -> str:
    """The word for a claim in the shapes."""
    if claim.verdict == AHEAD:
        return "waits" if claim.waits else "ahead"
    return "in place"


def marked(case: Case) -> dict[str, list[str]]:
    """What the lines of a shape say of their calls."""
    return {
        f"{name}:{number}": mark[1].split(", ")
        for name, text in case.files.items()
        for number, line in enumerate(text.splitlines(), 1)
        if (mark := MARK.search(line))
    }
