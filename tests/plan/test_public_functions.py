"""Which functions of a module are remote."""

from __future__ import annotations

import ast

import pytest

from cord.plan.public import outline_of


def public(source: str, only: list[str] | None = None) -> list[str]:
    return outline_of(ast.parse(source)).public_functions(only)


def test_those_defined_at_the_top_level_without_underscore():
    source = """
import a
from b import c
class D:
    def method(self): ...
def f():
    def inner(): ...
def _g(): ...
h = lambda x: x
@decorated
def i(): ...
"""
    assert public(source) == ["f", "i"]


@pytest.mark.parametrize(
    "exports",
    [
        "__all__ = ['f', '_h']",
        "__all__ = ('f',)",
        "__all__: list[str] = ['f']",
        "__all__ = []\n__all__ += ['f']",
    ],
)
def test_all_narrows(exports):
    assert public(f"{exports}\ndef f(): ...\ndef g(): ...\ndef _h(): ...") == ["f"]


@pytest.mark.parametrize("exports", ["__all__ = names()", "__all__ = ['f', *others]"])
def test_all_that_cannot_be_read_does_not_count(exports):
    assert public(f"{exports}\ndef f(): ...\ndef g(): ...") == ["f", "g"]


def test_only_narrows():
    assert public("def f(): ...\ndef g(): ...\ndef _h(): ...", ["g", "_h", "i"]) == ["g"]


def test_definitions_inside_statements_count():
    source = """
if fast:
    def f(): ...
else:
    def f(): ...
try:
    import x
except ImportError:
    def g(): ...
finally:
    def h(): ...
with a:
    for b in c:
        def i(): ...
match d:
    case 1:
        def j(): ...
"""
    assert public(source) == ["f", "g", "h", "i", "j"]


def test_generators_and_coroutines_stay_in_the_program():
    source = """
def rows():
    for x in y:
        yield x
def delegated():
    yield from y
@decorated
def decorated_rows():
    yield
async def fetch(): ...
async def stream():
    yield
def makes_generators():
    def inner():
        yield
    return (x for x in inner())
def has_lambda():
    return lambda: (yield)
"""
    assert public(source) == ["makes_generators", "has_lambda"]
