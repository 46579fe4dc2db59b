"""After an edit, what had to be made again is made again, and nothing else is."""

from __future__ import annotations

import shutil

import pytest

from keep.project import Project

FILES = {
    "helpers.py": """\
import functools

SCALE = 2
TABLE = {"a": 1, "b": [1, 2]}
NAMES = ("x", "y")
UNUSED = 5
STEPS = [lambda n: n + 1, lambda n: n * 2]


def deep(n):
    return n + 1


def scale(n, by=3):
    return deep(n) * by * SCALE


def unused(n):
    return n - 1


def traced(function):
    @functools.wraps(function)
    def inner(*args):
        return function(*args) + 0
    return inner


def adder(k):
    def add(n):
        return n + k
    return add


add_two = adder(2)


class Base:
    FACTOR = 10

    def value(self):
        return self.raw() * self.FACTOR

    def raw(self):
        return self.n

    @property
    def double(self):
        return self.n * 2

    @staticmethod
    def fixed():
        return 7

    @classmethod
    def named(cls):
        return cls.__name__


class Item(Base):
    def __init__(self, n):
        self.n = n

    def __eq__(self, other):
        return self.n == other.n


class Other:
    def value(self):
        return 0


def chosen(name):
    return REGISTRY[name]


def one(n):
    return n + 100


def two(n):
    return n + 200


REGISTRY = {"one": one, "two": two}
""",
    "lazy.py": "LEVEL = 3\n\n\ndef late(n):\n    return n * LEVEL\n",
    "plugin_a.py": "def go(n):\n    return n + 11\n",
    "apart.py": "import plugin_a\n\n\ndef apart(n):\n    return n\n",
    "work.py": """\
import sys

import apart
import helpers
from helpers import Item, SCALE, add_two, scale, traced


def plain(n):
    # what it does
    return n + 1


def deeper(n):
    return scale(n)


def constants(n):
    return n + helpers.TABLE["b"][0] + len(helpers.NAMES)


def steps(n):
    for step in helpers.STEPS:
        n = step(n)
    return n


@traced
def decorated(n):
    return n + 5


def closed(n):
    return add_two(n)


def methods(n):
    item = Item(n)
    return item.value() + item.double + Item.fixed() + len(Item.named())


def registered(n):
    return helpers.chosen("one")(n)


def lazily(n):
    import lazy

    return lazy.late(n)


def plugged(n):
    return sys.modules["plugin_a"].go(n)


def called(function, n):
    return function(n)


def given(item):
    return item.value()


def default(n, k=SCALE):
    return n * k


def named(n):
    return getattr(helpers, "de" + "ep")(n)
""",
    "main.py": """\
import helpers
import work
from helpers import Item


def own(n):
    return n * 3


for n in range(3):
    print(work.plain(n), work.deeper(n), work.constants(n), work.steps(n), work.decorated(n))
    print(work.closed(n), work.methods(n), work.registered(n), work.lazily(n), work.plugged(n))
    print(work.called(helpers.one, n), work.called(own, n), work.called(lambda k: k + 4, n))
    print(work.given(Item(n)), work.default(n), work.named(n))
""",
}
ALL = frozenset(
    "plain deeper constants steps decorated closed methods registered lazily plugged called given"
    " default named".split()
)
# What is edited, and the functions whose calls are made again.
EDITS: dict[str, tuple[str, str, str, set[str]]] = {
    "a comment": ("work.py", "# what it does", "# what it is", set()),
    "lines above": ("work.py", "import sys", "# one\n\n\nimport sys", set()),
    "layout": (
        "helpers.py",
        "return deep(n) * by * SCALE",
        "return (deep(n)\n      * by * SCALE)",
        set(),
    ),
    "what nobody calls": ("helpers.py", "return n - 1", "return n - 2", set()),
    "a constant that nobody reads": ("helpers.py", "UNUSED = 5", "UNUSED = 6", set()),
    "another class": ("helpers.py", "        return 0", "        return 1", set()),
    "a module that is not used": ("apart.py", "return n", "return n + 1", set()),
    "the function itself": ("work.py", "    return n + 1\n", "    return n + 2\n", {"plain"}),
    "a helper of a helper": (
        "helpers.py",
        "    return n + 1\n",
        "    return n + 3\n",
        {"deeper", "named"},
    ),
    "a default argument": ("helpers.py", "by=3", "by=4", {"deeper"}),
    "a constant": ("helpers.py", "SCALE = 2", "SCALE = 3", {"deeper", "default"}),
    "what a table holds": ("helpers.py", "[1, 2]", "[5, 2]", {"constants"}),
    "a tuple": ("helpers.py", '("x", "y")', '("x", "y", "z")', {"constants"}),
    "functions in a list": ("helpers.py", "lambda n: n * 2", "lambda n: n * 3", {"steps"}),
    "their order": (
        "helpers.py",
        "lambda n: n + 1, lambda n: n * 2",
        "lambda n: n * 2, lambda n: n + 1",
        {"steps"},
    ),
    "a decorator": ("helpers.py", "+ 0", "+ 1", {"decorated"}),
    "what is decorated": ("work.py", "return n + 5", "return n + 6", {"decorated"}),
    "what a closure holds": ("helpers.py", "adder(2)", "adder(3)", {"closed"}),
    "a closure's code": ("helpers.py", "return n + k", "return n - k", {"closed"}),
    "an attribute of a class": ("helpers.py", "FACTOR = 10", "FACTOR = 11", {"methods", "given"}),
    "a method": (
        "helpers.py",
        "        return self.n\n",
        "        return self.n + 1\n",
        {"methods", "given"},
    ),
    "a property": ("helpers.py", "self.n * 2", "self.n * 4", {"methods", "given"}),
    "a static method": ("helpers.py", "return 7", "return 8", {"methods", "given"}),
    "an operator": ("helpers.py", "self.n == other.n", "self.n != other.n", {"methods", "given"}),
    "a base class": (
        "helpers.py",
        "class Item(Base)",
        "class Item(Base, Exception)",
        {"methods", "given"},
    ),
    "a function in a registry": (
        "helpers.py",
        "return n + 100",
        "return n + 101",
        {"registered", "called"},
    ),
    "which one is registered": ("helpers.py", '"one": one', '"one": two', {"registered"}),
    "a module imported late": ("lazy.py", "n * LEVEL", "n + LEVEL", {"lazily"}),
    "a constant imported late": ("lazy.py", "LEVEL = 3", "LEVEL = 4", {"lazily"}),
    "a module found by its name": ("plugin_a.py", "n + 11", "n + 12", {"plugged"}),
    "a function of the script": ("main.py", "n * 3", "n * 4", {"called"}),
    "a lambda of the script": ("main.py", "k + 4", "k + 5", {"called"}),
}
# What runs modules that are found by their names counts the whole project, and so does what names
# attributes by texts: rather too much is made again there.
WIDE = {"plugged", "named"}


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """The project, and what its first run has kept."""
    project = Project(tmp_path_factory.mktemp("base") / "project", FILES)
    told = project.same()
    assert {name.removeprefix("work.") for name in told} == ALL
    least = {"work.called": 9}
    assert all(kept >= least.get(name, 3) for name, (_, kept) in told.items()), told
    return project


def test_nothing_is_made_again_without_an_edit(base: Project) -> None:
    """The same program, once more."""
    told = base.same()
    assert all(kept == 0 for _, kept in told.values()), told
    least = {"work.called": 9}
    assert all(hits >= least.get(name, 3) for name, (hits, _) in told.items()), told


@pytest.mark.parametrize("edit", EDITS)
def test_an_edit(base: Project, edit: str) -> None:
    """What reaches the edit is made again, and all else is there."""
    name, before, after, reached = EDITS[edit]
    store = base.folder / ".cord"
    saved = base.folder.parent / "saved"
    shutil.copytree(store, saved)
    texts = {one: (base.folder / one).read_text() for one in FILES}
    try:
        base.edit(name, before, after)
        told = base.same()
        made = {one.removeprefix("work.") for one, (_, kept) in told.items() if kept}
        assert made - WIDE == reached - WIDE, told
        assert made >= reached
    finally:
        shutil.rmtree(store)
        shutil.move(saved, store)
        for one, text in texts.items():
            base.write(one, text)
