"""A call that a copy issues late is the program's own: the same bytes are sent."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cord import _core
from cord.runtime.copies import unknown
from cord.runtime.copies.unknown import dependents, leaves, nodes
from cord.runtime.copies.unknown.lifting import lifted
from cord.runtime.travel import pickled

LETTERS = st.text("aé\u0416 ", max_size=3) | st.sampled_from(["role", "content", "a" * 300])


def interned(text: str) -> str:
    return sys.intern(text)


def made(text: str) -> str:
    return "".join([text[:1], text[1:]])


kept = st.sampled_from([interned, made])
kept_texts = st.builds(lambda how, text: how(text), kept, LETTERS)
# What is joined with nothing may be what it was: of texts with marks nobody can tell.
of_something = LETTERS.filter(str.strip)
reply_texts = st.builds(lambda how, text: how(text), kept, of_something)
numbers = st.integers(-(2**70), 2**70) | st.integers(-6, 260) | st.floats() | st.none()
constants = (
    kept_texts
    | numbers
    | st.binary(max_size=3)
    | st.tuples(kept_texts, numbers)
    | st.frozensets(kept_texts, max_size=4)
    | st.sets(st.integers(0, 99), max_size=9)
)


class Message:
    """An object of the program's, with attributes of any name."""

    def __init__(self, **attributes: Any) -> None:
        vars(self).update(attributes)


# What a program does with its replies: each step is a function of them and of how texts are joined.
def reply(number: int) -> Any:
    return lambda replies, _join: replies[number]


def constant(value: Any) -> Any:
    return lambda _replies, _join: value


def formatted(before: str, step: Any, after: str) -> Any:
    return lambda replies, join: f"{before}{step(replies, join)}{after}"


def whole(step: Any) -> Any:
    return lambda replies, join: f"{step(replies, join)}"


def added(text: str, step: Any) -> Any:
    return lambda replies, join: text + step(replies, join)


def stripped(step: Any) -> Any:
    return lambda replies, join: step(replies, join).strip()


def joined(separator: str, steps: list[Any]) -> Any:
    return lambda replies, join: join(separator, [step(replies, join) for step in steps])


def in_list(steps: list[Any]) -> Any:
    return lambda replies, join: [step(replies, join) for step in steps]


def in_tuple(steps: list[Any]) -> Any:
    return lambda replies, join: tuple(step(replies, join) for step in steps)


def in_dict(steps: dict[str, Any]) -> Any:
    return lambda replies, join: {key: step(replies, join) for key, step in steps.items()}


def in_object(steps: dict[str, Any]) -> Any:
    return lambda replies, join: Message(**in_dict(steps)(replies, join))


def twice(step: Any) -> Any:
    def build(replies: Any, join: Any) -> Any:
        one = step(replies, join)
        return [one, {"again": one}, (one,)]

    return build


of_replies = st.integers(0, 1).map(reply)
of_replies |= of_replies.map(stripped)
of_texts = st.recursive(
    of_replies,
    lambda inner: (
        st.builds(formatted, kept_texts, inner, kept_texts)
        | st.builds(whole, inner)
        | st.builds(added, kept_texts, inner)
        | st.builds(joined, kept_texts, st.lists(inner, min_size=1, max_size=3))
    ),
    max_leaves=3,
)
steps = st.recursive(
    of_texts | constants.map(constant),
    lambda inner: (
        st.builds(in_list, st.lists(inner, max_size=3))
        | st.builds(in_tuple, st.lists(inner, max_size=3))
        | st.builds(in_dict, st.dictionaries(kept_texts, inner, max_size=3))
        | st.builds(in_object, st.dictionaries(kept_texts, inner, max_size=3))
        | st.builds(twice, inner)
    ),
    max_leaves=6,
)


class Copy:
    """The rest of a copy: what has come, and what it has issued."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.replies: dict[int, Any] = {}
        self.issued: list[Any] = []
        monkeypatch.setattr(_core, "value_now", self.replies.get)
        monkeypatch.setattr(_core, "issue_late", lambda *call: self.issued.append(call[4:]))
        monkeypatch.setattr(_core, "must_wait", lambda *_: False)
        monkeypatch.setattr(_core, "leads", lambda _: True)
        monkeypatch.setattr(_core, "is_unknown_in", lambda _args: True)
        for name in ("look", "guesses_at", "was_wrong", "digest_of", "answer_of", "is_answered"):
            monkeypatch.setattr(_core, name, lambda *_: None)

    def come(self, number: int, value: Any) -> None:
        self.replies[number] = (value,)
        unknown.arrived(number)


@pytest.fixture(scope="module")
def copies() -> Iterator[Any]:
    with pytest.MonkeyPatch.context() as patch:
        yield lambda: Copy(patch)
    forget()


def forget() -> None:
    for kept in (nodes._values, nodes._never, dependents._waiting, leaves.containers):
        kept.clear()
    unknown.never(nodes._NOBODY)


def join(separator: str, parts: list[Any]) -> Any:
    """As `str.join` in a copy, where it is asked for what stands for texts."""
    return lifted(str.join, (separator, parts), {})


def sent(args: Any, kwargs: Any) -> Any:
    buffers: list[Any] = []
    return pickled.encode((args, kwargs), buffers), [bytes(one) for one in buffers]


@given(
    st.tuples(kept_texts, kept_texts),
    st.tuples(reply_texts, reply_texts),
    st.builds(lambda first, rest: [first, *rest], of_texts, st.lists(steps, max_size=3)),
    st.dictionaries(kept_texts, steps, max_size=2),
)
def test_the_program_sends_the_same(
    copies: Any, samples: Any, replies: Any, positional: Any, named: Any
) -> None:
    forget()
    copy = copies()
    stand_ins = [unknown.stand_in(number, sample) for number, sample in enumerate(samples)]
    args = in_tuple(positional)(stand_ins, join)
    kwargs = in_dict(named)(stand_ins, join)
    assert unknown.depend(None, None, 0, 2, args, kwargs)
    for number, value in enumerate(replies):
        copy.come(number, value)
    [issued] = copy.issued
    program = in_tuple(positional)(replies, str.join), in_dict(named)(replies, str.join)
    assert sent(*issued) == sent(*program)


def test_a_text_of_a_reply_is_the_text_itself_where_it_stands_alone(copies: Any) -> None:
    forget()
    copy = copies()
    (stand_in, answer), empty = (unknown.stand_in(1, "no"), sys.intern("yes")), ""
    unknown.depend(None, None, 0, 2, (f"{stand_in}", f"{stand_in}{empty}", str(stand_in)), {})
    copy.come(1, answer)
    [(args, _)] = copy.issued
    assert [one is answer for one in args] == [True, False, True]
