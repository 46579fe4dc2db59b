"""How what a guard refused is named, and how a reason reads."""

from __future__ import annotations

import collections
import functools
import mmap
import random
import types
from collections.abc import Iterator
from typing import Any

import pytest

from cord.runtime.guards.telling import dotted, parameter, told
from cord.tools.explain.claims import AHEAD, IN_PLACE, Claim
from cord.tools.explain.reasons import Met, Told


class Image:
    def __init__(self, size: object = 0) -> None:
        self.size = size

    def __eq__(self, other: object) -> bool:
        return False

    __hash__ = None  # type: ignore[assignment]


class Packed:
    def __reduce__(self) -> str:
        return "packed"


class Missing:
    def __getattr__(self, name: str) -> int:
        return 0


class Backwards(list[int]):
    def __iter__(self) -> Iterator[int]:
        return reversed(self)


def resize(image: object, width: int = 0, *, fast: bool = False) -> None:
    pass


HERE = __name__
_UNKNOWN = f"a {HERE}.Backwards is encoded by code that is not known"


@pytest.mark.parametrize(
    ("value", "name"),
    [
        (random.random, "random.Random.random"),
        (len, "len"),
        ("".join, "str.join"),
        (resize, f"{HERE}.resize"),
        (functools.partial(resize, 1), f"{HERE}.resize"),
        (Image().__init__, f"{HERE}.Image.__init__"),
        (Image, f"{HERE}.Image"),
        (mmap.mmap.find, "mmap.mmap.find"),
    ],
)
def test_functions_have_the_names_that_assume_has(value: object, name: str) -> None:
    assert dotted(value) == name


@pytest.mark.parametrize(
    ("why", "about", "part", "named"),
    [
        ("Unplain", [1, {"a": (2, Image())}], None, f"an {HERE}.Image"),
        ("Unplain", 3, Image(), f"an {HERE}.Image"),
        ("Unplain", ..., None, "a name without a value"),
        ("Function", dotted, (1,), "cord.runtime.guards.telling.dotted"),
        ("Function", sorted, ([Image()],), f"sorted(), given an {HERE}.Image,"),
        ("Function", sorted, ([1],), "sorted(), called like that,"),
        ("Unplain", 3, 4, "this operation"),
        ("Attribute", Image(), "gone", f"reading {HERE}.Image.gone"),
        ("Method", collections.deque(), "rotate", "collections.deque.rotate"),
        ("Method", types, "coroutine", "types.coroutine"),
        ("Attribute", Missing(), "x", f"__getattr__() of {HERE}.Missing"),
        ("Attribute", Image(), "__init__", f"{HERE}.Image.__init__"),
        ("Encoding", [1, (2, Backwards())], None, _UNKNOWN),
        ("Change", collections.Counter(), None, "a collections.Counter"),
        ("Missing", None, None, ""),
    ],
)
def test_what_a_reason_is_about(why: str, about: object, part: object, named: str) -> None:
    assert told(why, about, part) == (named, "", None)


@pytest.mark.parametrize(
    ("value", "hook"), [(Packed(), Packed.__reduce__), (Missing(), Missing.__getattr__)]
)
def test_what_encodes_itself_is_told_with_its_line(value: object, hook: Any) -> None:
    named, _, _ = told("Encoding", [[value]], None)
    line = hook.__code__.co_firstlineno
    assert named.startswith(f"{HERE}.{type(value).__name__} has a {hook.__name__} of its own (")
    assert f"{line})" in named


def test_exceptions_are_told_by_their_class_with_an_example() -> None:
    assert told("Raised", KeyError("x" * 50), None) == ("KeyError", f"'{'x' * 36}...", None)


