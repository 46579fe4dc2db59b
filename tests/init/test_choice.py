"""Which functions `cord init` tries, from profiles that are written down here."""

from __future__ import annotations

from cord.tools.init.choice import Candidate, candidates, choices
from cord.tools.init.profile import Function, Profile
from cord.tools.init.profiler import FUNCTION, METHOD, MODULE, PRIVATE

Calls = dict[tuple[str, str], tuple[int, float]]


def function(full: str, seconds: float, kind: str = FUNCTION, place: str = "project") -> Function:
    module, _, name = full.rpartition(".")
    return Function(module, name, f"{module}.py", 1, kind, place, 1, seconds, seconds)


def profile(functions: list[Function], calls: Calls, plain: float = 10.0) -> Profile:
    """One that took ten seconds; the main script's own code is there already."""
    everything = [function("__main__.<module>", 10.0, MODULE), *functions]
    number = {one.full: index for index, one in enumerate(everything)}
    numbered = {(number[a], number[b]): counted for (a, b), counted in calls.items()}
    return Profile(10.0, plain, 0.0, 0.0, everything, numbered)


def found(made: Profile) -> list[str]:
    return [one.function.full for one in candidates(made, lambda _: True)]


def tried(made: Profile, replicas: int = 8, cost: float = 0.0) -> list[list[str]]:
    chosen = choices(made, candidates(made, lambda _: True), replicas, lambda _: cost)
    return [[one.function.full for one in some] for some in chosen]


SCRIPT = "__main__.<module>"


def test_a_function_that_is_called_often_and_takes_the_time() -> None:
    made = profile([function("work.f", 9.0)], {(SCRIPT, "work.f"): (100, 9.0)})
    (one,) = candidates(made, lambda _: True)
    assert (one.function.full, one.calls, one.each) == ("work.f", 100, 0.09)
    assert not one.inside


def test_what_is_not_worth_it() -> None:
    functions = [
        function("work.once", 9.0),
        function("work.short", 5.0),
        function("work.little", 1.0),
        function("work._private", 9.0, PRIVATE),
        Function("__main__", "Box.method", "", 1, METHOD, "project", 1, 9.0, 9.0),
        function("__main__.main", 9.0),
    ]
    counts = {"work.once": 1, "work.short": 1_000_000}
    calls = {(SCRIPT, one.full): (counts.get(one.full, 50), one.seconds) for one in functions}
    assert found(profile(functions, calls)) == []


def test_a_share_of_the_time_without_the_profiler() -> None:
    made = profile([function("work.f", 1.0)], {(SCRIPT, "work.f"): (50, 1.0)}, plain=4.0)
    assert found(made) == ["work.f"]


def test_what_a_module_does_not_show_is_left_out() -> None:
    made = profile([function("work.f", 9.0)], {(SCRIPT, "work.f"): (100, 9.0)})
    assert candidates(made, lambda one: one.name != "f") == []


def test_of_a_library_what_the_project_calls() -> None:
    functions = [
        function("library.fit", 9.0, place="installed"),
        function("library.inner", 8.0, place="installed"),
        function("json.loads", 8.0, place="Python"),
    ]
    calls = {
        (SCRIPT, "library.fit"): (20, 9.0),
        ("library.fit", "library.inner"): (200, 8.0),
        (SCRIPT, "json.loads"): (20, 8.0),
    }
    assert found(profile(functions, calls)) == ["library.fit"]


def test_the_outermost_functions_first_then_those_inside() -> None:
    functions = [function("a.outer", 9.0), function("b.inner", 8.5), function("c.apart", 2.0)]
    calls = {
        (SCRIPT, "a.outer"): (40, 9.0),
        ("a.outer", "b.inner"): (4000, 8.5),
        (SCRIPT, "c.apart"): (40, 2.0),
    }
    made = profile(functions, calls)
    assert tried(made) == [["a.outer", "c.apart"], ["b.inner", "c.apart"]]


def test_few_long_calls_come_after_many() -> None:
    functions = [function("a.outer", 9.0), function("b.inner", 8.9)]
    calls = {(SCRIPT, "a.outer"): (2, 9.0), ("a.outer", "b.inner"): (200, 8.9)}
    assert tried(profile(functions, calls)) == [["b.inner"], ["a.outer"]]
    # unless each of them carries much
    assert tried(profile(functions, calls), cost=0.1) == [["a.outer"], ["b.inner"]]


def test_of_functions_that_call_each_other_the_longer_one_is_outside() -> None:
    functions = [function("a.even", 9.0), function("a.odd", 8.0)]
    calls = {
        (SCRIPT, "a.even"): (20, 9.0),
        (SCRIPT, "a.odd"): (20, 8.0),
        ("a.even", "a.odd"): (20, 8.0),
        ("a.odd", "a.even"): (20, 7.0),
    }
    assert tried(profile(functions, calls)) == [["a.even"], ["a.odd"]]


def test_calls_that_a_module_makes_itself() -> None:
    functions = [function("work.run", 9.5), function("work.step", 9.0)]
    calls = {(SCRIPT, "work.run"): (1, 9.5), ("work.run", "work.step"): (90, 9.0)}
    (one,) = candidates(profile(functions, calls), lambda _: True)
    assert (one.function.full, one.inside, one.calls) == ("work.step", True, 90)


def test_functions_of_the_script_call_one_another_remotely() -> None:
    functions = [function("__main__.run", 9.5), function("__main__.step", 9.0)]
    calls = {(SCRIPT, "__main__.run"): (1, 9.5), ("__main__.run", "__main__.step"): (90, 9.0)}
    (one,) = candidates(profile(functions, calls), lambda _: True)
    assert isinstance(one, Candidate)
    assert (one.function.full, one.inside, one.calls) == ("__main__.step", False, 90)
