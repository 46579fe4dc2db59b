"""A take looks for its call among those issued for its own activation and its own site."""

from __future__ import annotations

from collections.abc import Callable

from counted_run import Ran

Run = Callable[..., Ran]


def test_every_call_is_made_once(cord_run: Run) -> None:
    ran = cord_run("import work\nfor i in range(20):\n    print(work.f(i))\n", replicas=2)
    assert ran.lines == [str(i) for i in range(20)]
    assert sorted(ran.served) == sorted(f"f({i})" for i in range(20))
    assert ran.births == 1


def test_activations_of_one_function_have_scouts_of_their_own(cord_run: Run) -> None:
    ran = cord_run(
        """
        import work

        def numbers(base):
            for i in range(4):
                yield work.f(base + i)

        for pair in zip(numbers(0), numbers(100)):
            print(*pair)
        """
    )
    assert ran.lines == [f"{i} {100 + i}" for i in range(4)]
    assert sorted(ran.served) == sorted(f"f({n})" for i in range(4) for n in (i, 100 + i))
    assert ran.births == 2
    assert sorted(ran.issued) == sorted(f"f({n})" for i in (1, 2, 3) for n in (i, 100 + i))


def test_sites_with_the_same_arguments_are_told_apart(cord_run: Run) -> None:
    ran = cord_run("import work\nfor i in range(5):\n    work.f(i)\n    work.f(i)\n    work.g(i)\n")
    assert len(ran.served) == 15
    assert ran.births == 1


def test_what_the_program_does_not_come_to_is_dropped(cord_run: Run) -> None:
    """An exit that depends on a result is not expected; the calls behind it are in vain."""
    ran = cord_run(
        """
        import work

        def search(numbers):
            for n in numbers:
                if work.f(n) == 3:
                    return n
            return None

        print(search(range(100)), search(range(3, 100)), search(range(2)))
        """
    )
    assert ran.lines == ["3 3 None"]
    assert len(ran.served) < 100


def test_calls_that_the_scout_leaves_to_the_program_keep_the_others(cord_run: Run) -> None:
    ran = cord_run(
        """
        import os
        import work

        for i in range(6):
            a = work.f(i)
            if os.getpid() > 0:  # a scout does not ask the system
                work.f(a + 100)
        """
    )
    assert sorted(ran.served) == sorted([f"f({n})" for i in range(6) for n in (i, i + 100)])
    assert ran.births <= 2
    assert ran.issued[:3] == ["f(1)", "f(2)", "f(3)"]


def test_calls_that_need_results_wait_for_them_while_others_go_on(cord_run: Run) -> None:
    ran = cord_run(
        """
        import work

        for i in range(6):
            a = work.f(i)
            work.f(a + 100)
        """
    )
    assert sorted(ran.served) == sorted([f"f({n})" for i in range(6) for n in (i, i + 100)])
    assert ran.births == 1
    assert set(ran.issued) == {f"f({n})" for i in range(6) for n in (i, i + 100)} - {"f(0)"}


def test_a_helper_is_handed_what_was_scouted_for_it(cord_run: Run) -> None:
    ran = cord_run(
        """
        import work

        def helper(x):
            work.f(x)
            return work.f(x + 1)

        for i in range(0, 60, 10):
            print(helper(i))
        """
    )
    assert ran.lines == [str(i + 1) for i in range(0, 60, 10)]
    assert len(ran.served) == 12
    assert ran.births == 1


def test_a_helper_that_is_given_a_result_is_handed_what_was_scouted_for_it(cord_run: Run) -> None:
    ran = cord_run(
        """
        import work

        def down(n):
            if n < 1:
                return n
            return down(work.f(n - 1))

        print(down(6))
        """
    )
    assert ran.lines == ["0"]
    assert len(ran.served) == 6
    assert ran.births == 1


def test_a_scout_starts_again_after_a_miss(cord_run: Run) -> None:
    """A change that no scout can foresee: what was issued is dropped, and a new scout starts."""
    ran = cord_run(
        """
        import work

        step = [1]

        def change(i):
            if i == 3:
                step[0] = 10

        for i in range(8):
            print(work.f(i * step[0]))
            globals()["change"](i)  # which no scout sees
        """
    )
    assert ran.lines == ["0", "1", "2", "3", "40", "50", "60", "70"]
    assert ran.births == 2
    second = ran.events[ran.events.index("birth", 1) :]
    assert second == ["birth", "issue f(50)", "issue f(60)", "issue f(70)"]


def test_scouts_that_never_hit_are_started_less_and_less_often(cord_run: Run) -> None:
    ran = cord_run(
        """
        import work

        now = [0]

        def change():
            now[0] += 1

        for i in range(300):
            globals()["change"]()  # which no scout sees
            work.f(now[0])
        print(now)
        """
    )
    assert ran.lines == ["[300]"]
    assert 2 <= ran.births <= 20


def test_hits_make_up_for_misses(cord_run: Run) -> None:
    """A site whose scouts hit now and then keeps having scouts."""
    ran = cord_run(
        """
        import work

        now = [0]

        def change(i):
            if i % 10 == 9:
                now[0] += 1000

        for i in range(100):
            work.f(now[0] + i)
            globals()["change"](i)  # which no scout sees
        """
    )
    assert ran.births == 10


def test_a_client_that_replaces_a_function_gets_its_own(cord_run: Run) -> None:
    ran = cord_run(
        """
        import work

        print([work.f(i) for i in range(3)])
        work.f = lambda x: x * 2
        print([work.f(i) for i in range(3)])
        """
    )
    assert ran.lines == ["[0, 1, 2]", "[0, 2, 4]"]
    assert sorted(set(ran.served)) == ["f(0)", "f(1)", "f(2)"]