@pytest.mark.parametrize(
    ("args", "kwargs", "guessed", "guessed_kwargs", "named"),
    [
        ((1, 2), None, (1, 3), None, ("width", "2, not 3")),
        ((1,), {"fast": True}, (1,), {"fast": False}, ("fast", "True, not False")),
        (([1],), None, ([2],), None, ("image", "")),
        ((1.0,), None, (1,), None, ("image", "1.0, not 1")),
        ((1, 2, 3), None, (1, 2, 4), None, ("fast", "3, not 4")),
        (("a" * 99,), None, ("b",), None, ("image", f"'{'a' * 17}...{'a' * 18}', not 'b'")),
    ],
)
def test_the_parameter_in_which_calls_differ(
    args: tuple[object, ...],
    kwargs: dict[str, object] | None,
    guessed: tuple[object, ...],
    guessed_kwargs: dict[str, object] | None,
    named: tuple[str, str],
) -> None:
    assert parameter(resize, args, kwargs, guessed, guessed_kwargs) == named


def test_what_may_have_changed_inside_is_not_compared() -> None:
    image = Image()
    assert parameter(resize, (image,), None, (image,), None) == ("", "")
    assert parameter(len, (1,), None, (2,), None) == ("argument 1", "1, not 2")


def claim(verdict: str, is_remote: bool = True, passed: str = "") -> Claim:
    place = ("__main__", 0)
    where = ("main.py:4", "/x/main.py", 4, 4)
    told = ("f(x)", verdict, (), "it is so", "do so")
    return Claim(place, *where, *told, is_remote=is_remote, passed=passed)


def met(name: str, count: int, of: str = "m.f", example: str = "") -> Met:
    return name, "nothing says so", of, example, ("/x/main.py", (3, 3), (0, 0)), count


def lines(claim: Claim, *reasons: Met, distance: tuple[int, int] | None = None) -> list[str]:
    return list(Told(list(reasons), distance).lines(claim, (0, 0, 0, 10, 0, 0), "main"))


def test_a_reason_is_a_sentence_with_count_place_and_remedy() -> None:
    assert lines(claim(AHEAD), met("Function", 8), distance=(1, 4)) == [
        "  ahead by 1 call as a rule, by 4 calls at most.",
        "  in place 8 of 10 times, because nothing says so, at line 3.",
        '    remedy: [assume] pure = ["m.f"] in cord.toml, if it has no effects',
        "  the text alone tells: ahead: it is so.",
    ]


def test_what_the_main_script_defines_is_declared_by_its_stem() -> None:
    said = lines(claim(AHEAD), met("Method", 8, "__main__.Box.size"))
    assert (
        said[1]
        == '    remedy: [assume] pure = ["main.Box.size"] in cord.toml, if it has no effects'
    )


def test_there_is_no_remedy_for_what_is_no_name_or_has_effects() -> None:
    for of in ("sorted(), given an Image,", "os.getpid", "__getattr__() of Odd", "m.<lambda>"):
        assert not any("[assume]" in line for line in lines(claim(AHEAD), met("Function", 8, of)))


def test_once_at_the_beginning_is_no_news() -> None:
    assert lines(claim(AHEAD), met("First", 1), met("Passed", 1)) == []
    assert len(lines(claim(AHEAD), met("First", 2))) == 2
    assert lines(claim(AHEAD, is_remote=False), met("First", 9)) == []
    assert len(lines(claim(AHEAD, is_remote=False), met("Unplain", 1))) == 2


def test_what_the_text_knows_is_told_in_its_words() -> None:
    assert lines(claim(IN_PLACE), met("Passed", 9), met("First", 1)) == lines(claim(IN_PLACE))
    assert lines(claim(IN_PLACE)) == [
        "  in place 10 of 10 times, as the text tells: it is so.",
        "    remedy: do so",
    ]
    [said, _] = lines(claim(AHEAD, passed="line 2: why"), met("Passed", 10))
    why = "nothing says so (line 2: why)"
    assert said == f"  in place 10 of 10 times, because {why}, at line 3."


def test_many_reasons_are_summed_up() -> None:
    said = lines(claim(AHEAD), *(met("Unplain", 1) for _ in range(8)))
    assert said[5] == "  in place 3 of 10 times for other reasons."
