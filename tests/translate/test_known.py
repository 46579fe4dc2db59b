"""What a scout knows where: which calls it makes, and the reason where it makes one not.

Every program here first calls ``f("start")``, and the scout starts there. ``issued`` are the
arguments of the other calls that it makes, as written.
"""

from __future__ import annotations

import ast
import textwrap
from pathlib import Path

import pytest
from translator_lab import scouts_of

from cord.translate.analyse.known import Known
from cord.translate.lower.tree import Call, Node, walk
from cord.translate.results import MAIN

HEAD = "from work import f, h\nimport mystery\ndef main(p, q):\n    f('start')\n"


def analyse(folder: Path, text: str) -> tuple[list[Node], Known]:
    main = HEAD + textwrap.indent(textwrap.dedent(text), "    ")
    scouts = scouts_of(folder, main)
    analysed = scouts.analysis_after(MAIN, 0)
    assert analysed is not None
    return analysed


def written(call: Call) -> str:
    return ", ".join(ast.unparse(argument) for argument in call.args)


def issued(folder: Path, text: str) -> list[str]:
    body, known = analyse(folder, text)
    calls = [node for node in walk(body) if isinstance(node, Call)]
    return [written(call) for call in calls if call in known.issued]


def reasons(folder: Path, text: str) -> list[str]:
    body, known = analyse(folder, text)
    calls = [node for node in walk(body) if isinstance(node, Call) and node in known.passed]
    return [known.passed[call].words() for call in calls]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # straight line
        ("x = 1\nf(x)", ["x"]),
        ("x = mystery.read()\nf(x)\nf(p)", ["p"]),
        ("x = mystery.read()\nx = 1\nf(x)", ["x"]),
        ("x = p.read()\nf(q)", ["q"]),
        ("x, y = mystery.read(), 2\nf(x)\nf(y)", []),  # a pair is known as a whole or not at all
        ("del p\nf(p)\nf(q)", ["q"]),
        ("x = f(p)\nf(x)\nf(q)", ["p", "x", "q"]),
        ("h(p)\nf(q)", ["q"]),  # h is not declared pure
        # changes through an unknown function
        ("mystery.change(p)\nf(p)\nf(q)", ["q"]),
        ("print(p)\nf(p)", ["p"]),
        ("p.change()\nf(p)\nf(q)", ["q"]),
        # attribute paths
        ("p.a = 1\nf(p.a)\nf(p.b)\nf(p)\nf(q)", ["p.b", "q"]),
        ("p.a.change()\nf(p.a)\nf(p.a.b)\nf(p.b)", ["p.b"]),
        ("p.a[0] = 1\nf(p.a)\nf(p.b)", ["p.a", "p.b"]),
        ("p.a += 1\nf(p.a)\nf(p.b)", ["p.b"]),
        ("p[0].a = 1\nf(p)\nf(q)", ["q"]),
        # containers of the scout's own
        ("x = []\nx.append(1)\nf(x)", ["x"]),
        ("x = {}\nx['a'] = 1\nf(x)", ["x"]),
        ("p.append(1)\nf(p)", ["p"]),  # the scout starts with a copy
        ("x = p\nx.append(1)\nf(x)\nf(q)", ["x", "q"]),
        ("x = []\ny = x\ny.append(1)\nf(y)", ["y"]),
        ("for x in p:\n    x.append(1)\n    f(x)\nf(q)", ["x", "q"]),
        ("x = sorted(p)\nx.append(1)\nf(x)", ["x"]),
        # branches
        ("if p:\n    f(1)\nelse:\n    f(2)\nf(3)", ["1", "2", "3"]),
        ("if f(p):\n    f(1)\nelse:\n    q = 2\nf(q)\nf(3)", ["p", "1", "q", "3"]),
        ("x = 1\nif p:\n    x = mystery.read()\nf(x)\nf(2)", ["2"]),
        ("if p:\n    x = mystery.read()\nelse:\n    return\nf(x)\nf(2)", ["2"]),
        ("if p:\n    return\nf(1)", ["1"]),
        ("if f(p):\n    return\nf(1)", ["p", "1"]),
        ("return\nf(1)", []),
        # loops
        ("for x in p:\n    f(x)\nf(1)", ["x", "1"]),
        ("for x in f(p):\n    f(x)\nf(1)", ["p", "x", "1"]),
        ("n = 0\nfor x in p:\n    f(n)\n    n += 1", ["n"]),
        ("n = 0\nfor x in p:\n    f(n)\n    n = f(x)", ["n", "x"]),
        ("n = 0\nfor x in p:\n    f(n)\n    n = f(x)\nf(n)", ["n", "x", "n"]),
        ("while p:\n    f(p)\n    p -= 1\nf(1)", ["p", "1"]),
        ("while f(p):\n    f(1)\nf(2)", ["p", "1", "2"]),
        ("while True:\n    f(1)\nf(2)", ["1"]),
        ("while True:\n    f(1)\n    if p: break\nf(2)", ["1", "2"]),
        # try
        ("try:\n    x = 1\n    f(1)\nexcept E:\n    x = 2\nf(x)", ["1", "x"]),
        ("try:\n    x = mystery.read()\nexcept E:\n    x = 2\nf(x)\nf(3)", ["3"]),
        ("x = 1\ntry:\n    x = mystery.read()\n    x = 2\nexcept E:\n    f(x)\nf(x)\nf(3)", ["3"]),
        ("try:\n    f(1)\nexcept E as e:\n    f(e)\n    f(2)", ["1", "2"]),
        ("try:\n    f(1)\nfinally:\n    f(2)\nf(3)", ["1", "2", "3"]),
        # match
        ("match p:\n    case [a, *b]:\n        f(a)\n        f(b)\nf(1)", ["a", "b", "1"]),
        ("match f(p):\n    case [a]:\n        f(a)\nf(1)", ["p", "a", "1"]),
    ],
)
def test_which_calls_are_made(text: str, expected: list[str], tmp_path: Path) -> None:
    assert issued(tmp_path, text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "x = mystery.read()\nf(x)",
            "line 5: mystery.read may have effects or depend on more than its arguments",
        ),
        ("x = set()\nx.add(f(1))\nf(x)", "line 6: it needs the result of f()"),
        ("h(1)", "line 5: work.h is not declared pure"),
        ("mystery.change(p)\nf(p)", "line 5: mystery.change() may change p"),
        ("del p.a\nf(p.a)", "line 5: p is changed here"),
        ("return\nf(1)", "line 6: the scout ends before it"),
        ("with p as x:\n    f(x)", "line 5: it comes from a context manager"),
    ],
)
def test_the_reason_names_a_line(text: str, expected: str, tmp_path: Path) -> None:
    assert reasons(tmp_path, text) == [expected]


def test_a_loop_on_something_unknown_ends_the_scout(tmp_path: Path) -> None:
    """A scout that passed the loop by would ask for the calls behind it too early."""
    main = "from work import f\nn = 3\nwhile n:\n    f(1)\n    f(2)\n    n = input()\nf(3)\n"
    analysed = scouts_of(tmp_path, main).analysis_after(MAIN, 0)
    assert analysed is not None
    body, known = analysed
    assert [node.line for node in known.ends] == [3]
    assert [written(n) for n in walk(body) if isinstance(n, Call) and n in known.issued] == ["2"]
