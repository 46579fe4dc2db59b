"""Every exception arrives as itself, whatever its class does."""

from __future__ import annotations

import dataclasses
import json
import threading
import urllib.error

import pytest

from cord.errors import EncodeError
from cord.runtime.travel.raised import decode_exception, encode_exception


class Required(Exception):
    """Its arguments are not what its base gets, so that its default pickle fails to load."""

    def __init__(self, code, *, reason):
        super().__init__(f"code {code}")
        self.code = code
        self.reason = reason


class Doubling(Exception):
    """Its default pickle loads, but with another message."""

    def __init__(self, text):
        super().__init__(f"<{text}>")


class Counting(Exception):
    made = 0

    def __init__(self, *args):
        super().__init__(*args)
        Counting.made += 1


class Slotted(Exception):
    __slots__ = ("__hidden", "where")

    def __init__(self, where):
        self.where = where
        self.__hidden = 5

    def hidden(self):
        return self.__hidden


class Reducing(Exception):
    def __init__(self, a, b):
        super().__init__()
        self.pair = (a, b)

    def __reduce__(self):
        return Reducing, self.pair


class Refusing(Exception):
    def __reduce__(self):
        raise TypeError("I do not travel")


class NetworkError(OSError):
    def __init__(self, host):
        super().__init__(5, "unreachable", host)
        self.host = host


class Mixed(Required, KeyError):
    pass


class MyGroup(ExceptionGroup):
    def __new__(cls, errors, code):
        self = super().__new__(cls, f"code {code}", errors)
        self.code = code
        return self

    def derive(self, errors):
        return MyGroup(errors, self.code)


class Unprintable(Exception):
    def __str__(self):
        raise RuntimeError


@dataclasses.dataclass(frozen=True)
class Frozen(Exception):
    code: int


def travelled(error):
    return decode_exception(encode_exception(error))


def raised(function, *args):
    with pytest.raises(BaseException) as info:
        function(*args)
    return info.value


@pytest.mark.parametrize(
    ("error", "attributes"),
    [
        (ValueError("a", 1), ()),
        (KeyError("key"), ()),
        (SystemExit(3), ("code",)),
        (SystemExit(), ("code",)),
        (StopIteration((1, 2)), ("value",)),
        (KeyboardInterrupt(), ()),
        (GeneratorExit(), ()),
        (OSError(2, "no", "file"), ("errno", "strerror", "filename", "filename2")),
        (OSError(2, "no", "a", None, "b"), ("filename", "filename2")),
        (BlockingIOError(11, "wait", 7), ("characters_written",)),
        (OSError("only text"), ("errno",)),
        (NetworkError("harvey"), ("errno", "filename", "host")),
        (UnicodeDecodeError("utf-8", b"\xff", 0, 1, "bad"), ("object", "start", "end", "reason")),
        (UnicodeEncodeError("ascii", "ü", 0, 1, "bad"), ("object", "encoding")),
        (ImportError("m", name="n", path="p"), ("name", "path", "msg")),
        (NameError("m", name="n"), ("name",)),
        (SyntaxError("m", ("f", 1, 2, "text", 3, 4)), ("filename", "lineno", "offset", "text")),
        (Required(3, reason="r"), ("code", "reason")),
        (Mixed(3, reason="r"), ("code", "reason")),
        (Doubling("x"), ()),
        (Reducing(1, 2), ("pair",)),
        (Refusing("me"), ()),
        (Frozen(4), ("code",)),
        (raised(json.loads, "{"), ("pos", "doc", "lineno", "colno")),
        (urllib.error.URLError("reason"), ("reason",)),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, BaseException) else "",
)
def test_type_arguments_text_and_attributes(error, attributes):
    back = travelled(error)
    assert type(back) is type(error)
    assert back.args == error.args
    assert str(back) == str(error)
    assert repr(back) == repr(error)
    for name in attributes:
        assert getattr(back, name) == getattr(error, name)
    assert back.__dict__ == error.__dict__


def test_slots_arrive_private_ones_too():
    back = travelled(Slotted("here"))
    assert (back.where, back.hidden()) == ("here", 5)


def test_constructors_do_not_run_again():
    error = Counting("x")
    made = Counting.made
    travelled(error)
    assert Counting.made == made


def test_what_is_shared_between_parts_stays_shared():
    error = Exception()
    error.args = (shared := [1],)
    error.also = shared
    back = travelled(error)
    assert back.args[0] is back.also


def test_notes_arrive():
    error = Reducing(1, 2)
    error.add_note("one")
    assert travelled(error).__notes__ == ["one"]


def test_chains_arrive():
    try:
        try:
            try:
                raise KeyError("first")
            except KeyError:
                raise TypeError("second") from Required(1, reason="cause")
        except TypeError:
            raise ValueError("third") from None
    except ValueError as error:
        back = travelled(error)
    assert back.__cause__ is None
    assert back.__suppress_context__
    second = back.__context__
    assert isinstance(second, TypeError)
    assert second.__cause__.reason == "cause"
    assert second.__context__.args == ("first",)


def test_a_chain_that_is_a_ring_arrives():
    one, two = ValueError(1), ValueError(2)
    one.__cause__, two.__cause__ = two, one
    back = travelled(one)
    assert back.__cause__.__cause__ is back


def test_a_very_long_chain_arrives():
    first = error = ValueError(0)
    for number in range(1, 5000):
        error.__context__ = ValueError(number)
        error = error.__context__
    back = travelled(first)
    for _ in range(4999):
        back = back.__context__
    assert back.args == (4999,)


def test_groups_arrive_with_their_members():
    inner = Required(1, reason="r")
    inner.__cause__ = KeyError("k")
    back = travelled(ExceptionGroup("m", [inner, BaseExceptionGroup("n", [SystemExit(2)])][:1]))
    assert type(back) is ExceptionGroup
    assert back.message == "m"
    assert back.args == ("m", [back.exceptions[0]])
    assert back.exceptions[0].reason == "r"
    assert back.exceptions[0].__cause__.args == ("k",)


def test_groups_of_ones_own_class_arrive():
    back = travelled(MyGroup([ValueError(1)], 7))
    assert type(back) is MyGroup
    assert (back.code, back.message, back.exceptions[0].args) == (7, "code 7", (1,))


def test_a_part_that_cannot_travel_reads_the_same():
    lock = threading.Lock()
    error = ValueError("text", lock)
    error.lock = lock
    back = travelled(error)
    assert type(back) is ValueError
    assert str(back) == str(error)
    assert repr(back.lock) == repr(lock)
    with pytest.raises(EncodeError, match="could not travel"):
        back.lock.acquire()


def test_a_local_class_travels():
    class Local(Exception):
        pass

    error = Local("why")
    error.__cause__ = KeyError("k")
    back = travelled(error)
    assert type(back) is Local
    assert (str(back), str(back.__cause__)) == ("why", "'k'")


def test_a_class_that_cannot_travel_becomes_one_of_the_same_name_and_bases():
    class Mixin:
        lock = threading.Lock()
        pass

    class Local(Mixin, KeyError):
        def __str__(self):
            return "shown"

    error = Local("why")
    error.attribute = 1
    error.__cause__ = Local("inner")
    back = travelled(error)
    assert isinstance(back, KeyError)
    assert repr(type(back)) == repr(Local)
    assert [base.__name__ for base in type(back).__bases__] == ["Mixin", "KeyError"]
    assert (str(back), back.args, back.attribute) == ("shown", ("why",), 1)
    assert type(back.__cause__) is type(back)


def test_an_exception_that_cannot_be_printed_travels():
    assert type(travelled(Unprintable(1))) is Unprintable
