"""The table at the end of a run, from plain data."""

from __future__ import annotations

import pytest

from cord.tools.report.stats import row_of
from cord.tools.report.table import Ended, bytes_text, time_text


def test_the_table_of_a_run() -> None:
    rows = [
        row_of(
            "a.py:3",
            "work.f(x)",
            "work.f",
            (18, 0, 0, 2, 0, 1),
            (30_000_000, 420_000_000, 21, 2048, 99, 0),
        ),
        row_of("work.g", "", "work.g", (0, 3, 1, 1, 4, 0), (5_000, 0, 0, 0, 0, 0)),
    ]
    busy = {"work": [1.0, 0.5]}
    fallen: list[tuple[str, int, int | None]] = [("work", 77, 9), ("work", 0, None)]
    guesses = {"coarse.f": (7, 2)}
    ended = Ended("a.py", 2.0, rows, busy, fallen, "a.py:3: in place.", guesses=guesses)
    assert ended.lines() == [
        "The calls of a.py, which ran for 2.00 s:",
        "  call               calls  ahead  in place  not sent  in vain    waited  service"
        "      each     sent  came",
        "  a.py:3  work.f(x)     20     18         2         0        1  30.00 ms   0.42 s"
        "  20.00 ms  2.0 KiB  99 B",
        "  work.g                 9      3         2         4        0    5.0 us      0 s"
        "         -      0 B   0 B",
        "The replicas were busy for 50 %, 25 % of the run: work.",
        "Guesses of coarse.f: 7 right, 2 wrong.",
        "Lost: a replica of work (process 77) was ended by SIGKILL, as when there is no memory "
        "left.",
        "Lost: a replica of work was gone.",
        "Advice: a.py:3: in place.",
    ]


def test_a_run_without_calls() -> None:
    told = Ended("a.py", 0.5, []).lines()
    assert told == [
        "The calls of a.py, which ran for 0.50 s:",
        "  No call of a remote function was sent to a replica.",
    ]


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0, "0 s"), (3e-6, "3.0 us"), (0.0123, "12.30 ms"), (2.5, "2.50 s"), (321, "321 s")],
)
def test_times(seconds: float, text: str) -> None:
    assert time_text(seconds) == text


@pytest.mark.parametrize(
    ("count", "text"), [(0, "0 B"), (1023, "1023 B"), (1536, "1.5 KiB"), (3 << 30, "3.0 GiB")]
)
def test_sizes(count: int, text: str) -> None:
    assert bytes_text(count) == text


def test_calls_that_kept_ones_have_answered_have_a_column() -> None:
    row = row_of("work.f", "", "work.f", (0, 0, 0, 5, 0, 0), (5_000, 0, 5, 0, 0, 4))
    heads, cells = (line.split() for line in Ended("a.py", 2.0, [row]).lines()[1:3])
    assert heads[-6:-4] == ["kept", "waited"]
    assert cells[6] == "4"
