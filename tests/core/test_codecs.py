"""Values travel by the codec whose number goes with them, whichever that is."""

from __future__ import annotations

import os
from ast import literal_eval
from typing import Any

import pytest
from small_world import World

from cord import _core
from cord.errors import EncodeError
from cord.runtime.replica import passed
from cord.runtime.travel import codec, pickled

NUMBER = 9


class Literals:
    """Plain data as Python writes it, with a buffer beside it to show that these travel."""

    def encode(self, value: object, buffers: list[Any]) -> tuple[bytes, bool]:
        """See `codec.Codec`."""
        text = repr(value)
        if "<" in text:
            raise EncodeError(f"{text} is no plain data")
        buffers.append(b"beside")
        return text.encode(), True

    def decode(self, head: bytes, buffers: list[Any]) -> Any:
        """See `codec.Codec`."""
        assert [bytes(one) for one in buffers] == [b"beside"]
        return literal_eval(head.decode())


@pytest.fixture(autouse=True)
def literals(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(codec.CODECS, NUMBER, Literals())


def echo(*args: Any, **kwargs: Any) -> Any:
    """The function that replicas are asked for."""
    return args, kwargs


def replica(_module: int, endpoint: Any) -> None:
    """Answers by the codec in which it was asked; or by one of the name that it is called with."""
    endpoint.ready()
    while (incoming := endpoint.next()) is not None:
        call, arguments, _world, _given = incoming
        name, args, kwargs = codec.decode(arguments)
        number = kwargs.get("answer", arguments[0])
        buffers: list[Any] = []
        head, _ = codec.of(arguments[0]).encode((name, os.getpid(), args, kwargs), buffers)
        endpoint.reply(call, _core.VALUE, (number, head, buffers), b"")


def remote(world: World, number: int = NUMBER) -> _core.RemoteFunction:
    """A function whose calls go by the codec of that number."""
    session = world.session({"m": 1}, replica)
    return _core.RemoteFunction(session, 0, "echo", echo, "stateful", _core.Use(), codec=number)


@pytest.mark.parametrize("number", [_core.PICKLE, NUMBER])
def test_a_call_and_its_value_go_by_the_codec_of_the_function(world: World, number: int) -> None:
    name, pid, args, kwargs = remote(world, number)(1, [2.5, "three"], four={"x": b"y"})
    assert pid != os.getpid()
    assert (name, args, kwargs) == ("echo", (1, [2.5, "three"]), {"four": {"x": b"y"}})


def test_what_a_codec_says_of_an_argument_is_what_the_program_sees(world: World) -> None:
    with pytest.raises(EncodeError, match="is no plain data"):
        remote(world)(object())


def test_a_value_in_an_unknown_codec_names_it(world: World) -> None:
    with pytest.raises(EncodeError) as caught:
        remote(world)(answer=200)
    assert caught.value.message == (
        f"a value has come that is encoded by codec 200; known here are: 0, {NUMBER}"
    )
    assert "same version of Cord" in str(caught.value.hint)


def test_a_call_in_an_unknown_codec_is_not_made(world: World) -> None:
    with pytest.raises(EncodeError, match="encoded by codec 200"):
        remote(world, 200)(1)


def test_a_value_that_is_passed_on_is_read_by_its_own_codec() -> None:
    buffers: list[Any] = []
    head, _ = Literals().encode([1, 2], buffers)
    passed.give([(NUMBER, head, buffers), (_core.PICKLE, *pickle([3]))])
    assert [passed.received(0), passed.received(1)] == [[1, 2], [3]]
    passed.give([(200, head, buffers)])
    with pytest.raises(EncodeError, match="codec 200"):
        passed.received(0)


def pickle(value: object) -> tuple[bytes, list[Any]]:
    """A value as the first codec has it."""
    buffers: list[Any] = []
    head, _ = pickled.encode(value, buffers)
    return head, buffers


def test_errors_that_name_themselves_are_not_told_in_other_words() -> None:
    error = EncodeError("it is no plain data")
    assert codec.result_error(error, object(), "f") is error
    assert codec.decoding_error(error, "") is error


@pytest.mark.parametrize("value", [0, None, (), "text", {1, 2, 3}, {"f": echo}, [b"x" * 100_000]])
def test_pickles_come_out_as_they_went_in(value: Any) -> None:
    assert pickled.decode(*pickle(value)) == value


def test_what_goes_by_value_is_not_passed_on() -> None:
    buffers: list[Any] = []
    head, may_be_passed = pickled.encode(lambda: 5, buffers)
    assert not may_be_passed
    assert pickled.decode(head, buffers)() == 5
