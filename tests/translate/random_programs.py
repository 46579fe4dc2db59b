"""Random small programs: nested loops and conditions over integers and lists, calls among them."""

from __future__ import annotations

from hypothesis import strategies as st

NAMES = ["a", "b", "c"]
INDENT = "    "

numbers = st.integers(-2, 4).map(str)
names = st.sampled_from(NAMES)
values = st.one_of(
    numbers,
    names,
    st.tuples(names, st.sampled_from(["+", "-", "*", "%"]), st.integers(1, 4)).map(
        lambda parts: f"{parts[0]} {parts[1]} {parts[2]}"
    ),
    st.just("len(xs)"),
    names.map(lambda name: f"abs({name})"),
    names.map(lambda name: f"({name} or 1)"),
)
tests = st.tuples(values, st.sampled_from(["<", "==", "!=", ">=", "in"]), values).map(
    lambda parts: f"{parts[0]} in xs" if parts[1] == "in" else " ".join(parts)
)

simple = st.one_of(
    values.map(lambda value: [f"f({value})"]),
    st.tuples(values, values).map(lambda pair: [f"g({pair[0]}, k={pair[1]})"]),
    st.just(["f(xs)"]),
    st.tuples(names, values).map(lambda pair: [f"{pair[0]} = {pair[1]}"]),
    st.tuples(names, values).map(lambda pair: [f"{pair[0]} += {pair[1]}"]),
    values.map(lambda value: [f"xs.append({value})"]),
    st.just(["xs = []"]),
    st.tuples(values, names).map(lambda pair: [f"xs = [{pair[1]} + i for i in range({pair[0]})]"]),
    values.map(lambda value: [f"[f(i, a) for i in range({value}) if i != b]"]),
)
leaving = st.tuples(tests, st.sampled_from(["break", "continue"])).map(
    lambda pair: [f"if {pair[0]}:", INDENT + pair[1]]
)


def inside(lines: list[str]) -> list[str]:
    return [INDENT + line for line in lines] or [INDENT + "pass"]


def block(depth: int, in_loop: bool) -> st.SearchStrategy[list[str]]:
    parts = [simple, simple]
    if in_loop:
        parts.append(leaving)
    if depth:
        parts += [branch(depth - 1, in_loop), for_loop(depth - 1), while_loop(depth - 1)]
    return st.lists(st.one_of(parts), min_size=1, max_size=4).map(
        lambda statements: [line for statement in statements for line in statement]
    )


def branch(depth: int, in_loop: bool) -> st.SearchStrategy[list[str]]:
    return st.tuples(tests, block(depth, in_loop), block(depth, in_loop)).map(
        lambda parts: [f"if {parts[0]}:", *inside(parts[1]), "else:", *inside(parts[2])]
    )


def for_loop(depth: int) -> st.SearchStrategy[list[str]]:
    iterables = st.one_of(
        st.integers(0, 3).map(lambda n: f"i in range({n})"),
        st.just("i in list(xs)[:3]"),
        st.just("i, a in enumerate((3, 1))"),
        st.just("b, c in zip((1, 2, 3), list(xs))"),
    )
    return st.tuples(iterables, block(depth, True)).map(
        lambda parts: [f"for {parts[0]}:", *inside(parts[1])]
    )


def while_loop(depth: int) -> st.SearchStrategy[list[str]]:
    """Counts with a name of its own for each depth, so that it ends whatever stands inside."""
    count = f"n{depth}"
    return st.tuples(tests, block(depth, True)).map(
        lambda parts: [
            f"{count} = 0",
            f"while {count} < 3 and {parts[0]}:",
            *inside([f"{count} += 1", *parts[1]]),
        ]
    )


programs = block(2, False).map(
    lambda lines: "\n".join(["f('start')", "a, b, c = 1, 2, 3", "xs = [1]", *lines]) + "\n"
)
