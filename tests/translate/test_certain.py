"""Calls with effects: where a scout is certain that the program makes them, and why not elsewhere.

Every program here first calls ``send("start")``, and the scout starts there. ``committed`` are the
arguments of the other such calls that it issues, as written.
"""

from __future__ import annotations

import ast
import textwrap
from pathlib import Path

import pytest

from cord.translate.analyse.known import Known
from cord.translate.lower.tree import Call, Node, walk
from cord.translate.results import MAIN, Remote
from cord.translate.scouts import Scouts
from cord.translate.sites.project import Project

HEAD = "from work import send, f\nimport mystery\ndef main(p, q):\n    send('start')\n"
WORK = {"work": Remote(frozenset({"send", "f"}), frozenset({"send", "f"}), (), frozenset({"send"}))}


def analyse(folder: Path, text: str, head: str = HEAD) -> tuple[list[Node], Known]:
    (folder / "main.py").write_text(head + textwrap.indent(textwrap.dedent(text), "    "))
    scouts = Scouts(Project(str(folder / "main.py"), WORK, frozenset()))
    scouts.found(MAIN)
    analysed = scouts.analysis_after(MAIN, 0)
    assert analysed is not None
    return analysed


def committed(folder: Path, text: str, head: str = HEAD) -> list[str]:
    body, known = analyse(folder, text, head)
    calls = [node for node in walk(body) if isinstance(node, Call) and node in known.committed]
    return [", ".join(map(ast.unparse, call.args)) for call in calls]


@pytest.mark.parametrize(
    "text",
    [
        "send(p)",
        "x = send(p)",
        "x = []\nx.append(send(p))",
        "q[0] = send(p)",
        "x = [send(p) for _ in q]",
        "for x in q:\n    send(p)",
        "for i, x in enumerate(q):\n    if i % 2:\n        continue\n    send(p)",
        "while p < 3:\n    p = p + 1\n    send(p)",
        "try:\n    send(p)\nexcept OSError:\n    print(p)",
        "try:\n    x = p[0]\nfinally:\n    send(p)",
        "if p:\n    raise ValueError(p)\nsend(p)",
        "x, y = q\nsend(p)",
        "x = f'{p:>3}' + q.strip()\nsend(p)",
        "x = send(q)\ny = x\nsend(p)",  # a result may be kept
        "x = send(q)\nz = [x]\nsend(p)",
        "q += 1\nsend(p)",  # a guard doubts it where that changes an object
    ],
)
def test_a_call_that_is_certain_is_issued(tmp_path: Path, text: str) -> None:
    assert "p" in committed(tmp_path, text)


@pytest.mark.parametrize(
    "text",
    [
        # something else is done before
        "print(q)\nsend(p)",
        "mystery.change()\nsend(p)",
        "assert q\nsend(p)",
        "import os\nsend(p)",
        "def g(x=mystery.x):\n    pass\nsend(p)",
        "q.count += 1\nsend(p)",
        "q.name = 1\nsend(p)",
        "del q[0]\nsend(p)",
        "q.pop()\nsend(p)",
        "with q:\n    pass\nsend(p)",
        "with q:\n    send(p)",
        "f(q)\nsend(p)",  # may raise an exception
        "x = {1, 2}\nsend(p)",  # may be walked in another order
        "yield q\nsend(p)",
        "for q.x in p:\n    send(p)",
        "while mystery.more():\n    send(p)",
        "while q.pop():\n    send(p)",
        "for x in q:\n    send(p)\n    print(x)",
        "match q:\n    case 1:\n        send(p)",
        # results are looked at, or decide
        "x = send(q)\ny = x + 1\nsend(p)",
        "x = send(q)\nif x:\n    send(p)",
        "x = send(q)\nif x:\n    return\nsend(p)",
        "for x in q:\n    if send(x):\n        break\n    send(p)",
        # the call is a part of something larger
        "x = 1 + send(p)",
        "x = (q[0], send(p))",
        "x = {q[0]: send(p)}",
        "q[0].append(send(p))",
        "x.y.append(send(p))",
        "send(p) or q",
        "q.x = send(p)",
        "x = [(q[0], send(p)) for _ in q]",
        "x = sum(send(p) for _ in q)",
        "x = list(map(send, p))",
        # an exception is handled
        "try:\n    x = q[0]\nexcept KeyError:\n    send(p)",
    ],
)
def test_a_call_that_is_not_certain_is_left_to_the_program(tmp_path: Path, text: str) -> None:
    assert "p" not in committed(tmp_path, text)


def test_nothing_is_certain_behind_another_call(tmp_path: Path) -> None:
    head = "from work import send, f\ndef main(p, q):\n    f('start')\n"
    assert committed(tmp_path, "send(p)", head) == []


def test_nothing_is_certain_behind_a_call_within_an_expression(tmp_path: Path) -> None:
    head = "from work import send, f\ndef main(p, q):\n    print(send('start'))\n"
    assert committed(tmp_path, "send(p)", head) == []


def test_functions_that_a_scout_goes_into_issue_nothing(tmp_path: Path) -> None:
    head = "from work import send\ndef inner(p):\n    send(p)\ndef main(p, q):\n    send('start')\n"
    (tmp_path / "main.py").write_text(head + "    inner(p)\n")
    scouts = Scouts(Project(str(tmp_path / "main.py"), WORK, frozenset()))
    scouts.found(MAIN)
    _, known = scouts.analysis_entered(MAIN, "inner")
    assert not known.committed


def test_what_may_fail_on_the_way_is_done_by_the_scout(tmp_path: Path) -> None:
    (tmp_path / "main.py").write_text(
        HEAD + "    for x in p:\n        q[x]\n        y = 1 / x\n        send(x)\n"
    )
    scouts = Scouts(Project(str(tmp_path / "main.py"), WORK, frozenset()))
    scouts.found(MAIN)
    scout = scouts.after(MAIN, 0)
    assert scout is not None
    written = ast.unparse(ast.fix_missing_locations(scout.function))
    assert written.index("item(q, x)") < written.index("1, x)") < written.index("promise(")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (
            "print(q)\nsend(p)",
            "line 5: print may have effects or depend on more than its arguments",
        ),
        ("x = send(q)\nsend(x)", "line 5: it needs the result of send()"),
        ("f(q)\nsend(p)", "line 5: f() is called before"),
        ("x = 1 + send(p)", "line 5: it is a part of a larger expression"),
    ],
)
def test_the_reason_names_the_line(tmp_path: Path, text: str, reason: str) -> None:
    body, known = analyse(tmp_path, text)
    calls = [n for n in walk(body) if isinstance(n, Call) and n.callee == "work.send"]
    words = [known.passed[call].words() for call in calls if call in known.passed]
    assert [one.partition(", so it is")[0] for one in words] == [reason]
