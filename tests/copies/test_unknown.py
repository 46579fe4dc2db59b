"""What stands for values that are not known yet: what it computes as, and what it comes to."""

from __future__ import annotations

import hashlib
import io
import json
import pickle
import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

import pytest

from cord import _core
from cord.runtime.copies import unknown
from cord.runtime.copies.unknown import (
    dependents,
    leaves,
    marks,
    nodes,
    questions,
    texts,
    unseen,
)
from cord.runtime.copies.unknown.asking import _asked, _lines, _wrong
from cord.runtime.copies.unknown.given import _by as given_by
from cord.runtime.copies.unknown.leaf import Leaf
from cord.runtime.copies.unknown.lifting import lifted

unseen.define()


@dataclass
class Copy:
    """The rest of a copy: what has come, what it issued, and how it is told to go on."""

    replies: dict[int, Any] = field(default_factory=dict)
    issued: list[tuple[int, Any, Any]] = field(default_factory=list)
    asked: list[int] = field(default_factory=list)
    waits: bool = False
    wrong: list[str] = field(default_factory=list)
    digests: dict[int, int] = field(default_factory=dict)
    answers: dict[int, int] = field(default_factory=dict)
    stood: list[tuple[int, int, bool]] = field(default_factory=list)
    is_good: bool = True

    def come(self, number: int, value: Any) -> None:
        self.replies[number] = value
        unknown.arrived(number)

    def value_now(self, number: int) -> tuple[Any] | None:
        return (self.replies[number],) if number in self.replies else None

    def awaited(self, number: int) -> tuple[Any]:
        return (self.replies[number],)

    def must_wait(self, place: int) -> bool:
        self.asked.append(place)
        return self.waits

    def guesses_at(self, place: int, line: str) -> None:
        assert place in self.asked and line.startswith("test_unknown.py:")

    def was_wrong(self, _place: int, words: str) -> None:
        self.wrong.append(words.partition(": ")[2])

    def issue_late(self, *call: Any) -> None:
        *_, number, args, kwargs = call
        self.issued.append((number, args, kwargs))


def has_leaf(thing: Any) -> bool:
    """What the native side tells, in a copy."""
    if type(thing) in (list, tuple):
        return any(map(has_leaf, thing))
    if type(thing) is dict:
        return any(map(has_leaf, thing.values()))
    return isinstance(thing, Leaf) or (type(thing) is str and _core.MARK in thing)


@pytest.fixture
def copy(monkeypatch: pytest.MonkeyPatch) -> Iterator[Copy]:
    copy = Copy()
    for name in ("value_now", "awaited", "must_wait", "issue_late", "guesses_at", "was_wrong"):
        monkeypatch.setattr(_core, name, getattr(copy, name))
    monkeypatch.setattr(_core, "stood_for", lambda *told: copy.stood.append(told[:3]))
    monkeypatch.setattr(_core, "is_good_for", lambda _function: copy.is_good)
    monkeypatch.setattr(_core, "name_of", lambda one: getattr(one, "__name__", ""))
    monkeypatch.setattr(_core, "digest_of", copy.digests.get)
    monkeypatch.setattr(_core, "answer_of", copy.answers.get)
    monkeypatch.setattr(_core, "is_answered", copy.answers.__setitem__)
    monkeypatch.setattr(_core, "look", lambda: None)
    monkeypatch.setattr(_core, "leads", lambda _place: True)
    monkeypatch.setattr(_core, "is_unknown_in", has_leaf)
    yield copy
    kept_by_call = (nodes._values, nodes._never, dependents._waiting, _asked)
    for kept in (
        *kept_by_call,
        _lines,
        _wrong,
        leaves.containers,
        questions.of_others,
        nodes.drafts,
        questions.stand_ins,
        given_by,
    ):
        kept.clear()
    unknown.never(nodes._NOBODY)


def test_what_became_something_else_is_not_taken_for_the_next_one(copy: Copy) -> None:
    for number in range(1, 50):
        found = unknown.stand_in(number, ["a sample"])
        assert list.__len__(found) == 1 and not found._is_settled
        copy.come(number, ["it", "is"])
        assert found == ["it", "is"]


