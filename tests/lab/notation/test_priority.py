"""Priorities: C becomes Python with the same value."""

from __future__ import annotations

import pytest
from imported import errors, notes, one_call, remote

# where the text of the attribute begins, in the second line
BEGIN = len('module scorer { source = "C" "remote" :: define interface score : priority = "')


def scorer(text: str, types: str = "") -> str:
    pattern = f": pattern = {{ {types} }}" if types else ""
    return one_call("", f': priority = "{text}" {pattern}')


def python(text: str, types: str = "") -> str:
    written = remote(scorer(text, types))["priority"]
    assert isinstance(written, str)
    return written


@pytest.mark.parametrize(
    ("c", "written"),
    [
        ("strlen(x)", "len(x)"),
        ("-x", "-x"),
        ("x", "x"),
        ("5", "5"),
        ("x > 3 && x < 9", "x > 3 and x < 9"),
        ("!x || x == 2", "not x or x == 2"),
        ("!x == y", "(not x) == y"),
        ("x && 5", "bool(x) and bool(5)"),
        ("1 < x < 3", "(1 < x) < 3"),
        ("x ? 1 : x > 2 ? 2 : 3", "1 if x else 2 if x > 2 else 3"),
        ("(x + 1) * 2", "(x + 1) * 2"),
        ("x - (y - z)", "x - (y - z)"),
        ("x & 1 == 0", "x & (1 == 0)"),  # as C has it, and few people expect
        ("x << 2 | 1", "x << 2 | 1"),
        ("x >> 1 >= 2", "x >> 1 >= 2"),
        ("fabs(x)", "abs(x)"),
        ("max(x, MIN(1, 2))", "max(x, min(1, 2))"),
        ("(int)x", "int(x)"),
        ("(unsigned long)(x + 0.5)", "int(x + 0.5)"),
        ("(float) strlen(x)", "float(len(x))"),
        ("0x1F + 010 + 7L + 1.5f", "31 + 8 + 7 + 1.5"),
        ("'a' - '\\\\n'", "97 - 10"),
        ("x[0] + x->size + x.y", "x[0] + x.size + x.y"),
        ("~x", "~x"),
        ("+x", "x"),
        ("x - -1", "x - -1"),
    ],
)
def test_translation(c, written):
    assert errors(scorer(c)) == []
    assert python(c) == written


def test_the_place_of_x_is_told():
    assert (
        f"2:{BEGIN - len('priority = ')}: x in this priority stands for a parameter of scorer.score"
        in notes(scorer("x + 1"))
    )
    assert not any("stands for" in note for note in notes(scorer("1")))


# what C computes, for x of -7, -1, 0, 2 and 9
DIVISIONS = {
    ("x / 2", "integer"): [-3, 0, 0, 1, 4],
    ("x % 4", "integer"): [-3, -1, 0, 2, 1],
    ("x / -2", "long"): [3, 0, 0, -1, -4],
    ("x / 2", "float"): [-3.5, -0.5, 0, 1, 4.5],
    ("x / 2.0", "integer"): [-3.5, -0.5, 0, 1, 4.5],
    ("abs(x) / 2 * 2", "integer"): [6, 0, 0, 2, 8],
    ("(int)x / 2", "float"): [-3, 0, 0, 1, 4],
    ("(x > 0) + 1 / 2", "float"): [0, 0, 0, 1, 1],
    ("(x > 0 ? 7 : 5) / 2", "float"): [2, 2, 2, 3, 3],
    ("(double)x / 2", "integer"): [-3.5, -0.5, 0, 1, 4.5],
}


@pytest.mark.parametrize(("text", "kind"), DIVISIONS)
def test_division_is_that_of_c(text, kind):
    values = [eval(python(text, kind), {"x": x}) for x in (-7, -1, 0, 2, 9)]
    assert values == DIVISIONS[text, kind]


def test_division_of_natural_numbers_is_short():
    assert python("strlen(x) / 2 % 10") == "len(x) // 2 % 10"


@pytest.mark.parametrize("types", ["", "string integer", "matrix"])
def test_division_of_what_has_no_type_is_pythons_and_told(types):
    assert python("x / 2", types) == "x / 2"
    assert (
        f"2:{BEGIN + 3}: C divides whole numbers without remainder; here `/` is Python's"
        in notes(scorer("x / 2", types))
    )


def test_characters_of_strings_are_numbers():
    assert python("x[0] == 'a'", "string") == "ord(x[0]) == 97"


WRONG = {
    "": "0: priority: something is missing here",
    "x +": "3: priority: something is missing here",
    "strlen(x": "8: priority: `)` or `,` is missing here",
    "strlen(x))": "9: priority: `)` cannot stand here",
    "x = 3": "2: priority: `=` cannot stand here",
    "x @ 3": "2: priority: `@` cannot stand here",
    "1 + rank(x)": "4: priority: the function rank has no equal",
    "strlen(x, 3)": "0: priority: strlen takes one",
    "max(x)": "0: priority: max takes two arguments",
    "lambda + 1": "0: priority: lambda cannot be a name in Python",
    "09": "0: priority: 09 is not a number in C",
    "1.5 % 2": "0: priority: a float cannot stand here",
    "(char)x": "1: priority: a cast to char has no equal",
}


@pytest.mark.parametrize(("text", "said"), WRONG.items())
def test_what_has_no_equal(text, said):
    position, message = said.split(": ", 1)
    assert errors(scorer(text)) == [f"2:{BEGIN + 1 + int(position)}: {message}"]
    assert "priority" not in remote(scorer(text))


def test_addresses_of_strings_have_no_equal():
    (error,) = errors(scorer("x + 1", "string"))
    assert "the address of a string" in error


def test_places_in_strings_with_escapes():
    (error,) = errors(scorer("1 + \\\\x @ 2"))
    assert error.startswith(f"2:{BEGIN + 5}: ")


def test_deep_nesting_is_refused_or_read():
    deep = "(" * 20_000 + "x" + ")" * 20_000
    assert python(deep) == "x"
    assert errors(scorer("-" * 20_000 + "x"))[0].endswith("priority is nested too deeply")
