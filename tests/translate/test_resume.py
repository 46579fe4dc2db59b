"""The rest of a region after one of its calls."""

from __future__ import annotations

import ast
import textwrap
from pathlib import Path

import pytest
from translator_lab import read_project

from cord.translate.analyse.resume import rest_after
from cord.translate.lower.lower import lower
from cord.translate.lower.tree import Call, Exit, For, If, Node, Try, While, walk
from cord.translate.results import MAIN
from cord.translate.sites.sites import find_sites


def region(folder: Path, text: str) -> list[Node]:
    project = read_project(folder, "from work import f\n" + textwrap.dedent(text))
    module = project.modules[MAIN]
    found = find_sites(project, module, module.tree)
    return lower(project, found, found.regions[0])


def outline(block: list[Node]) -> str:
    """Calls as ``f1``; what is left of the turn under way stands before ``;``."""
    words = []
    for node in block:
        match node:
            case Call():
                words.append("f" + ast.unparse(node.args[0]))
            case If():
                words.append(f"if({outline(node.body)}|{outline(node.orelse)})")
            case For() | While():
                first = "" if node.first is None else outline(node.first) + ";"
                kind = "for" if isinstance(node, For) else "while"
                pre = outline(node.pre) + "?" if isinstance(node, While) and node.pre else ""
                words.append(f"{kind}({first}{pre}{outline(node.body)}|{outline(node.orelse)})")
            case Try():
                parts = [node.body, *(h.body for h in node.handlers), node.orelse, node.final]
                words.append("try(" + "|".join(outline(part) for part in parts) + ")")
            case Exit():
                words.append(node.kind)
            case _ if type(node).__name__ == "Match":
                words.append("match")
    return " ".join(words)


def rest(folder: Path, text: str, after: int) -> str:
    body = region(folder, text)
    (call,) = (
        node for node in walk(body) if isinstance(node, Call) and outline([node]) == f"f{after}"
    )
    left = rest_after(body, call.site)
    assert left is not None
    return outline(left)


LOOP = "for a in x:\n    f(1)\n    f(2)\nelse:\n    f(3)\nf(4)\n"
NESTED = "for a in x:\n    f(1)\n    for b in y:\n        f(2)\n        f(3)\n    f(4)\nf(5)\n"
TRY = (
    "try:\n    f(1)\n    f(2)\nexcept E:\n    f(3)\n    f(4)\n"
    "else:\n    f(5)\nfinally:\n    f(6)\nf(7)\n"
)
WHILE = "while f(1) or f(2):\n    f(3)\n    f(4)\nelse:\n    f(5)\nf(6)\n"
MATCH = "match x:\n    case 1:\n        f(1)\n        f(2)\n    case 2:\n        f(3)\nf(4)\n"


@pytest.mark.parametrize(
    ("text", "after", "left"),
    [
        ("f(1)\nf(2)\nf(3)\n", 1, "f2 f3"),
        ("f(1)\nf(2)\nf(3)\n", 3, ""),
        ("if x:\n    f(1)\n    f(2)\nelse:\n    f(3)\nf(4)\n", 1, "f2 f4"),
        ("if x:\n    f(1)\n    f(2)\nelse:\n    f(3)\nf(4)\n", 3, "f4"),
        (LOOP, 1, "for(f2;f1 f2|f3) f4"),
        (LOOP, 2, "for(;f1 f2|f3) f4"),
        (LOOP, 3, "f4"),
        (NESTED, 2, "for(for(f3;f2 f3|) f4;f1 for(f2 f3|) f4|) f5"),
        (NESTED, 1, "for(for(f2 f3|) f4;f1 for(f2 f3|) f4|) f5"),
        (NESTED, 4, "for(;f1 for(f2 f3|) f4|) f5"),
        (TRY, 1, "try(f2|f3 f4|f5|f6) f7"),
        (TRY, 3, "f4 f6 f7"),
        (TRY, 5, "f6 f7"),
        (TRY, 6, "f7"),
        (WHILE, 3, "while(f4;f1 if(|f2)?f3 f4|f5) f6"),
        (WHILE, 2, "while(if(f3 f4|f5 break);f1 if(|f2)?f3 f4|f5) f6"),
        (WHILE, 5, "f6"),
        (MATCH, 1, "f2 f4"),
        (MATCH, 3, "f4"),
    ],
)
def test_the_rest_after_a_call(text: str, after: int, left: str, tmp_path: Path) -> None:
    assert rest(tmp_path, text, after) == left


def test_a_call_that_is_not_there(tmp_path: Path) -> None:
    assert rest_after(region(tmp_path, "f(1)\n"), 7) is None


def test_the_region_itself_is_left_alone(tmp_path: Path) -> None:
    body = region(tmp_path, NESTED)
    before = outline(body)
    rest_after(body, 1)
    assert outline(body) == before
