"""Pickles of scalars that are made and read without a pickler mean what Python's own mean."""

from __future__ import annotations

import pickle
import struct
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cord._core import decode_plain, encode_plain

SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats(allow_nan=True)
    | st.text(max_size=300)
    | st.binary(max_size=300)
)
FEW = st.lists(SCALARS, max_size=10).map(tuple)


def exactly(value: Any) -> Any:
    """What tells a value from all others: 1, True and 1.0 differ, and so do 0.0 and -0.0."""
    if isinstance(value, tuple):
        return [exactly(item) for item in value]
    if isinstance(value, float):
        return "float", struct.pack(">d", value)
    return type(value), value


@given(SCALARS | FEW)
def test_a_value_is_written_as_pickle_reads_it(value: Any) -> None:
    made = encode_plain(value)
    if made is not None:
        assert exactly(pickle.loads(made)) == exactly(value)
        assert exactly(decode_plain(made)) == exactly(value)


@given(SCALARS | FEW)
def test_what_pickle_wrote_is_read_or_left_alone(value: Any) -> None:
    for protocol in (0, 2, 4, 5):
        found = decode_plain(pickle.dumps(value, protocol))
        assert found is None or exactly(found) == exactly(value)


@pytest.mark.parametrize("value", [7, -3, 70_000, 2**40, 1.5, "word", b"bytes", False, None])
def test_usual_values_need_no_pickler(value: Any) -> None:
    call = "name", (value, 1), {}
    assert encode_plain(value) is not None
    for count in (0, 1, 3, 4, 8):
        assert encode_plain(tuple(range(count))) is not None
    assert encode_plain((value, 1)) is not None
    assert exactly(decode_plain(pickle.dumps(call, 5))[:2]) == exactly(call[:2])  # type: ignore[index]


@given(st.binary(max_size=60))
def test_garbage_is_left_alone(garbage: bytes) -> None:
    decode_plain(b"\x80\x05" + garbage)
    whole = pickle.dumps(("name", (1, 2.5, "x"), {}), 5)
    for end in range(len(whole)):
        assert decode_plain(whole[:end]) is None


def test_what_is_one_object_stays_one() -> None:
    text = "".join(["a", "b", "c"])
    assert decode_plain(pickle.dumps(("name", (text, text), {}), 5)) is None
    assert encode_plain((text, 1, text)) is None
    for other in (
        [1],
        {},
        set(),
        ([],),
        ((1,),),
        tuple(range(9)),
        1j,
        bytearray(b"x"),
        type("Int", (int,), {})(1),
    ):
        assert encode_plain(other) is None
