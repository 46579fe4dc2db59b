"""What of two runs is compared, and how the first difference is shown."""

from __future__ import annotations

import pytest

from cord.tools.trials.differences import Difference, Shown, differences

PLAIN = Shown(b"one\ntwo\n", b"note\nValueError: x\n", 1, {"a.txt": b"1\n2\n"})


def changed(**parts) -> list[Difference]:
    fields = {name: getattr(PLAIN, name) for name in ("stdout", "stderr", "status", "files")}
    return differences(PLAIN, Shown(**{**fields, **parts}))


def test_equal_runs_have_none():
    assert changed() == []


def test_only_the_last_line_of_stderr_counts():
    assert changed(stderr=b"something else\nValueError: x\n\n") == []


@pytest.mark.parametrize(
    ("parts", "difference"),
    [
        ({"stdout": b"one\n2\n"}, ("stdout, line 2", "two", "2")),
        ({"stdout": b"one\n"}, ("stdout, line 2", "two", "(ends before this line)")),
        ({"stdout": b"one\ntwo"}, ("stdout, line 2", "two", "two (without a line end)")),
        ({"stdout": b"one\n\ntwo\n"}, ("stdout, line 2", "two", "(nothing)")),
        ({"stdout": b"one\n\xff\x1b\n"}, ("stdout, line 2", "two", "\\\\xff\\x1b")),
        ({"status": 0}, ("exit status", "1", "0")),
        ({"stderr": b""}, ("the last line of stderr", "ValueError: x", "(nothing)")),
        ({"files": {}}, ("the file a.txt", "is there", "is not there")),
        ({"files": {"a.txt": b"1\n3\n"}}, ("the file a.txt, line 2", "2", "3")),
    ],
)
def test_the_first_place_is_shown(parts, difference):
    assert changed(**parts) == [Difference(*difference)]


def test_each_kind_is_shown_and_long_lines_are_cut():
    found = changed(stdout=b"x" * 500, status=-9, files={"b": b""})
    assert [one.where for one in found] == [
        "stdout, line 1",
        "exit status",
        "the file a.txt",
        "the file b",
    ]
    assert len(found[0].cord) < 200


def test_what_a_run_says_of_itself_is_no_difference():
    said = b"oh\ncord: work.f changes work.n (work.py:3): 3 calls were made in the program\n"
    assert differences(Shown(b"", b"oh\n", 0), Shown(b"", said, 0)) == []
