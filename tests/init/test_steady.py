"""What of a program's output is compared, where it does not show the same twice."""

from __future__ import annotations

from cord.tools.init.steady import Steady, in_numbers_alone
from cord.tools.trials.differences import Difference, Shown, differences


def shown(stdout: str, stderr: str = "", **files: str) -> Shown:
    return Shown(
        stdout.encode(), stderr.encode(), 0, {name: text.encode() for name, text in files.items()}
    )


def test_a_time_is_left_out_and_nothing_else() -> None:
    steady = Steady()
    first = shown("7 found\ntook  0.51 s\n", "done in 3 ms\n", log="12:30:01 ok\n")
    again = shown("7 found\ntook 11.02 s\n", "done in 14 ms\n", log="12:31:59 ok\n")
    assert steady.learn(first, again) == []
    later = shown("7 found\ntook 3 s\n", "done in 5 ms\n", log="23:00:00 ok\n")
    wrong = shown("8 found\ntook 3 s\n", "done in 5 ms\n", log="23:00:00 ok\n")
    assert differences(steady.masked(first), steady.masked(later)) == []
    (one,) = differences(steady.masked(first), steady.masked(wrong))
    assert one.where == "stdout, line 1"
    assert steady.lines() == 3


def test_addresses_are_left_out() -> None:
    assert Steady().learn(shown("<f at 0x7fb8ba342c00>"), shown("<f at 0x7f1dc26ce700>")) == []


def test_what_differs_in_words_is_told() -> None:
    assert [one.where for one in Steady().learn(shown("a\n"), shown("b\n"))] == ["stdout, line 1"]
    assert Steady().learn(shown("1\n"), shown("1\n2\n"))
    assert Steady().learn(shown("", log="a"), shown(""))


def test_what_cord_says_itself_is_no_difference() -> None:
    steady = Steady()
    plain, cord = shown("", "last\n"), shown("", "last\ncord: 3 findings speak against it\n")
    assert differences(steady.masked(plain), steady.masked(cord)) == []


def test_differences_in_numbers_alone() -> None:
    assert in_numbers_alone(Difference("stdout, line 1", "took 0:00:02", "took 0:00:01"))
    assert not in_numbers_alone(Difference("stdout, line 1", "took 2 s", "done 2 s"))
