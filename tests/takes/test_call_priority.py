"""The priority of a call is told from plain values, and the program never notices."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from counted_run import Ran

from cord.runtime.client.priority import Priority

Run = Callable[..., Ran]


def ranked(text: str, function: Callable[..., object]) -> Priority:
    priority = Priority.of(text, "work.f", function)
    assert priority is not None
    return priority


def sample(a, b=2, /, *rest, c=3, **more): ...


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a", 10.0),
        ("a + b * c - 1 / 2", 15.5),
        ("len(rest) + len(more)", 0.0),
        ("-a if a > 5 else a", -10.0),
        ("max(a, b, c) - min(a, b) + abs(-3)", 11.0),
        ("1 < b < c and a", 10.0),
        ("a == 1 or b", 2.0),
        ("not a", 0.0),
        ("10 ** 400", float("inf")),
        ("-10 ** 400", float("-inf")),
        ("True", 1.0),
        ("a is None", 0.0),
        ("a not in rest", 1.0),
    ],
)
def test_expressions_over_the_parameters_and_their_defaults(text: str, value: float) -> None:
    assert ranked(text, sample)(10) == value


def test_all_kinds_of_parameters_are_bound_as_in_the_call() -> None:
    priority = ranked("a + b + len(rest) + c + more['d']", sample)
    assert priority(1, 10, 0, 0, c=100, d=1000) == 1113


def test_subscripts_and_stored_attributes() -> None:
    class Task:
        def __init__(self) -> None:
            self.size = 7

    def run(task, table): ...

    assert ranked("table['x'][-1] + len(table['x'][1:])", run)(None, {"x": [1, 2, 5]}) == 7.0


def test_a_function_without_the_parameters_has_no_priority() -> None:
    assert Priority.of("zzz", "work.f", sample) is None
    assert Priority.of("1", "work.f", len) is None


def test_a_decorated_function_has_its_own_parameters() -> None:
    import functools

    @functools.wraps(sample)
    def wrapper(*args, **kwargs): ...

    assert ranked("a", wrapper)(4) == 4.0


class Loud:
    def __len__(self) -> int:
        raise AssertionError("code of the program runs")

    size = property(__len__)


@pytest.mark.parametrize(
    ("text", "argument", "why"),
    [
        ("len(a)", 3, "TypeError: object of type 'int' has no len()"),
        ("1 / a", 0, "ZeroDivisionError"),
        ("a", "x", "TypeError: str is not a number"),
        ("a", None, "TypeError: NoneType is not a number"),
        ("a[3]", [1], "IndexError"),
        ("len(a)", Loud(), "it would run code of the program, or take too long"),
        ("a.size", Loud(), "it would run code of the program, or take too long"),
        ("a", Loud(), "TypeError: Loud is not a number"),
        ("2 ** a ** a ** a", 4, "it would run code of the program, or take too long"),
        ("2 ** 9 ** 9 ** 9", 0, "it would run code of the program, or take too long"),
        ("len('a' * a * 10 ** 10)", 7, "it would run code of the program, or take too long"),
        ("len('%01000000000d' % a)", 7, "it would run code of the program, or take too long"),
        ("len(a % 7)", b"%*d", "it would run code of the program, or take too long"),
        ("2 ** a", 10**30, "it would run code of the program, or take too long"),
    ],
)
def test_where_it_cannot_be_told_it_is_0_and_one_line_says_so(
    capfd: pytest.CaptureFixture[str], text: str, argument: object, why: str
) -> None:
    priority = ranked(text, sample)
    assert [priority(argument), priority(argument)] == [0.0, 0.0]
    said = capfd.readouterr().err
    assert said.count("\n") == 1
    assert said.startswith(f"cord: the priority of work.f is 0 where it cannot be told: {why}")


def test_numbers_of_a_thousand_digits_and_more_are_not_divided(
    capfd: pytest.CaptureFixture[str],
) -> None:
    assert ranked("a // 3 - a % 5", sample)(1 << 100_000) == 0.0
    assert "or take too long" in capfd.readouterr().err
    assert ranked("a // 3 - a % 5", sample)(1 << 10) == 1024 // 3 - 1024 % 5


def test_one_that_takes_long_is_told(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cord.runtime.client.priority.LONG", -1.0)  # as if it were
    priority = ranked("a", sample)
    assert [priority(1), priority(2)] == [1.0, 2.0]
    said = capfd.readouterr().err
    assert said.startswith("cord: the priority of work.f takes 0.0 s to be told")
    assert said.count("\n") == 1


def test_a_wrong_call_is_the_programs_affair(capfd: pytest.CaptureFixture[str]) -> None:
    assert ranked("a", sample)() == 0.0


def test_the_program_does_not_notice_that_it_raises(cord_run: Run) -> None:
    said = (
        "cord: the priority of work.f is 0 where it cannot be told: TypeError: object of type "
        "'int' has no len()\n"
    )
    work = "def f(x):\n    return x\n"
    ran = cord_run(
        "import work\nfor i in range(5):\n    print(work.f(i))\n",
        plan='priority = "len(x)"\n',
        stderr=said,
        work=work,
    )
    assert ran.lines == [str(i) for i in range(5)]
