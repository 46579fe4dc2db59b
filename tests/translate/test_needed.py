"""What a scout leaves out: all that no argument of a call, and no way to a call, depends on."""

from __future__ import annotations

import ast
import re
import textwrap
from pathlib import Path

import pytest
from translator_lab import scouts_of

from cord.translate.emit.emit import Scout
from cord.translate.results import MAIN, MARK

HEAD = "from work import f\nimport mystery\ndef main(p, q):\n    f('start')\n"


def scout(folder: Path, text: str) -> Scout:
    main = HEAD + textwrap.indent(textwrap.dedent(text), "    ")
    made = scouts_of(folder, main).after(MAIN, 0)
    assert made is not None
    return made


def written(made: Scout) -> str:
    text = ast.unparse(ast.fix_missing_locations(made.function))
    return text.replace(repr(MARK)[1:-1], "")


@pytest.mark.parametrize(
    ("text", "gone"),
    [
        ("print('effect')\nf(1)", "print"),
        ("unused = p * 2\nf(1)", "unused"),
        ("total = 0\nfor x in p:\n    total += x\n    f(x)", "total"),
        ("out = []\nfor x in p:\n    out.append(f(x))", "append"),
        ("log = []\nlog.append(1)\nf(1)", "log"),
        ("if p:\n    a = 1\nelse:\n    a = 2\nf(1)", "truth"),
        ("for x in p:\n    a = x\nf(1)", "iter"),
        ("while p:\n    p -= 1\nf(1)", "while"),
        ("try:\n    a = 1\nexcept E:\n    a = 2\nf(1)", "try"),
        ("f(1)\na = 3\nb = a", "= 3"),
        ("a = [x for x in p]\nf(1)", "append"),
        ("f(1)\nreturn q", "q"),
    ],
)
def test_what_is_cut_away(text: str, gone: str, tmp_path: Path) -> None:
    assert gone not in written(scout(tmp_path, text))


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("a = p\nb = a + 1\nf(b)", "b = 'guard'.binary('add', a, 1)"),
        ("if p:\n    f(1)", "if 'guard'.truth(p):"),
        ("if p:\n    return\nf(1)", "if 'guard'.truth(p):"),
        ("for x in p:\n    if x:\n        break\n    f(1)", "break"),
        ("for x in p:\n    if x:\n        continue\n    f(1)", "continue"),
        ("while p:\n    p -= 1\n    f(1)", "p = 'guard'.binary('sub', p, 1)"),
        ("a = []\na.append(q)\nf(a)", "'guard'.mutate(True, a, 'append', q)"),
        ("try:\n    a = p[0]\nexcept KeyError:\n    a = 0\nf(a)", "except KeyError:"),
        ("if p:\n    raise ValueError\nf(1)", "'guard'.unwind()"),
    ],
)
def test_what_is_kept(text: str, kept: str, tmp_path: Path) -> None:
    assert kept in written(scout(tmp_path, text))


def test_a_scout_is_given_the_names_that_it_reads(tmp_path: Path) -> None:
    assert scout(tmp_path, "a = p\nf(a)\nf(q)").names == ("p", "q")
    assert scout(tmp_path, "p = 1\nf(p)").names == ()
    assert scout(tmp_path, "print(p)\nf(1)").names == ()


def test_it_is_given_copies_of_what_it_changes(tmp_path: Path) -> None:
    made = scout(tmp_path, "p.append(1)\nf(p)\nf(q)")
    assert made.copied == ("p",)
    assert scout(tmp_path, "p.append(1)\nf(q)").copied == ()


def test_which_sites_it_serves(tmp_path: Path) -> None:
    made = scout(tmp_path, "f(1)\nf(mystery.read())\nf(2)")
    assert made.sites == {1, 3}
    assert made.passed == {2}


def test_nothing_to_do_after_the_last_call(tmp_path: Path) -> None:
    made = scout(tmp_path, "a = p\nprint(a)")
    assert made.sites == frozenset()
    assert made.names == ()


@pytest.mark.parametrize(
    ("body", "usual"),
    [
        (
            "try:\n    if f(x) > 3: raise ValueError\n    break\nexcept ValueError:\n    p()",
            True,
        ),
        ("try:\n    if f(x) > 3: raise ValueError\nexcept ValueError: p()\nelse: break", True),
        ("try:\n    if f(x) > 3:\n        break\nexcept ValueError:\n    p()", False),
        ("try:\n    if f(x) > 3:\n        continue\n    break\nexcept ValueError:\n    p()", False),
        ("if f(x) > 3:\n    break", False),
    ],
)
def test_attempts_are_expected_to_succeed(tmp_path: Path, body: str, usual: bool) -> None:
    loop = f"for x in q:\n{textwrap.indent(body, '    ')}\nf('behind')"
    text = written(scout(tmp_path, loop))
    assert usual == bool(re.search(r"defer\(:s, (?:True|False), True", text))
