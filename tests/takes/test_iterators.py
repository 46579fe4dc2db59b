"""Which of the program's iterators a scout can follow: by a copy, the original left alone."""

from __future__ import annotations

import csv
import io
import itertools
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from telling import List, Walker, told

from cord.runtime.objects.iterators import copy_iterator

COPIED: list[tuple[str, Callable[[], Any]]] = [
    ("list", lambda: iter([1, 2, 3, 4])),
    ("tuple", lambda: iter((1, 2, 3, 4))),
    ("str", lambda: iter("abcd")),
    ("str of any letters", lambda: iter("äöüß")),
    ("bytes", lambda: iter(b"abcd")),
    ("bytearray", lambda: iter(bytearray(b"abcd"))),
    ("range", lambda: iter(range(0, 40, 10))),
    ("range of large numbers", lambda: iter(range(1 << 70, (1 << 70) + 4))),
    ("dict", lambda: iter({1: "a", 2: "b", 3: "c", 4: "d"})),
    ("dict.values", lambda: iter({1: "a", 2: "b", 3: "c", 4: "d"}.values())),
    ("dict.items", lambda: iter({1: "a", 2: "b", 3: "c", 4: "d"}.items())),
    ("set", lambda: iter({1, 2, 3, 4})),
    ("frozenset", lambda: iter(frozenset({1, 2, 3, 4}))),
    ("enumerate", lambda: enumerate("abcd", 5)),
    ("zip", lambda: zip([1, 2, 3, 4], "abcd", strict=False)),
    ("zip, strict", lambda: zip([1, 2, 3, 4], "abcd", strict=True)),
    ("reversed list", lambda: reversed([1, 2, 3, 4])),
    ("reversed tuple", lambda: reversed((1, 2, 3, 4))),
    ("reversed str", lambda: reversed("abcd")),
    ("reversed range", lambda: reversed(range(4))),
    ("zip of enumerate", lambda: zip("wxyz", enumerate([1, 2, 3, 4]), strict=False)),
    (
        "enumerate of zip of reversed",
        lambda: enumerate(zip("abcd", reversed([1, 2, 3, 4]), strict=False)),
    ),
]

REFUSED: list[tuple[str, Callable[[], Any]]] = [
    ("a generator", lambda: (i for i in range(3))),
    ("a file", lambda: open(__file__)),  # noqa: SIM115
    ("lines of a text", lambda: io.StringIO("a\nb\n")),
    ("rows", lambda: csv.reader(["a;1", "b;2"], delimiter=";")),
    ("map", lambda: map(str, [1])),
    ("filter", lambda: filter(None, [1])),
    ("a class of the program", Walker),
    ("a list of the program's kind", lambda: iter(List([1]))),
    ("zip of a generator", lambda: zip([1], (i for i in range(3)), strict=False)),
    ("enumerate of a generator", lambda: enumerate(i for i in range(3))),
    ("enumerate of a class of the program", lambda: enumerate(Walker())),
    ("iter(callable, sentinel)", lambda: iter(lambda: 1, 2)),
    ("itertools.count", itertools.count),
    ("None", lambda: None),
    ("a number", lambda: 1),
]


def rows(table: list[tuple[str, Callable[[], Any]]]) -> Any:
    return pytest.mark.parametrize("make", [row[1] for row in table], ids=[row[0] for row in table])


@rows(COPIED)
@pytest.mark.parametrize("done", range(5))
def test_a_copy_goes_on_where_the_program_is(make: Callable[[], Iterator[Any]], done: int) -> None:
    whole = list(make())
    original = make()
    for _ in range(done):
        next(original)
    copied = copy_iterator(original)
    assert list(copied) == whole[done:]
    assert list(original) == whole[done:]


@rows(COPIED)
def test_a_copy_of_one_that_is_at_its_end(make: Callable[[], Iterator[Any]]) -> None:
    original = make()
    assert len(list(original)) == 4
    assert list(copy_iterator(original)) == []


@rows(REFUSED)
def test_what_cannot_be_followed_is_left_alone(make: Callable[[], Any]) -> None:
    original = make()
    told.clear()
    assert copy_iterator(original) is None
    assert told == []


def test_nothing_is_read_from_what_is_refused() -> None:
    read: list[int] = []

    def numbers() -> Iterator[int]:
        for number in range(3):
            read.append(number)
            yield number

    pairs = zip("abc", numbers(), strict=False)
    assert copy_iterator(pairs) is None
    assert read == []
    assert list(pairs) == [("a", 0), ("b", 1), ("c", 2)]


def test_a_copy_sees_what_the_program_appends() -> None:
    items = [1, 2]
    original = iter(items)
    next(original)
    copied = copy_iterator(original)
    items.append(3)
    assert list(copied) == [2, 3]
