"""What names stand for at the top level of modules: all that they may, the likeliest first."""

from __future__ import annotations

import pytest
from source_lab import meanings, modules_of

TOOLS = "from math import sqrt as root\nimport os.path\ndef own(): pass\nLIMIT = 3\n"


@pytest.mark.parametrize(
    ("main", "callee", "found"),
    [
        ("import tools", "tools", ["module tools"]),
        ("import tools", "tools.own", ["defined tools.own"]),
        ("import tools as t", "t.LIMIT", ["variable tools.LIMIT"]),
        ("from tools import own as mine", "mine", ["defined tools.own"]),
        ("from tools import root", "root", ["library math.sqrt"]),
        ("import tools", "tools.os.path.join", ["library os.path.join"]),
        ("from tools import *", "root", ["library math.sqrt"]),
        ("import os.path", "os.path.join", ["library os.path.join"]),
        ("import numpy.linalg as la", "la.norm", ["library numpy.linalg.norm"]),
        ("class A: pass", "A", ["defined main.A"]),
        ("", "len", ["builtin len"]),
        ("", "str.join", ["builtin str.join"]),
        ("", "__file__", ["variable main.__file__"]),
        ("", "nothing", []),
    ],
)
def test_a_name_that_is_bound_once(main: str, callee: str, found: list[str]) -> None:
    assert meanings(callee, main, tools=TOOLS) == found


@pytest.mark.parametrize(
    ("main", "found"),
    [
        (
            "try:\n    from fast import f\nexcept ImportError:\n    def f(): pass",
            ["library fast.f", "defined main.f"],
        ),
        (
            "try:\n    from fast import f\nexcept ImportError:\n    from tools import own as f",
            ["defined tools.own", "library fast.f"],
        ),
        ("import sys\nif sys.argv:\n    def f(): pass\nelse:\n    f = None", None),
        ("def f(): pass\ndef f(): return 1", ["defined main.f", "defined main.f"]),
        ("def len(x): pass\nf = len", ["variable main.f"]),
    ],
)
def test_a_name_that_is_bound_in_several_places(main: str, found: list[str] | None) -> None:
    found = found or ["defined main.f", "variable main.f"]
    assert meanings("f", main, tools=TOOLS) == found


def test_the_last_definition_comes_first() -> None:
    known = modules_of("def f(): pass\nif 1:\n    def f(): pass\n").named["main"]
    assert [node.lineno for node in known.definitions["f"]] == [1, 3]
    assert known.functions["f"].lineno == 3


@pytest.mark.parametrize(
    "main",
    [
        "def load():\n    from tools import own as f",
        "class A:\n    from tools import own as f",
        "def load():\n    f = 1",
        "[f for f in ()]",
    ],
)
def test_what_is_bound_inside_is_not_seen_outside(main: str) -> None:
    assert meanings("f", main, tools=TOOLS) == []


@pytest.mark.parametrize(
    ("main", "found"),
    [
        ("def load():\n    global f\n    import json as f", ["library json", "variable main.f"]),
        ("def load():\n    global f\n    f = 1", ["variable main.f"]),
        ("global f\nf = 1", ["variable main.f"]),
        ("try: pass\nexcept E as f: pass", ["variable main.f"]),
        ("match 1:\n    case [f]: pass", ["variable main.f"]),
        ("[(f := x) for x in ()]", ["variable main.f"]),
    ],
)
def test_what_is_bound_for_the_module(main: str, found: list[str]) -> None:
    assert meanings("f", main) == found


def test_star_imports() -> None:
    main = "from tools import *\nfrom elsewhere import *\n"
    assert meanings("own", main, tools=TOOLS) == ["defined tools.own", "unseen elsewhere.own"]
    assert meanings("len", main, tools=TOOLS) == ["unseen elsewhere.len", "builtin len"]
    assert meanings("f", main, tools=TOOLS) == ["unseen elsewhere.f"]
    assert meanings("len", "from tools import *", tools=TOOLS) == ["builtin len"]
    assert meanings("len", "from tools import *", tools="def len(x): pass") == ["defined tools.len"]


def test_packages_and_relative_imports() -> None:
    project = {
        "pkg____init": "from .side import run\n",
        "pkg__side": "def run(): pass\n",
        "pkg__inner____init": "",
        "pkg__inner__deep": "from ..side import run as again\nfrom . import peer\n",
        "pkg__inner__peer": "def own(): pass\n",
    }
    main = "import pkg.inner.deep\n"
    assert meanings("pkg.run", main, **project) == ["defined pkg.side.run"]
    assert meanings("pkg.side", main, **project) == ["module pkg.side"]
    assert meanings("pkg.inner.deep.again", main, **project) == ["defined pkg.side.run"]
    assert meanings("peer.own", main, "pkg.inner.deep", **project) == ["defined pkg.inner.peer.own"]


def test_what_a_module_of_the_project_may_have_otherwise() -> None:
    assert meanings("tools.more", "import tools", tools=TOOLS) == ["unseen tools.more"]
    assert meanings("more", "from tools import more", tools=TOOLS) == ["unseen tools.more"]
    assert meanings("tools.len", "import tools", tools=TOOLS) == ["unseen tools.len"]


def test_modules_that_import_each_other() -> None:
    others = {"a": "from b import f\n", "b": "from a import f\n"}
    (found,) = meanings("f", "from a import f\n", **others)
    assert found.startswith("unseen ")
    stars = {"a": "from b import *\n", "b": "from a import *\ndef g(): pass\n"}
    assert meanings("g", "from a import *\n", **stars) == ["defined b.g"]


def test_relative_imports_outside_of_packages_lead_nowhere() -> None:
    found = modules_of("from . import tools\nfrom .. import more\n", tools="", **{"": "X = 1"})
    assert "" not in found.named


def test_the_nearest_modules_are_read_first() -> None:
    others = {"a": "import c\n" + "A = 1\n" * 50, "b": "B = 1\n", "c": "C = 1\n"}
    assert list(modules_of("import a, b\n", **others).named) == ["main", "a", "b", "c"]
    some = modules_of("import a, b\n", most=60, **others)
    assert list(some.named) == ["main", "a"]
    assert not some.is_whole
    assert modules_of("import a, b, elsewhere\n", most=10_000, **others).is_whole