def depend(number: int, *args: Any, **kwargs: Any) -> bool:
    return unknown.depend(None, None, 0, number, args, kwargs)


def test_numbers_compute_as_the_sample_and_become_the_value(copy: Copy) -> None:
    number = unknown.stand_in(1, 10)
    assert number * 2 + 1 == 21
    assert depend(2, number * 2 + 1, -number, round(number / 4, 1))
    assert copy.issued == []
    copy.come(1, 7)
    assert copy.issued == [(2, (15, -7, 1.8), {})]


@pytest.mark.parametrize(
    "build",
    [
        lambda text: f"<{text}>",
        lambda text: "<" + text + ">",
        "<{}>".format,
        lambda text: f"  <{text}>\n".strip(),
        lambda text: texts.remainder("<%s%s", (text, ">")),
        lambda text: texts.remainder("<%(a)s>", {"a": text}),
        lambda text: "".join(["<", text, ">"]),
        lambda text: "<x>".replace("x", text),
    ],
)
def test_texts_are_found_in_texts_that_were_built_with_them(build: Any, copy: Copy) -> None:
    text = build(unknown.stand_in(1, "as before"))
    assert depend(2, text)
    copy.come(1, "new")
    assert copy.issued == [(2, ("<new>",), {})]


def test_numbers_are_found_in_texts(copy: Copy) -> None:
    number = unknown.stand_in(1, 0.5)
    assert depend(2, f"{number:.2f} and {number}", str(number))
    copy.come(1, 0.25)
    assert copy.issued == [(2, ("0.25 and 0.25", "0.25"), {})]


def test_texts_within_texts_within_texts(copy: Copy) -> None:
    inner = unknown.stand_in(1, "draft")
    outer = unknown.stand_in(2, "sample")
    assert depend(3, f"{outer} of [{inner}] of {inner.title()}")
    copy.come(1, "a plan")
    assert copy.issued == []
    copy.come(2, "doubt")
    [(_, args, _)] = copy.issued
    assert args == ("doubt of [a plan] of A Plan",)


def test_a_text_that_was_changed_by_c_code_is_given_up(copy: Copy) -> None:
    assert depend(2, f"the {unknown.stand_in(1, 'word')}".replace("w", "x"))
    copy.come(1, "sword")
    assert copy.issued == [(2, None, None)]


def test_what_looks_like_data_can_be_parsed(copy: Copy) -> None:
    text = unknown.stand_in(1, '{"a": [1, 2]}')
    assert json.loads(text) == {"a": [1, 2]}
    assert float(unknown.stand_in(2, "1.5")) == 1.5
    assert int(unknown.stand_in(3, "12")) == 12
    assert f"{text}".startswith('{"a"')
    assert lifted(re.fullmatch, (r"\w+", unknown.stand_in(4, "word")), {})
    assert texts.contains("abc", unknown.stand_in(5, "b"))


@dataclass
class Record:
    name: str
    weight: float
    parts: list[str]


def test_parts_of_records_become_parts_of_the_value(copy: Copy) -> None:
    record = unknown.stand_in(1, Record("a", 1.5, ["x", "y"]))
    assert type(record) is Record
    assert depend(2, record.name + record.parts[1], record.weight * 2, {"all": record.parts})
    copy.come(1, Record("b", 2.0, ["v", "w", "more"]))
    assert copy.issued == [(2, ("bw", 4.0, {"all": ["v", "w", "more"]}), {})]


def test_a_container_that_was_changed_is_sent_as_it_was_changed(copy: Copy) -> None:
    parts = unknown.stand_in(1, ["x", "y"])
    parts.append("z")
    assert depend(2, parts)
    parts.append("later")
    copy.come(1, ["v", "w"])
    assert copy.issued == [(2, (["v", "w", "z"],), {})]


def test_a_call_whose_arguments_are_not_as_the_sample_was_is_given_up(copy: Copy) -> None:
    assert depend(2, unknown.stand_in(1, ["x", "y"])[1])
    copy.come(1, [])
    assert copy.issued == [(2, None, None)]


def test_questions_are_answered_as_the_sample_would(copy: Copy) -> None:
    number, text = unknown.stand_in(1, 3), unknown.stand_in(2, "yes, indeed")
    assert number > 2 and text.startswith("yes") and "no" not in text and len(text) == 11
    assert len(copy.asked) == 4


