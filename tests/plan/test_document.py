"""Every key and value knows where it stands: lines and columns from 1, columns in characters."""

from __future__ import annotations

import pytest

from cord._core import parse_document


def places(text: str) -> dict[str, tuple[str, str]]:
    """For each key, dotted: the line and column of the key, and those of the value."""
    found: dict[str, tuple[str, str]] = {}

    def walk(entries, prefix):
        for name, (kind, value, line, column, key_line, key_column) in entries.items():
            found[prefix + name] = (f"{key_line}:{key_column}", f"{line}:{column}")
            if kind == "table":
                walk(value, f"{prefix}{name}.")

    walk(parse_document(text), "")
    return found


def test_keys_and_values():
    assert places('a = 1\n  b  =  "x"') == {"a": ("1:1", "1:5"), "b": ("2:3", "2:9")}


def test_columns_count_characters_not_bytes():
    assert places('"größe" = { ä = 1 }'.replace("ä", '"ä"'))["größe.ä"] == ("1:13", "1:19")
    assert places("# 😀\n'😀' = 1")["😀"] == ("2:1", "2:7")


def test_headers_stand_for_their_tables():
    text = '[a]\n[b.c]\nx = 1\n["d.e"]\n[b.f]'
    assert places(text) == {
        "a": ("1:2", "1:2"),
        "b": ("2:2", "2:2"),
        "b.c": ("2:4", "2:4"),
        "b.c.x": ("3:1", "3:5"),
        "b.f": ("5:4", "5:4"),
        "d.e": ("4:2", "4:2"),
    }


def test_dotted_keys_and_inline_tables():
    text = "a.b = { c = 1,\n d.e = 2 }"
    assert places(text) == {
        "a": ("1:1", "1:1"),
        "a.b": ("1:3", "1:7"),
        "a.b.c": ("1:9", "1:13"),
        "a.b.d": ("2:2", "2:2"),
        "a.b.d.e": ("2:4", "2:8"),
    }


def test_elements_of_a_list_over_several_lines():
    kind, elements, *_ = parse_document('x = [ # ä\n  "ä", 2,\n\n\t"c",\n]')["x"]
    assert kind == "array"
    assert [(value, line, column) for _, value, line, column, *_ in elements] == [
        ("ä", 2, 3),
        (2, 2, 8),
        ("c", 4, 2),
    ]


def test_windows_line_ends():
    assert places("a = 1\r\nb = '''\r\nx'''\r\nc = 3\r\n")["c"] == ("4:1", "4:5")


def test_kinds():
    text = 's = "x"\ni = 0x10\nf = 1e3\nb = true\nd = 1979-05-27\na = []\nt = {}\n[[l]]'
    assert {name: entry[:2] for name, entry in parse_document(text).items()} == {
        "s": ("string", "x"),
        "i": ("integer", 16),
        "f": ("float", 1000.0),
        "b": ("boolean", True),
        "d": ("datetime", "1979-05-27"),
        "a": ("array", []),
        "t": ("table", {}),
        "l": ("array", [("table", {}, 8, 1, 8, 1)]),
    }


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("a = ", 1, 5),
        ("ä", 1, 2),
        ("a = 1\nb = [1,\n2\nc = 3", 4, 1),
        ("a = " + "[" * 200, 1, 85),
        ("a = 99999999999999999999", 1, 5),
    ],
)
def test_what_is_not_toml_says_where(text, line, column):
    with pytest.raises(ValueError, match=r".") as caught:
        parse_document(text)
    assert caught.value.args[1:] == (line, column)
