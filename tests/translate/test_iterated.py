"""Which calls give an iterator that is only iterated over: a buffer may stand in front of it."""

from __future__ import annotations

import ast

import pytest

from cord.translate.sites.iterated import iterated_calls
from cord.translate.sites.project import Meaning

READ = {
    "directly": "for x in make(): pass",
    "in a comprehension": "[x for x in make()]",
    "by a builtin": "for i, x in enumerate(make()): pass",
    "by several": "print(list(zip(range(3), map(str, make()))))",
    "unpacked": "a, *rest = make()",
    "as arguments": "print(*make())",
    "asked for one": "xs = make()\nnext(xs)\nfor x in xs: pass",
    "asked whether": "3 in make()",
    "through iter": "xs = iter(make())\nfor x in xs: break\nfor x in xs: pass",
    "bound to itself": "xs = make()\nxs = iter(xs)\nfor x in xs: pass",
    "in a block": "with make() as xs:\n    for x in xs: pass\nprint(xs.closed)",
    "in a function of its own": "def f():\n    xs = make()\n    return [x for x in xs]",
    "joined": "''.join(make())",
}
NOT_READ = {
    "kept in an attribute": "self.xs = make()",
    "passed on": "show(make())",
    "returned": "def f(): return make()",
    "asked for more": "xs = make()\nfor x in xs: print(xs.line_num)",
    "shown": "xs = make()\nprint(xs)",
    "shown in an inner function": "xs = make()\ndef f(): return xs",
    "asked for more in its block": "with make() as xs:\n    xs.readline()",
    "declared global": "def f():\n    global xs\n    xs = make()\n    for x in xs: pass",
    "driven": "def f():\n    yield from make()",
    "looked at with all others": "def f():\n    xs = make()\n    print(locals())\n    next(xs)",
    "in a class": "class A:\n    xs = make()\n    for x in xs: pass",
    "compared": "make() == 3",
}


def is_iterated(text: str) -> bool:
    tree = ast.parse(text)
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    meanings = {
        call: Meaning("builtin", "", call.func.id)
        for call in calls
        if isinstance(call.func, ast.Name) and call.func.id != "make"
    }
    found = iterated_calls(tree, lambda call: call not in meanings and _is_make(call), meanings)
    return bool(found)


def _is_make(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Name) and call.func.id == "make"


@pytest.mark.parametrize("text", READ.values(), ids=READ)
def test_only_iterated_over(text: str) -> None:
    assert is_iterated(text)


@pytest.mark.parametrize("text", NOT_READ.values(), ids=NOT_READ)
def test_used_otherwise(text: str) -> None:
    assert not is_iterated(text)
