"""What ``cord explain`` claims of values that are received late is what a run then does.

Where the text shows that nobody can tell, a value is put off at run time too, unless what the local
work starts from turns out to run code of the program's own.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from claims_lab import CORPUS, SEMANTICS, SHAPES, Case, claims, lay_out, run_received
from program_case import read_cases

from cord.tools.explain.command import sentences

LATE = [case for case in CORPUS if case.name.startswith("late/")]
LATE += read_cases(SEMANTICS / "beside")
# Claimed to be received late, and waited for at once: what is looked at is not as it should be.
REFUSED = {
    "late/interrupted": {"signals have handlers of the program's own": {34}},
    "late/objects_with_code_of_their_own": {
        "operators, properties and iterators run code of the program's own": {68, 72, 89, 93},
        "a name stands for something else": {102, 110},
    },
    "late/state_that_others_hold": {
        "what it changes or looks into has code of its own": {122, 128, 134},
    },
    "late/what_is_appended_to_is_no_list": {"what the value is added to is a list": {32}},
    "late/words_that_are_broken_late": {
        "the arguments lead to what the local work reads": {20, 27, 34, 43},
    },
    "late/work_that_prints_nothing": {"a debugger looks on": {65, 67}},
}


@pytest.mark.parametrize("case", LATE, ids=lambda case: case.name)
def test_a_run_receives_as_is_claimed(case: Case, tmp_path: Path) -> None:
    there = tmp_path / "program"
    there.mkdir()
    environment = lay_out(case, there)
    claimed = {claim.site: claim for claim in claims(there)}
    received = run_received(case, there, environment)
    assert received, "nothing in it is received late"
    refused = set().union(*REFUSED.get(case.name, {}).values())
    for site, counted in received.items():
        line = claimed[site].line
        assert claimed[site].late, f"line {line} is received late, which is not claimed"
        assert not counted.refused or line in refused, f"line {line}: {counted}"


def test_what_is_said(tmp_path: Path) -> None:
    case = next(case for case in SHAPES if case.name == "programs/work_beside")
    lay_out(case, tmp_path)
    said = {
        claim.line: [one for one in sentences(claim) if "received" in one or "remedy" in one]
        for claim in claims(tmp_path)
    }
    assert said == {
        18: ["its value is received late, before line 20."],
        23: ["its value is received late, before line 25."],
        29: [
            "its value is received at once, though work follows: line 30: noisy() may have effects "
            "(line 10: print() may have an effect).",
            "remedy: let noisy() do nothing but compute its value",
        ],
        32: [],
        36: [],
        37: [],
    }