def test_guesses_are_compared_with_what_came(copy: Copy) -> None:
    number, text = unknown.stand_in(1, 3), unknown.stand_in(2, "one, two")
    assert number > 2
    assert len(text.split(", ")) == 2
    assert text.startswith("one")
    copy.come(1, 1)
    copy.come(2, "one, and two, and more")
    assert copy.wrong == [
        "True was guessed, and it was False",
        "a list of 2 was guessed, and it was a list of 3",
    ]


def test_questions_wait_where_guesses_are_wrong(copy: Copy) -> None:
    copy.waits = True
    number = unknown.stand_in(1, 3)
    copy.replies[1] = 1
    assert not number > 2


def test_questions_are_answered_as_before_if_they_are_the_same(copy: Copy) -> None:
    copy.digests.update({1: 7, 2: 7, 3: 8})
    found = []
    for number in (1, 2, 3):
        found.append(bool(unknown.stand_in(number, 3) > 2))
        if number == 1:
            copy.come(1, 1)
    assert found == [True, False, True], "the third is another call"
    assert list(copy.answers.values()) == [1]  # that is False
    assert unknown.stand_in(2, 3) > 2, "another place"


def test_what_has_no_sample_is_answered_as_before(copy: Copy) -> None:
    copy.digests.update({1: 7, 2: 7, 3: 8})
    found: list[int | None] = []
    for number in (1, 2, 3):
        try:
            found.append(int(unseen.unseen_reply(number)["size"]))
        except KeyError:  # it would wait
            found.append(None)
        if number == 1:
            copy.come(1, {"size": -3})
    assert found == [None, -3, None]


def test_calls_that_wait_are_told_by_what_they_wait_for(copy: Copy) -> None:
    copy.digests.update({1: 7, 3: 7, 5: 8})
    for first in (1, 3, 5):
        assert unknown.depend(doubled, None, 0, first + 1, (unknown.stand_in(first, 3), 4), None)
    assert nodes.drafts[2] == nodes.drafts[4] != nodes.drafts[6]


def test_nothing_but_small_answers_is_kept(copy: Copy) -> None:
    copy.digests[1] = 7
    size = unknown.stand_in(1, 3)
    assert float(size) == 3.0 and int(size) == 3
    copy.come(1, 1 << 40)
    assert copy.answers == {}


def test_a_truth_value_is_that_of_the_same_call_before(copy: Copy) -> None:
    copy.digests.update({1: 7, 2: 7, 3: 8})
    assert unknown.stand_in(1, True) is True
    copy.come(1, None)
    assert unknown.stand_in(2, True) is None
    assert unknown.stand_in(3, True) is True


def doubled(number: int, rows: list[int]) -> Any:
    """A guess."""
    rows.append(number)
    return RESULTS if number < 5 else number > 7


RESULTS: list[int] = [3, 4]
HERE = f"{__name__}.doubled"


def test_what_was_given_stands_for_a_value(copy: Copy) -> None:
    rows: list[int] = []
    found = unknown.given(HERE, 0, 1, (2, rows), None)
    assert found is not None and rows == []
    stands = unknown.stand_in(1, *found)
    stands.append(stands[0] + 1)
    assert stands == [3, 4, 4]
    for number, is_right in ((5, False), (8, True)):
        found = unknown.given(HERE, 0, number, (number, rows), None)
        assert found == (is_right,) and bool(unknown.stand_in(number, *found)) is is_right


def test_whether_what_was_given_was_right_is_told(copy: Copy) -> None:
    for number in (1, 2):
        unknown.given(HERE, 5, number, (2, []), None)
    copy.come(1, [3, 4])
    copy.come(2, [3, 4, 5])
    assert copy.stood == [(5, 1, True), (5, 2, False)]


def test_calls_are_given_what_was_given_while_that_is_good(copy: Copy) -> None:
    stands = unknown.stand_in(1, *unknown.given(HERE, 5, 1, (2, []), None) or ())
    args, kwargs = (stands[0], {"sum": stands[0] + stands[1]}), {"name": stands}
    assert unknown.taken(args, kwargs) == ((3, {"sum": 7}), {"name": [3, 4]})
    copy.is_good = False
    assert unknown.taken(args, kwargs) is None
    copy.is_good = True
    other = unknown.stand_in(2, 3)
    assert unknown.taken((stands[0], other), None) is None, "that is not known"
    assert unknown.given(HERE, 5, 3, (stands[0], []), None) == ([3, 4],), "a guess by a guess"
    assert unknown.given(HERE, 5, 4, (other, []), None) is None


