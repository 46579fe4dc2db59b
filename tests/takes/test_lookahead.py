"""How far scouts run ahead is bounded by `lookahead`; the program's own calls are not."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from counted_run import Ran

Run = Callable[..., Ran]

STOPS = """
    import work
    for i in range(1000):
        if work.f(i{argument}) == 200:
            break
"""

# The first call of a loop ends when the second one is served: until then no scout sees the exit.
WAITS = """
    import os, time

    def f(i):
        with open(os.environ["SERVED"], "a") as log:
            log.write(f"f({i})\\n")
        while i % 1000 == 0 and f"f({i + 1})\\n" not in open(os.environ["SERVED"]):
            time.sleep(0.001)
        return i
"""


@pytest.mark.parametrize("calls", [2, 3, 7])
def test_no_more_calls_are_out_than_the_plan_says(cord_run: Run, calls: int) -> None:
    ran = cord_run(
        """
        import work
        for i in range(1000):
            if work.f(i) == 0:
                break
        """,
        plan=f"lookahead.calls = {calls}\n",
        replicas=4,
        work=WAITS,
    )
    assert ran.issued == [f"f({i})" for i in range(1, 1 + len(ran.issued))]
    assert 1 <= len(ran.issued) <= calls


def test_a_long_loop_goes_on_within_the_bound(cord_run: Run) -> None:
    ran = cord_run(STOPS.format(argument=""), plan="lookahead = { calls = 10 }\n")
    assert ran.births == 1
    assert 200 <= len(ran.issued) <= 210


def test_arguments_are_bounded_in_bytes(cord_run: Run) -> None:
    plan = 'lookahead = { bytes = "20KiB" }\n'
    ran = cord_run(STOPS.format(argument=', "." * 2048'), plan=plan)
    assert ran.births == 1
    assert len(ran.issued) <= 200 + 6, "ten KiB of arguments, and the call that passes them"


def test_the_bound_holds_for_strands_too(cord_run: Run) -> None:
    """Calls that wait for the value of another one count before they are made."""
    ran = cord_run(
        """
        import work
        for i in range(1000):
            if work.g(work.f(i)) == 100:
                break
        print(i)
        """,
        plan="lookahead.calls = 8\n",
        replicas=2,
    )
    assert ran.lines == ["100"]
    assert len(ran.served) <= 2 * 101 + 8


def test_a_client_module_has_its_own_bound(cord_run: Run) -> None:
    ran = cord_run(
        """
        import work
        import other
        for i in range(1000):
            if work.f(i) == 0:
                break
        other.run()
        """,
        other="""
        import work
        def run():
            for i in range(1000, 2000):
                if work.f(i) == 1000:
                    break
        """,
        plan="lookahead.calls = 2\n\n[client.other.remote.work]\nlookahead.calls = 5\n",
        replicas=4,
        work=WAITS,
    )
    theirs = [call for call in ran.issued if len(call) > len("f(999)")]
    assert 1 <= len(ran.issued) - len(theirs) <= 2
    assert 1 <= len(theirs) <= 5


@pytest.mark.parametrize(
    ("style", "plan"),
    [
        ("async-demand(1)", ""),
        ("sync", '[client.main.remote.work]\ncallstyle = "async"\n'),
        ("sync", '[client.main.remote.work]\ncallstyle = "async-demand(2)"\n'),
        ("sync", '[remote.work.functions.f]\ncallstyle = "async-demand(2)"\n'),
    ],
)
def test_a_style_that_is_not_sync_lets_scouts_run(cord_run: Run, style: str, plan: str) -> None:
    """The first call would wait for ever, if the second one were not made ahead of the program."""
    main = "import work\nfor i in range(9): work.f(i)\n"
    ran = cord_run(main, work=WAITS, style=style, plan=plan, replicas=2)
    assert ran.births == 1
    assert ran.issued == [f"f({i})" for i in range(1, 9)]


def test_a_client_module_may_call_in_place(cord_run: Run) -> None:
    ran = cord_run(
        """
        import work
        for i in range(5):
            work.f(i)
        """,
        plan='[client.main.remote.work]\ncallstyle = "sync"\n',
    )
    assert (ran.births, ran.issued) == (0, [])
    assert ran.served == [f"f({i})" for i in range(5)]
