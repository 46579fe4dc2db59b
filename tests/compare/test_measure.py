"""Who runs when, what is kept of each run, and what the times say; nothing is run for it."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterator

from rich.console import Console

from cord.tools.compare.measure import Measured, Way, measure, turns
from cord.tools.compare.progress import Lines
from cord.tools.compare.results import as_json, doubts, figures, remarks, table
from cord.tools.trials.differences import Shown


class Diary:
    """Notes what it is told of the measurement."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def begins(self, number: int, name: str) -> None:
        self.lines.append(f"{number} {name}")

    def ended(self, number: int, name: str, seconds: float) -> None:
        self.lines[-1] += f" {seconds}"


def shown(
    text: str = "out\n", seconds: float = 1.0, status: int = 0, others: float | None = 0.25
) -> Shown:
    said = b"noise\nlast: line\n" if status else b""
    return Shown(text.encode(), said, status, {}, seconds, 2 * seconds, others)


def way(name: str, replicas: int | None, *runs: Shown) -> Way:
    """A way whose runs are these, one after the other."""
    return Way(name, replicas, iter(runs).__next__)


def measured(*ways: Way, repeat: int) -> list[Measured]:
    return measure(list(ways), repeat, Diary())


def names(count: int, repeat: int) -> Iterator[str]:
    nothing: Callable[[], Shown] = shown
    ways = [Way("pabc"[at], 1, nothing) for at in range(count)]
    return (f"{number}{one.name}" for number, one in turns(ways, repeat))


def test_runs_take_turns_and_each_round_begins_with_another():
    assert " ".join(names(3, 4)) == "1p 1a 1b 2a 2b 2p 3b 3p 3a 4p 4a 4b"
    assert " ".join(names(2, 3)) == "1p 1a 2a 2p 3p 3a"


def test_every_run_is_told_of():
    diary = Diary()
    fast = way("fast", 2, shown(seconds=0.5), shown(seconds=0.4))
    measure([way("plain", None, shown(), shown(seconds=2.0)), fast], 2, diary)
    assert diary.lines == ["1 plain 1.0", "1 fast 0.5", "2 fast 0.4", "2 plain 2.0"]


def test_the_median_leaves_a_disturbed_run_out():
    slow = [shown(seconds=seconds) for seconds in (9.0, 1.0, 1.25)]
    (one,) = measured(way("plain", None, *slow), repeat=3)
    assert (one.seconds, one.median) == ([9.0, 1.0, 1.25], 1.25)


def test_speed_up_is_by_plain_python_and_efficiency_by_replica():
    plain, fast = measured(
        way("plain", None, shown(seconds=8.0)), way("fast", 4, shown(seconds=2.5)), repeat=1
    )
    figure = figures(fast, plain)
    assert (figure.median, figure.speedup, figure.efficiency, figure.ratio) == (
        2.5,
        3.2,
        0.8,
        0.3125,
    )
    assert figures(plain, plain).efficiency is None


def test_runs_are_compared_to_the_first_plain_one():
    plain, same, other = measured(
        way("plain", None, shown(), shown()),
        way("same", 1, shown(), shown()),
        way("other", 1, shown(), shown("off\n")),
        repeat=2,
    )
    assert plain.unlike == same.unlike == []
    ((number, found),) = other.unlike
    assert number == 2
    assert [(one.where, one.plain, one.cord) for one in found] == [("stdout, line 1", "out", "off")]


def drawn(*ways: Way, repeat: int = 1) -> str:
    file = io.StringIO()
    Console(file=file, width=200).print(table(measured(*ways, repeat=repeat)))
    return "\n".join(line.rstrip() for line in file.getvalue().splitlines())


def test_the_table():
    assert drawn(
        way("plain", None, shown(seconds=8.806), shown(seconds=8.806)),
        way("cord.toml", 2, shown(seconds=5.004), shown(seconds=5.204)),
        way("wide", 16, shown("?\n", seconds=14.0, others=None), shown(seconds=14.0, others=None)),
        repeat=2,
    ) == (
        "           replicas   median  processor  others  speed-up  efficiency  ratio to plain"
        "          95 %  output\n"
        "plain             -   8.81 s    17.61 s     0.2      1.00           -            1.00"
        "             -\n"
        "cord.toml         2   5.10 s    10.21 s     0.2      1.73        0.86            0.58"
        "  0.45 to 0.74  same\n"
        "wide             16  14.00 s    28.00 s       -      0.63        0.04            1.59"
        "  1.59 to 1.59  differs"
    )


def test_short_times_have_three_decimals():
    text = drawn(way("plain", None, shown(seconds=1.5)), way("a", 1, shown(seconds=0.0125)))
    assert "1.500 s" in text
    assert "0.013 s" in text or "0.012 s" in text


def said(*ways: Way, repeat: int = 1) -> list[str]:
    return [line for line in remarks(measured(*ways, repeat=repeat)) if line]