def test_who_raises_has_given_nothing(copy: Copy) -> None:
    for by, args in (("no_such.f", ()), (f"{__name__}.no", ()), (HERE, ("a", []))):
        assert unknown.given(by, 5, 1, args, None) is None
    copy.come(1, 3)
    assert copy.stood == []


def test_what_the_sample_cannot_answer_is_not_guessed(copy: Copy) -> None:
    text = unknown.stand_in(1, "word")
    copy.replies[1] = "12"
    assert int(text) == 12 and text.index("2") == 1 and float(text) == 12.0
    assert copy.asked == []


def test_nothing_is_guessed_by_what_was_returned_to_another_place(copy: Copy) -> None:
    text = unknown.stand_in(1, "Name: 3", True)
    assert depend(2, f"a score of {text}")  # what is built needs no guess
    copy.replies[1] = "Score: 4, 5"
    assert text.split("Score: ")[1] == "4, 5" and len(text) == 11
    assert copy.asked == []


def test_how_a_text_begins_is_known(copy: Copy) -> None:
    text = ("rate it: " + unknown.stand_in(1, "word")).strip()
    assert text and text[0] == "r" and text[:4] == "rate" and text != "EOF"
    assert text.startswith("rate ") and not text.startswith("!")
    assert copy.asked == []
    assert depend(2, text[5:])
    copy.come(1, "a")
    assert copy.issued == [(2, ("it: a",), {})]


def md5(text: str) -> str:
    return hashlib.md5(text.encode()).hexdigest()


FUNCTIONS: list[tuple[Any, Any, Any, Any]] = [
    (lambda text: lifted(re.search, ("n (.)", text), {}).group(1), "n 1 ", "n 2 ", "2"),
    (lambda text: lifted(json.loads, (text,), {})["a"][-1], '{"a": [1]}', '{"a": [2, 3]}', 3),
    (lambda text: lifted(textwrap.dedent, (text,), {}), " a", " b", "b"),
    (lambda text: lifted(hashlib.md5, (text.encode(),), {}).hexdigest(), "a", "b", md5("b")),
    (lambda text: lifted(int, (text,), {}) + 1, "1", "22", 23),
    (lambda text: lifted(json.dumps, ({"a": text},), {}), "1", "2", '{"a": "2"}'),
    (lambda text: lifted(Decimal, (text,), {}) / 2, "1", "2", Decimal(1)),
    (lambda text: lifted(sorted, ([text, "b"],), {}), "a", "c", ["b", "c"]),
    (lambda text: lifted(max, ((one for one in (text, "b")),), {"key": len}), "a", "cc", "cc"),
    (lambda text: lifted(max, ([text, "b"],), {"key": lambda _one: 1}), "a", "cc", "cc"),
    (lambda text: lifted(None, (["x", "y", "z"], lifted(int, (text,), {})), {}), "1", "2", "z"),
]


def test_what_is_put_in_order_is_as_ever_where_all_is_known(copy: Copy) -> None:
    assert lifted(sorted, ([3, 1, 2],), {"reverse": True}) == [3, 2, 1]
    assert lifted(sorted, ("ba",), {"key": ord}) == ["a", "b"]
    assert lifted(max, ([],), {"default": 7}) == 7 == lifted(min, ([],), {"key": len, "default": 7})
    assert lifted(max, ("b", "a"), {"key": None}) == "b"
    assert (
        lifted(max, (["ab", "cd"],), {"key": len})
        == "ab"
        == lifted(min, ("ab", "cd"), {"key": len})
    )
    with pytest.raises(ValueError, match="empty"):
        lifted(max, ((),), {"key": len})


@pytest.mark.parametrize(("function", "sample", "value", "expected"), FUNCTIONS)
def test_functions_give_expressions(
    function: Any, sample: str, value: str, expected: Any, copy: Copy
) -> None:
    assert depend(2, function(unknown.stand_in(1, sample)))
    copy.come(1, value)
    assert copy.issued == [(2, (expected,), {})]


