"""Which lines `cord init` says to put into a function."""

from __future__ import annotations

from cord.tools.init.loops import Hot, hot_loop


def hot(source: str, *lines: int, total: int = 100) -> Hot:
    """The loop when all looks fall on some lines, and on those that lead there."""
    share = total // len(lines)
    found = hot_loop(source, dict.fromkeys(lines, share), total)
    assert found is not None
    return found


PICTURE = """\
import math
size = 100
picture = []
for y in range(size):
    row = []
    for x in range(size):
        c = complex(x, y)
        n = 0
        while abs(c) < 2:
            c, n = c * c, n + 1
        row.append(n)
    picture.append(row)
print(picture)
"""


def test_the_outermost_loop_whose_turns_are_apart() -> None:
    one = hot(PICTURE, 9, 10)
    assert (one.line, one.first, one.last) == (4, 5, 11)
    assert set(one.takes) == {"size", "y"}
    assert one.gives == ("row",)
    assert one.loops
    assert not one.carried


def test_a_turn_that_needs_the_one_before() -> None:
    one = hot("state = 1\nfor i in range(9):\n    state = state * 3 % 7\n    print(state)\n", 3)
    assert one.carried == ("state",)


def test_an_inner_loop_where_the_outer_one_goes_on_from_turn_to_turn() -> None:
    source = """\
def evolve(population):
    for generation in range(10):
        scores = []
        for one in population:
            score = 0
            for gene in one:
                score += gene * gene
            scores.append(score)
        population = best(population, scores)
    return population
"""
    one = hot(source, 6, 7)
    assert (one.line, one.first, one.last) == (4, 5, 7)
    assert one.takes == ("one",)
    assert one.gives == ("score",)


def test_a_loop_that_calls_the_function_above_it_is_outside() -> None:
    source = """\
def run(sim):
    for _ in range(600):
        price = sim.path()
    return price

for seed in range(20):
    value = run(Sim(seed))
    print(value)
"""
    one = hot_loop(source, {3: 96, 7: 98}, 100)
    assert one is not None
    assert (one.line, one.takes, one.gives) == (6, ("seed",), ("value",))


def test_what_is_only_added_up_needs_nothing_of_the_turn_before() -> None:
    source = "total = 0\nfor x in xs:\n    for y in range(x):\n        total += y\nprint(total)\n"
    one = hot(source, 3, 4)
    assert (one.line, one.first, one.last) == (2, 3, 4)
    assert not one.carried
    assert one.gives == ("total",)


def test_functions_and_modules_are_no_arguments() -> None:
    source = (
        "import math\ndef f(x):\n    return x\nfor x in [1]:\n    y = math.sin(f(x))\nprint(y)\n"
    )
    one = hot(source, 5)
    assert one.takes == ("x",)
    assert one.gives == ("y",)
    assert not one.loops


def test_no_loop_has_most_of_the_time() -> None:
    source = "for x in [1]:\n    print(x)\nfor y in [1]:\n    print(y)\n"
    assert hot_loop(source, {2: 40, 4: 40}, 100) is None