def test_nothing_more_is_said_of_runs_that_are_alike():
    assert said(way("plain", None, shown()), way("a", 1, shown())) == []


def test_a_program_that_fails_is_compared_all_the_same():
    runs = way("plain", None, shown(status=3)), way("a", 1, shown(status=3))
    assert said(*runs) == ["In plain Python the program ends with exit status 3: last: line"]


def test_what_differs_is_shown_for_the_first_run_that_does():
    assert said(
        way("plain", None, shown(), shown(), shown()),
        way("a", 1, shown(), shown("one\n"), shown("two\n")),
        repeat=3,
    ) == [
        "a: not the same as plain in 2 of 3 runs:",
        "stdout, line 1:",
        "  plain:      out",
        "  a, round 2: one",
    ]


def test_a_program_that_never_gives_the_same_twice():
    assert said(way("plain", None, shown("1\n"), shown("2\n")), repeat=2) == [
        "The plain program itself does not give the same each time:",
        "stdout, line 1:",
        "  first:          1",
        "  plain, round 2: 2",
        "That depends on the clock, on chance or on something outside.",
    ]


def test_everything_for_programs_to_read():
    data = as_json(
        measured(
            way("plain", None, shown(seconds=2.0), shown(seconds=4.0)),
            way("a", 2, shown(seconds=1.0), shown("off\n", seconds=2.0)),
            repeat=2,
        )
    )
    assert json.loads(json.dumps(data)) == {
        "plain": {
            "replicas": None,
            "seconds": [2.0, 4.0],
            "processor_seconds": [4.0, 8.0],
            "median": 3.0,
            "speedup": 1.0,
            "efficiency": None,
            "ratio": 1.0,
            "interval": None,
            "processor": 6.0,
            "others": 0.25,
            "noise": None,
            "exit_status": 0,
            "same": True,
            "differences": [],
        },
        "variants": [
            {
                "name": "a",
                "replicas": 2,
                "seconds": [1.0, 2.0],
                "processor_seconds": [2.0, 4.0],
                "median": 1.5,
                "speedup": 2.0,
                "efficiency": 1.0,
                "ratio": 0.5,
                "interval": [0.5, 0.5],
                "processor": 3.0,
                "others": 0.25,
                "noise": False,
                "exit_status": 0,
                "same": False,
                "differences": [
                    {"round": 2, "where": "stdout, line 1", "plain": "out", "here": "off"}
                ],
            }
        ],
    }


def test_without_a_terminal_each_run_is_a_line_on_stderr():
    stream = io.StringIO()
    ways = [way("plain", None, shown(), shown()), way("a", 1, shown(), shown(seconds=0.0625))]
    measure(ways, 2, Lines(2, stream))
    assert stream.getvalue() == (
        "round 1 of 2: plain 1.000 s\nround 1 of 2: a 1.000 s\n"
        "round 2 of 2: a 0.062 s\nround 2 of 2: plain 1.000 s\n"
    )


def test_replicas_that_are_not_counted_before_a_run():
    text = drawn(way("plain", None, shown()), way("auto", None, shown()))
    assert [line.split()[-1] for line in text.splitlines()[1:]] == ["-", "same"]


def timed(*times: list[float], others: float = 0.0) -> list[Measured]:
    """Ways with these times: plain Python, then a, b, ..."""
    runs = [[shown(seconds=second, others=others) for second in one] for one in times]
    named = zip(("plain", "a", "b"), runs, strict=False)
    return measured(*(way(name, 1, *one) for name, one in named), repeat=len(times[0]))


NOISE = "Within the noise of these rounds: "
MORE = "More rounds (--repeat) tell smaller differences."


def test_differences_within_the_noise_are_named():
    steady, half, other = [2.0, 2.1, 1.9, 2.0], [1.0, 1.05, 0.95, 1.0], [1.02, 1.03, 0.99, 1.0]
    near = [2.05, 2.0, 1.95, 2.0]
    assert doubts(timed(steady, half), 2) == []
    assert doubts(timed(steady, near), 2) == ["", f"{NOISE}a beside plain.", MORE]
    assert doubts(timed(steady, half, near), 2) == ["", f"{NOISE}b beside plain.", MORE]
    assert doubts(timed(steady, half, other), 2) == [
        "",
        f"{NOISE}b beside a, the fastest.",
        MORE,
    ]


def test_one_round_tells_nothing_of_noise():
    (_, line) = doubts(timed([2.0], [1.0]), 2)
    assert line == "One round tells nothing of noise: a small difference may be none."


def test_a_busy_machine_is_told():
    (_, line) = doubts(timed([2.0, 2.0], [1.0, 1.0], others=0.75), 2)
    assert line.startswith("Other programs kept 0.8 cores of this machine busy on average")
    assert doubts(timed([2.0, 2.0], [1.0, 1.0], others=0.5), 2) == []
