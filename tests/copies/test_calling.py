"""A statement goes on behind one of its calls: with what that has returned in its place."""

from __future__ import annotations

import ast

import pytest

from cord.runtime.copies.unknown.calling import CannotResumeError, behind, called_by_name
from cord.runtime.copies.unknown.guarding import name_of


def made_of(text: str) -> str:
    """The statement behind the call of `the` or `it.the`, as text."""
    [statement] = ast.parse(text).body
    [call] = [
        one
        for one in ast.walk(statement)
        if isinstance(one, ast.Call) and ast.unparse(one.func).endswith("the")
    ]
    assert call.end_lineno is not None
    assert call.end_col_offset is not None
    place = (call.lineno, call.end_lineno, call.col_offset, call.end_col_offset)
    made = ast.unparse(behind(statement, place, name_of("value")))
    assert ast.unparse(statement) == ast.unparse(ast.parse(text).body[0]), "it stays as it is"
    assert called_by_name(statement, place) in (["the"], ["it", "the"], [])
    return made


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("the()", "value"),
        ("x = the(1, f(2))", "x = value"),
        ("x[i].y = z.append(it.the(1)[0], f(3))", "x[i].y = z.append(value[0], f(3))"),
        ("x += the()", "x += value"),
        ("return_ = a if not the() else f()", "return_ = a if not value else f()"),
        ("return_ = f() if the() else g()", "return_ = f() if value else g()"),
        ("if the():\n    f()", "if value:\n    f()"),
        ("for x in the():\n    f()", "for x in value:\n    f()"),
        ("with the() as x:\n    f()", "with value as x:\n    f()"),
        ("x = [f(y) for y in the()]", "x = [f(y) for y in value]"),
        ("x = f(*the(), **g())", "x = f(*value, **g())"),
        ("x = f(key=the())", "x = f(key=value)"),
        ("x = a and the() and g()", "x = a and value and g()"),
        ("x = f().g(h().the())", None),
        ("x = f'{a}: {the()}'", "x = f'{a}: {value}'"),
        ("x = (f(), the())", None),
        ("x = f(g(), the())", None),
        ("x = f() and the()", None),
        ("x = the() if f() else 1", None),
        ("x = [the() for y in z]", None),
        ("x = lambda: the()", None),
        ("x = {f(): 1, 2: the()}", None),
        ("with f() as x, the() as y:\n    pass", None),
        ("while the():\n    pass", None),
        ("del x[the()]", None),
    ],
)
def test_what_was_computed_before_is_computed_again_unless_it_calls(
    text: str, expected: str | None
) -> None:
    if expected is None:
        with pytest.raises(CannotResumeError):
            made_of(text)
    else:
        assert made_of(text) == expected


def test_what_is_no_call_of_the_statement_is_refused() -> None:
    [statement] = ast.parse("x = f(1)").body
    with pytest.raises(CannotResumeError):
        behind(statement, (1, 1, 0, 5), name_of("value"))
