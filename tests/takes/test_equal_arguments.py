"""Equal arguments: a take uses what the scout issued where the same would travel.

In each row the scout issues ``call`` with the guess; then, unseen by it, ``change`` leads the
program to make it with what ``now`` gives. The replica has served the guess by then, so that the
number of calls served tells whether the take used it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import pytest
from counted_run import Ran


class Row(NamedTuple):
    about: str
    guess: str
    change: str
    equal: bool
    call: str = "work.f(now[0])"


def to(value: str) -> str:
    return f"now[0] = {value}"


ROWS = [
    Row("nothing changes", "7", "pass", True),
    Row("an equal int", "10 ** 30", to("10 ** 29 * 10"), True),
    Row("an equal str", "'ab'", to("''.join(['a', 'b'])"), True),
    Row("another int", "1", to("2"), False),
    Row("1 and True", "1", to("True"), False),
    Row("1 and 1.0", "1", to("1.0"), False),
    Row("True and 1.0", "True", to("1.0"), False),
    Row("0.0 and -0.0", "0.0", to("-0.0"), False),
    Row("0.0 and another 0.0", "0.0", to("float('0')"), True),
    Row("nan and another nan", "float('nan')", to("float('nan')"), True),
    Row("complex zeros", "complex(0.0, 0.0)", to("complex(0.0, -0.0)"), False),
    Row("str and bytes", "'a'", to("b'a'"), False),
    Row("bytes and bytearray", "b'a'", to("bytearray(b'a')"), False),
    Row("None and False", "None", to("False"), False),
    Row("equal tuples", "(1, ('a', 2.0))", to("(1, ('a', float('2')))"), True),
    Row("tuples with 1 and True", "(1, 2)", to("(True, 2)"), False),
    Row("tuples with nan", "(float('nan'),)", to("(float('nan'),)"), True),
    Row("tuple and list", "(1, 2)", to("[1, 2]"), False),
    Row("equal lists", "[1, 2]", to("[1, 2]"), True),
    Row("lists with 1 and 1.0", "[1]", to("[1.0]"), False),
    Row("a list that grew", "[1, 2]", "now[0].append(3)", False),
    Row("a list that grew and shrank", "[1, 2]", "now[0].append(3); now[0].pop()", True),
    Row("a list inside a tuple that grew", "(1, [2])", "now[0][1].append(3)", False),
    Row("a dict that grew", "{'a': 1}", "now[0]['b'] = 2", False),
    Row("equal dicts", "{'a': 1}", to("{'a': 1}"), True),
    Row("dicts in another order", "{'a': 1, 'b': 2}", to("{'b': 2, 'a': 1}"), False),
    Row("one list twice and two equal lists", "[[1]] * 2", to("[[1], [1]]"), False),
    Row("one list twice, both times", "[[1]] * 2", to("[[1]] * 2"), True),
    Row("a class and another", "int", to("float"), False),
    Row("a class", "int", to("type(1)"), True),
    Row("bytes in a list", "[b'x' * 100_000]", to("[b'x' * 100_000]"), True),
    Row("bytearrays", "bytearray(100_000)", to("bytearray(100_000)"), True),
    Row("a bytearray that changed", "bytearray(100_000)", "now[0][99_999] = 1", False),
    Row("the same by name", "7", "pass", True, "work.f(1, named=now[0])"),
    Row("another by name", "7", to("8"), False, "work.f(1, named=now[0])"),
    Row("a list by name", "[7]", "now[0].append(8)", False, "work.f(1, named=now[0])"),
    Row("the same function", "work.f", to("work.f"), True, "now[0](1)"),
    Row("another function", "work.f", to("work.h"), False, "now[0](1)"),
]

HEAD = """
import json, os, time
import work

now = [None]

def served():
    with open(os.environ["SERVED"]) as log:
        return log.read().count("\\n")

def wait_for(number):
    limit = time.monotonic() + 10
    while served() < number and time.monotonic() < limit:
        time.sleep(0.001)

rows = []
"""

ONE = """
def start_{index}():
    now[0] = {guess}
    return served()

def change_{index}():
    {change}

def row_{index}():
    before = start_{index}()
    work.f("start")
    wait_for(before + 2)
    globals()["change_{index}"]()  # which no scout sees
    {call}
    return served() - before

rows.append(row_{index})
"""

# no scout goes from one row to the next: the function names eval
TAIL = """
def every_row():
    return [eval("row")() for row in rows]

print(json.dumps(every_row()))
"""


@pytest.fixture(scope="module")
def calls_served(cord_run: Callable[..., Ran]) -> dict[str, int]:
    import json

    program = HEAD
    for index, row in enumerate(ROWS):
        program += ONE.format(index=index, **row._asdict())
    ran = cord_run(program + TAIL)
    return dict(zip((row.about for row in ROWS), json.loads(ran.lines[0]), strict=True))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.about)
def test_equal_arguments(row: Row, calls_served: dict[str, int]) -> None:
    made_afresh = calls_served[row.about] - 2
    assert made_afresh == (0 if row.equal else 1)
