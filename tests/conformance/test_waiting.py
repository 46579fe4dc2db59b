"""Functions that wait: deadlines, rates, retries, hedges, gathered calls. Calls are counted."""

from __future__ import annotations

import pytest

PURE = "[remote.work]\nrepeatable = true\n"
NOTE = """
import os, time
def note(what):
    with open("noted", "a") as file:
        file.write(f"{what}\\n")
def noted():
    return open("noted").read().split()
"""


def lines(made) -> list[str]:
    """What calls have noted, in order."""
    return (made.folder / "noted").read_text().split()


def test_a_call_that_takes_too_long_raises_where_it_is_made(program):
    work = NOTE + "def wait(n):\n    note(os.getpid())\n    time.sleep(n)\n    return n\n"
    main = """
import traceback, work
print(work.wait(0))
try:
    work.wait(600)  # here
except TimeoutError as error:
    print(error)
    print(traceback.format_exc().count("# here"))
print(work.wait(0))
"""
    made = program("[remote.work]\ndeadline = 1\nrestart = 'fresh'\n", main, work=work)
    result = made.run()
    assert result.stderr == ""
    assert result.stdout == "0\nwork.wait() took longer than its deadline of 1 s\n1\n0\n"
    first, second, third = lines(made)
    assert first == second != third, "its replica was replaced"


def test_calls_made_ahead_raise_in_their_order(program):
    work = "import time\ndef wait(n):\n    time.sleep(600 if n == 2 else 0)\n    return n\n"
    main = """
import work
done = []
try:
    for n in range(6):
        done.append(work.wait(n))
except TimeoutError:
    print("at", n)
print(done)
"""
    plan = PURE + 'deadline = "500ms"\nreplicas = 2\n'
    assert program(plan, main, work=work).run().stdout == "at 2\n[0, 1]\n"


def test_nested_calls_have_deadlines(program):
    inner = "import time\ndef wait(n):\n    time.sleep(n)\n"
    outer = """
import inner
def ask(n):
    try:
        return inner.wait(n)
    except TimeoutError as error:
        return str(error)
"""
    main = "import outer, inner\nprint(outer.ask(0))\nprint(outer.ask(600))\nprint(outer.ask(0))\n"
    plan = "[remote.outer]\n[remote.inner]\nrepeatable = true\ndeadline = 1\n"
    result = program(plan, main, inner=inner, outer=outer).run()
    assert result.stdout == "None\ninner.wait() took longer than its deadline of 1 s\nNone\n"


def test_calls_wait_for_their_turn_by_the_rate(program):
    work = "def ask(n):\n    return n\n"
    main = "import work\nprint(sum(work.ask(n) for n in range(4)))\n"
    plan = PURE + 'rate = "3/s"\nreplicas = 3\n[report]\nstats = true\n'
    result = program(plan, main, work=work).run()
    assert result.stdout == "6\n"
    assert "3 calls waited for rate" in result.stderr


RETRYING = """
class Busy(Exception):
    retry_after = 0.1
class TooMany(Busy):
    pass
def ask(n, fails):
    note(n)
    print("asked for", n)
    if noted().count(str(n)) <= fails:
        raise TooMany(f"{n} is too many")
    return n
"""


def test_a_named_exception_is_tried_again_and_its_output_forgotten(program):
    main = "import work\nprint([work.ask(n, n) for n in range(3)])\n"
    plan = PURE + 'retries = 2\nretry_on = ["work.Busy"]\n'
    made = program(plan, main, work=NOTE + RETRYING)
    assert made.run().stdout == "asked for 0\nasked for 1\nasked for 2\n[0, 1, 2]\n"
    assert sorted(lines(made)) == ["0", "1", "1", "2", "2", "2"]


def test_the_last_exception_arrives_as_itself(program):
    main = """
import work
try:
    work.ask(1, 9)
except work.TooMany as error:
    print(error)
"""
    plan = PURE + 'retries = 1\nretry_on = ["work.Busy"]\n'
    made = program(plan, main, work=NOTE + RETRYING)
    assert made.run().stdout == "asked for 1\n1 is too many\n"
    assert lines(made) == ["1", "1"]


def test_other_exceptions_are_not_tried_again(program):
    main = """
import work
try:
    work.ask(1, 9)
except work.TooMany as error:
    print(error)
"""
    made = program(PURE + 'retries = 5\nretry_on = ["OSError"]\n', main, work=NOTE + RETRYING)
    assert made.run().stdout == "asked for 1\n1 is too many\n"
    assert lines(made) == ["1"]


