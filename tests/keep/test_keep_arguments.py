"""Arguments that are equal or not: a call is answered by none but its own."""

from __future__ import annotations

from pathlib import Path

from keep.project import RUN, Project

WORK = """\
import enum
import collections


class Point:
    def __init__(self, x, y=0):
        self.x, self.y = x, y


class Sub(Point):
    pass


class Slotted:
    __slots__ = ("a", "b")


class Colour(enum.Enum):
    RED = 1
    BLUE = 2


Pair = collections.namedtuple("Pair", "a b")


def slotted(a=None):
    one = Slotted()
    if a is not None:
        one.a = a
    return one


def tell(value, depth=0):
    if depth > 4:
        return "..."
    if isinstance(value, (list, tuple, set, frozenset, collections.deque)):
        inner = [tell(one, depth + 1) for one in value]
        shared = len({id(one) for one in value}) < len(value)
        return type(value).__name__ + repr(inner) + repr(shared)
    if isinstance(value, dict):
        return "dict" + repr([(tell(k, depth + 1), tell(v, depth + 1)) for k, v in value.items()])
    if callable(value):
        return "called " + repr(value(3)) if not isinstance(value, type) else value.__name__
    if hasattr(value, "__dict__") and not isinstance(value, enum.Enum):
        return type(value).__name__ + tell(vars(value), depth + 1)
    if isinstance(value, Slotted):
        return "slots" + repr([(n, getattr(value, n, None)) for n in ("a", "b")])
    return type(value).__name__ + repr(value)


def f(value):
    return tell(value)
"""
MAIN = """\
import collections, datetime, decimal, fractions, functools, operator, pathlib, uuid
import work
from work import Colour, Pair, Point, Slotted, Sub, slotted


def one(n):
    return n + 1


def made(k):
    return lambda n: n + k


x, y = [1], [1]
loop = []
loop.append(loop)
VALUES = [
    0, 0.0, -0.0, False, "", b"", None, 1, 1.0, True, "1", b"1", 1j, (), [], {}, set(),
    frozenset(), (1,), [1], {1}, frozenset({1}), {1: 2}, {2: 1}, {1: 2, 3: 4}, {3: 4, 1: 2},
    [[1], [1]], [x, x], [x, y], ([],), [()], "a", "ab", ["a", "b"], ["ab"], ["ab", ""],
    float("nan"), float("inf"), 10**30, -(10**30), "\\ud800", "é", "e\\u0301",
    Point(1), Point(1, 2), Point(2, 1), Point("1"), Sub(1), [Point(1)] * 2, [Point(1), Point(1)],
    slotted(), slotted(1), slotted("1"), Colour.RED, Colour.BLUE, Colour, Point, Sub,
    Pair(1, 2), Pair(2, 1), (1, 2), collections.deque([1]), collections.deque([1], 5),
    collections.OrderedDict([(1, 2)]), collections.defaultdict(list), collections.Counter("ab"),
    datetime.date(2020, 1, 2), datetime.datetime(2020, 1, 2), decimal.Decimal("1.0"),
    decimal.Decimal("1.00"), fractions.Fraction(1, 2), pathlib.PurePosixPath("a/b"),
    uuid.UUID(int=5), range(3), range(0, 3, 2), slice(1), bytearray(b"1"),
    one, made(1), made(2), lambda n: n - 1, lambda n: n * 1, functools.partial(one),
    functools.partial(operator.add, 1), functools.partial(operator.add, 2), operator.itemgetter(0)
    and (lambda n: 0), len and abs, loop, [loop], {"a": [1, {"b": (2, [3])}]},
    {"a": [1, {"b": (2, [4])}]}, {"x", "y"}, {"x", "z"}, {1, 9}, {9, 1}, {8, 0}, {0, 8},
]
for value in VALUES:
    told = work.f(value)
    if not isinstance(value, (set, frozenset)) or all(isinstance(v, int) for v in value):
        print(told)
"""


def test_each_call_has_its_own(tmp_path: Path) -> None:
    """All of them at once, in three runs."""
    project = Project(tmp_path, {"work.py": WORK, "main.py": MAIN})
    first = project.same()["work.f"]
    second = project.same()["work.f"]
    assert first[1] > 70
    assert second[0] > 70
    assert second[1] * 10 < first[1]  # copies may come to calls that they had not come to before
    project.edit("main.py", "for value in VALUES", "for value in reversed(VALUES)")
    project.same()


def test_chains_and_what_follows_from_them(tmp_path: Path) -> None:
    """Calls that are given what others gave, as scouts and copies come to them."""
    work = "def f(n):\n    return n * 2 + 1\n\n\ndef g(a, b):\n    return [a, b]\n"
    main = (
        "import work\n\n\ndef step(n):\n    a = work.f(n)\n    b = work.f(a)\n"
        "    if b % 3 == 0:\n        return work.g(a, b)\n    return work.g(b, a)\n\n\n"
        "for n in range(30):\n    print(step(n), [work.f(k) for k in range(n % 4)])\n"
    )
    project = Project(tmp_path, {"work.py": work, "main.py": main})
    project.same()
    told = project.same()
    assert all(kept == 0 for _, kept in told.values()), told


def test_a_class_of_an_argument_is_edited(tmp_path: Path) -> None:
    """Of the main script's, too."""
    work = "def f(item):\n    return item.value()\n"
    main = (
        "import work\n\n\nclass Item:\n    def __init__(self, n):\n        self.n = n\n\n"
        "    def value(self):\n        return self.n + 1\n\n\n"
        "for n in range(5):\n    print(work.f(Item(n)))\n"
    )
    project = Project(tmp_path, {"work.py": work, "main.py": main})
    assert project.same()["work.f"][1] >= 5
    assert project.same()["work.f"][1] == 0
    project.edit("main.py", "self.n + 1", "self.n + 2")
    assert project.same()["work.f"][1] >= 5
    project.edit("main.py", "class Item", "# what it is\nclass Item")
    assert project.same()["work.f"][1] == 0


def test_functions_of_the_script_itself(tmp_path: Path) -> None:
    """They are remote without a module of their own."""
    main = (
        "K = 3\n\n\ndef helper(n):\n    return n * K\n\n\ndef f(n):\n    return helper(n)\n\n\n"
        "for n in range(5):\n    print(f(n))\n"
    )
    plan = f"[remote.main]\npure = true\nkeep = true\nonly = ['f']\n{RUN}"
    project = Project(tmp_path, {"main.py": main, "cord.toml": plan})
    assert project.same()["__main__.f"][1] >= 5
    assert project.same()["__main__.f"][1] == 0
    project.edit("main.py", "K = 3", "K = 4")
    assert project.same()["__main__.f"][1] >= 5
