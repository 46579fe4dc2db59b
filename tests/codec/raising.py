"""Functions that raise, in every way a traceback can look."""

import math


def simple():
    raise ValueError("ü")


def nested():
    return [deeper(x) for x in (1, 0)]


def deeper(x):
    return 1 / x


def over_lines():
    return 1 + deeper(0) + 3


def recursive(depth=0):
    return recursive(depth + 1)


def generated():
    exec("def inner():\n    1 / 0\ninner()")


def from_cause():
    try:
        deeper(0)
    except ZeroDivisionError as error:
        raise ValueError("x") from error


def from_none():
    try:
        deeper(0)
    except ZeroDivisionError:
        raise ValueError("x") from None


def in_handlers():
    try:
        try:
            deeper(0)
        except ZeroDivisionError:
            {}["key"]
    except KeyError:
        open("/nonexistent/file")  # noqa: SIM115


def with_notes():
    error = TypeError("noted")
    error.add_note("one\ntwo")
    raise error


def group():
    members = []
    for number in (0, 1):
        try:
            deeper(0)
        except ZeroDivisionError as error:
            error.add_note(f"number {number}")
            members.append(error)
    raise ExceptionGroup("many", [*members, ExceptionGroup("inner", [KeyError("k")])])


def syntax():
    compile("a b", "<text>", "exec")


def missing_module():
    import nonexistent_module  # noqa: F401


def similar_local():
    counter = 1
    return countr + counter  # noqa: F821


def similar_global():
    return mathh.pi  # noqa: F821


def similar_builtin():
    return lenn([])  # noqa: F821


def similar_in_module():
    return math.sqr(1)


class Owner:
    alpha = 1

    def __init__(self):
        self.cannot_travel = lambda: None

    def method(self):
        return alpha  # noqa: F821


def similar_attribute():
    return Owner().alpa


def similar_of_self():
    return Owner().method()


def similar_in_comprehension():
    numbers = [1]
    return [nummbers for _ in numbers]  # noqa: F821


def unbound():
    print(value)  # noqa: F821
    value = 1  # noqa: F841


def system_exit():
    raise SystemExit(3)
