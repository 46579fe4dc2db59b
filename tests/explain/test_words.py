"""What ``cord explain`` prints of some of the programs, word for word."""

from __future__ import annotations

from pathlib import Path

import pytest
from claims_lab import SHAPES, claims, lay_out

from cord.tools.explain.command import sentences
from cord.tools.explain.wording import called

SAID = {
    "chains": [
        "ahead: through the loop at line 3, then the rest of the program.",
        "ahead: through the loop at line 3, then the rest of the program.",
        "its result goes straight to f() at line 4.",
    ],
    "fold": [
        "ahead but waits for the call of the turn before: through the loop at line 4, then the "
        "rest of the program.",
        "its result comes to the program: line 6 reads x as well.",
    ],
    "file_lines": [
        "ahead: through the loop at line 4, then the rest of the program.",
    ],
    "unknown_library": [
        "in place: line 6: shlex.quote may have effects or depend on more than its arguments.",
        'remedy: [assume] pure = ["shlex.quote"] in cord.toml, if it has no effects',
    ],
    "input": [
        "in place: line 4: input may have effects or depend on more than its arguments.",
        "remedy: call input before the loop, and keep what it gives",
    ],
    "iterator_by_hand": [
        "in place: line 5: next may have effects or depend on more than its arguments.",
        "remedy: walk it with a for loop",
    ],
    "callstyle_sync": [
        'in place: its callstyle is "sync".',
        'remedy: callstyle = "async" in [remote.work]',
    ],
    "callstyle_of_a_client": [
        'in place: its callstyle is "sync".',
        'remedy: callstyle = "async" in [client.main.remote.work]',
        "in place: the program enters report() by itself; scouts start inside.",
        "ahead: through the loop at line 5, then the rest of report() and its callers.",
    ],
    "global_changed": [
        "ahead: through the loop at line 11, then the rest of the program.",
    ],
    "helper_levels": [
        "ahead: from its callers (line 9), then the rest of cell() and its callers.",
        "ahead: a scout goes into cell(), through the loop at line 9, then the rest of row() and "
        "its callers.",
        "ahead: a scout goes into row(), through the loop at line 13, then the rest of table() and "
        "its callers.",
        "in place: the program enters table() by itself; scouts start inside.",
    ],
    "resident": [
        "ahead: through the loop at line 5, then the rest of the program.",
        "replicas keep rows: for each call, large arrays are looked at through the kernel's page "
        "table, and compared where that is not possible; what is no array is pickled; bytes and "
        "text cost nothing.",
        "ahead: through the loop at line 5, then the rest of the program.",
    ],
    "while_true_break": [
        "ahead: through the loop at line 4, then the rest of the program.",
        "assumes that the exit at line 6 is not taken, unless the loop's history says so.",
    ],
}


@pytest.mark.parametrize("name", SAID)
def test_what_is_said(name: str, tmp_path: Path) -> None:
    case = next(case for case in SHAPES if case.name == f"programs/{name}")
    lay_out(case, tmp_path)
    said = [sentence for claim in claims(tmp_path) for sentence in sentences(claim)]
    assert said == SAID[name]


@pytest.mark.parametrize("method", [".write_bytes", ".mkdir", ".append", ".shuffle"])
def test_a_method_that_changes_something_is_not_proposed_as_pure(method: str) -> None:
    assert called(method) is None
    assert "[assume] pure" in (called(".frobnicate") or "")