@pytest.mark.parametrize(("retries", "tries"), [(0, 1), (4, 5)])
def test_how_often_a_call_is_repeated_whose_replica_ends(program, retries: int, tries: int):
    work = NOTE + "def end(n):\n    note(n)\n    os._exit(1)\n"
    main = """
import work
try:
    work.end(1)
except Exception as error:
    print(type(error).__name__)
"""
    made = program(PURE + f"retries = {retries}\n", main, work=work)
    assert made.run().stdout == "PoisonCall\n"
    assert lines(made) == ["1"] * tries


def test_a_slow_call_is_made_twice_and_the_first_answer_wins(program):
    work = (
        NOTE
        + """
def ask(n):
    note(n)
    print("asked for", n)
    if n == 3 and noted().count("3") == 1:
        time.sleep(600)
    return n
"""
    )
    main = "import work\nprint([work.ask(n) for n in range(6)])\n"
    made = program(PURE + 'hedge = "500ms"\nreplicas = 2\n', main, work=work)
    asked = "".join(f"asked for {n}\n" for n in range(6))
    assert made.run().stdout == f"{asked}[0, 1, 2, 3, 4, 5]\n"
    assert sorted(lines(made)) == ["0", "1", "2", "3", "3", "4", "5"]


GATHERED = PURE + 'replicas = 1\ncallstyle = "async"\n[remote.work.functions.embed]\n'
GATHERED += 'gather = "embed_many"\n'
MAIN = "import work\nprint([work.embed(n) for n in range(20)])\n"
EMBED = "def embed(n):\n    note('one')\n    time.sleep(0.05)\n    return [n]\n"


def test_calls_that_are_issued_together_are_served_by_one(program):
    work = (
        NOTE + EMBED + "def embed_many(all):\n    note(len(all))\n    return [[n] for n in all]\n"
    )
    made = program(GATHERED, MAIN, work=work)
    assert made.run().stdout == f"{[[n] for n in range(20)]}\n"
    sizes = [1 if one == "one" else int(one) for one in lines(made)]
    assert sum(sizes) == 20
    assert len(sizes) < 10


def test_no_more_are_served_together_than_the_batch_says(program):
    work = (
        NOTE + EMBED + "def embed_many(all):\n    note(len(all))\n    return [[n] for n in all]\n"
    )
    made = program(GATHERED + "batch = 3\n", MAIN, work=work)
    assert made.run().stdout == f"{[[n] for n in range(20)]}\n"
    assert {1 if one == "one" else int(one) for one in lines(made)} <= {1, 2, 3}


def test_what_calls_share_they_do_not_share_in_the_program(program):
    work = "def embed(n):\n    return [n]\ndef embed_many(all):\n    return [[0]] * len(all)\n"
    main = """
import work
values = [work.embed(0) for n in range(9)]
for value in values:
    value.append(1)
print(values)
"""
    assert program(GATHERED, main, work=work).run().stdout == f"{[[0, 1]] * 9}\n"


def test_where_the_one_call_raises_each_is_made_by_itself(program):
    work = (
        NOTE
        + """
def embed(n):
    print("embed", n)
    time.sleep(0.05)
    if n == 7:
        raise ValueError(n)
    return n
def embed_many(all):
    print("many")
    note("many")
    raise KeyError("many")
"""
    )
    main = """
import work
def main():
    for n in range(10):
        print(work.embed(n))
try:
    main()
except ValueError as error:
    print(repr(error))
"""
    made = program(GATHERED, main, work=work)
    shown = "".join(f"embed {n}\n{n}\n" for n in range(7))
    result = made.run()
    assert result.stdout == f"{shown}embed 7\nValueError(7)\n"
    assert (made.folder / "noted").exists()


def test_a_result_too_few_is_told_at_the_end(program):
    work = f"{NOTE}{EMBED}def embed_many(all):\n    return all[1:]\n"
    plan = GATHERED + "[report]\nstats = true\n"
    result = program(plan, MAIN.replace("20", "12"), work=work).run()
    assert result.stdout == f"{[[n] for n in range(12)]}\n"
    assert "times not a result for each, made one by one then" in result.stderr


def test_calls_with_other_arguments_are_made_by_themselves(program):
    work = (
        NOTE
        + """
def embed(n, more=0):
    return n + more
def embed_many(all):
    note("many")
    return all
"""
    )
    main = "import work\nprint([work.embed(n, more=1) for n in range(6)])\n"
    made = program(GATHERED, main, work=work)
    assert made.run().stdout == "[1, 2, 3, 4, 5, 6]\n"
    assert not (made.folder / "noted").exists()