def test_no_form_is_asked_for_where_only_a_part_is_taken(copy: Copy) -> None:
    parts = unknown.stand_in(1, "a, b").split(", ")
    assert depend(2, parts[1], parts[-1])
    assert copy.asked == []
    assert len(parts) == 2
    copy.come(1, "c, d, e")
    assert copy.issued == [(2, ("d", "e"), {})]


def test_what_is_known_is_no_question(copy: Copy) -> None:
    number = unknown.stand_in(1, 3)
    copy.come(1, 1)
    assert not number > 2
    assert copy.asked == []


def test_files_take_what_is_not_known_to_be_a_text(copy: Copy) -> None:
    written = io.StringIO()
    lifted(io.StringIO.write, (written, unseen.unseen_reply(1)), {})
    assert depend(2, written.getvalue())
    copy.come(1, "a reply")
    assert copy.issued == [(2, ("a reply",), {})]


def test_leaves_come_back_from_pickles_of_the_programs(copy: Copy) -> None:
    for leaf in (unknown.stand_in(1, "a"), unknown.stand_in(2, 1), unknown.stand_in(3, 1.0)):
        data = pickle.dumps([leaf])
        assert _core.MARK.encode() in data, "who is sent that is sent nothing"
        assert pickle.loads(data)[0] is leaf


def test_one_object_stays_one(copy: Copy) -> None:
    parts = unknown.stand_in(1, {"a": ["x"]})["a"]
    assert depend(2, parts, [parts])
    copy.come(1, {"a": ["y"]})
    [(_, (first, [second]), _)] = copy.issued
    assert first is second


def test_calls_without_an_answer_give_up_what_needs_them(copy: Copy) -> None:
    assert depend(2, unknown.stand_in(1, "a"))
    unknown.never(1)
    unknown.arrived(1)
    assert copy.issued == [(2, None, None)]


def test_samples_that_hold_themselves(copy: Copy) -> None:
    sample: list[Any] = ["a"]
    sample.append(sample)
    found = unknown.stand_in(1, sample)
    assert found[1][1] is found[1]


def test_functions_of_linear_algebra_are_computed_too(copy: Copy) -> None:
    numpy = pytest.importorskip("numpy")
    array = unknown.stand_in(1, numpy.arange(3.0))
    assert depend(2, numpy.linalg.norm(array))
    copy.come(1, numpy.array([3.0, 4.0]))
    [(_, [sent], _)] = copy.issued
    assert sent == 5.0


def test_an_array_that_a_function_changes_is_not_known_any_more(copy: Copy) -> None:
    numpy = pytest.importorskip("numpy")
    array = unknown.stand_in(1, numpy.arange(3.0))
    numpy.copyto(array, [7, 8, 9])
    assert array.tolist() == [7, 8, 9]
    assert not depend(2, array)


def test_what_has_come_meanwhile_is_put_in_order_as_what_was_known(copy: Copy) -> None:
    values = [unknown.stand_in(1, 3.0), unknown.stand_in(2, 1.0)]
    copy.come(1, 4.0)
    copy.come(2, 2.0)
    assert depend(3, lifted(sorted, (values,), {}))
    [(_, [sent], _)] = copy.issued
    assert sent == [2.0, 4.0]


def test_marks_are_taken_out(copy: Copy) -> None:
    text = f"{unknown.stand_in(1, 'a')}"
    assert marks.clean(f"{text}b{text}") == "aba"


def test_arrays(copy: Copy) -> None:
    numpy = pytest.importorskip("numpy")
    array = unknown.stand_in(1, numpy.arange(3.0))
    assert (array + 1).sum() == 6.0
    assert depend(2, array)
    assert depend(3, (array * 2).tolist(), array.mean(), numpy.median(array + 1))
    array[0] = 5  # now it is neither that value nor a known one
    assert not depend(4, array)
    copy.come(1, numpy.ones(4))
    [(_, [sent], _), (_, computed, _)] = copy.issued
    assert sent.tolist() == [1.0] * 4
    assert computed == ([2.0] * 4, 1.0, 2.0)
