"""Pickles that are made and read natively mean what Python's own mean, arrays of numpy included."""

from __future__ import annotations

import copyreg
import pickle
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays_of

from cord._core import decode_natively, decode_plain, encode_natively, encode_plain

SIMPLE = "?bBhHiIlLefdFD"  # numpy's letters for the types that are written natively

scalars = (
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats()
    | st.text(st.characters(exclude_categories=["Cs"]), max_size=300)
    | st.binary(max_size=300)
)
keys = st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=3)


@st.composite
def arrays(draw: st.DrawFn) -> Any:
    """An array of a simple type: in C's or Fortran's order, perhaps read-only, or a view."""
    dtype = np.dtype(draw(st.sampled_from(SIMPLE)))
    shape = draw(arrays_of.array_shapes(max_dims=4, max_side=5))
    array = draw(arrays_of.arrays(dtype, shape))
    match draw(st.sampled_from(["as it is", "turned", "read-only", "row"])):
        case "turned":
            return np.asfortranarray(array)
        case "read-only":
            array.flags.writeable = False
        case "row" if array.ndim > 1:
            return array[-1]
    return array


def numbers(array: Any) -> Any:
    return array.ravel()[0]


leaves = scalars | arrays() | arrays().map(numbers)
values = st.recursive(
    leaves,
    lambda inner: (
        st.lists(inner, max_size=5)
        | st.lists(inner, max_size=5).map(tuple)
        | st.dictionaries(keys, inner, max_size=5)
        | inner.map(lambda one: [one, one, (one,)])
    ),
    max_leaves=12,
)


def exactly(value: Any, seen: dict[int, int] | None = None) -> Any:
    """What tells a value from all others: types, bits, flags, order, and what is one object."""
    seen = {} if seen is None else seen
    if id(value) in seen:
        return "again", seen[id(value)]
    may_be_one = isinstance(value, list | tuple | dict | np.ndarray)
    if may_be_one and not (isinstance(value, tuple) and not value):
        seen[id(value)] = len(seen)
    match value:
        case list() | tuple():
            return type(value), [exactly(item, seen) for item in value]
        case dict():
            return dict, [(exactly(k, seen), exactly(v, seen)) for k, v in value.items()]
        case np.ndarray():
            flags = value.flags
            looks = (flags.writeable, flags.c_contiguous, flags.f_contiguous, flags.aligned)
            base = type(value.base), type(getattr(value.base, "base", None))
            return value.dtype, value.shape, value.strides, looks, value.tobytes("A"), base
        case np.generic():
            return type(value), value.tobytes()
        case float():
            return float, np.float64(value).tobytes()
        case _:
            return type(value), value


def by_pickler(value: Any) -> Any:
    """What a remote function is given of a value where it goes through pickle."""
    beside: list[Any] = []
    head = pickle.dumps(value, 5, buffer_callback=beside.append)
    return pickle.loads(head, buffers=received(beside))


def received(beside: list[Any]) -> list[bytearray]:
    return [bytearray(pickle.PickleBuffer(one).raw()) for one in beside]


@given(values)
def test_what_comes_out_is_what_pickle_gives(value: Any) -> None:
    made = encode_natively(value)
    assert made is not None
    head, beside = made
    expected = exactly(by_pickler(value))
    assert exactly(decode_natively(head, received(beside))) == expected
    assert exactly(pickle.loads(head, buffers=received(beside))) == expected


@given(values)
def test_equal_values_are_written_alike(value: Any) -> None:
    made, again = encode_natively(value), encode_natively(value)
    assert made is not None and again is not None
    assert made[0] == again[0]


def test_what_python_has_as_one_text_is_one_text_again() -> None:
    interned, computed = "one_of_a_kind", "".join(["one_of", "_a_kind"])
    for decode in (decode_natively, decode_plain):
        for encode in (encode_natively, lambda value: (encode_plain(value), [])):
            head = (encode((interned, computed)) or (b"",))[0]
            first, second = decode(head, []) if decode is decode_natively else decode(head)
            assert first is interned
            assert second == interned and second is not interned
            assert pickle.loads(head) == (interned, computed)


def test_whether_a_letter_is_interned_is_not_told() -> None:
    for letter in ["", *map(chr, range(256))]:
        computed = f"{letter}x"[:-1]
        before = encode_plain((computed,)), encode_natively((computed,))
        interned = sys.intern(letter)
        assert before == (encode_plain((interned,)), encode_natively((interned,)))
        [found] = decode_plain(before[0] or b"")
        assert found is interned


@given(leaves)
def test_an_object_in_two_places_stays_one(leaf: Any) -> None:
    head, beside = encode_natively((leaf, [leaf], {"x": leaf})) or (b"", [])
    first, second, third = decode_natively(head, received(beside))  # type: ignore[misc]
    expected = by_pickler((leaf, [leaf], {"x": leaf}))
    assert (first is second[0]) == (expected[0] is expected[1][0])
    assert (first is third["x"]) == (expected[0] is expected[2]["x"])
    if isinstance(leaf, np.ndarray):
        assert first is second[0] and len(beside) == 1


def test_views_of_one_array_become_arrays_of_their_own() -> None:
    base = np.arange(12.0).reshape(3, 4)
    head, beside = encode_natively((base, base[1], base.T)) or (b"", [])
    whole, row, turned = decode_natively(head, received(beside))  # type: ignore[misc]
    whole[1] = -1
    assert row.tolist() == [4.0, 5.0, 6.0, 7.0]
    assert turned.flags.f_contiguous and turned[1, 1] == 5.0


def test_what_holds_itself_stays_so() -> None:
    items: list[Any] = [1]
    items.append(items)
    head, beside = encode_natively(items) or (b"", [])
    found: Any = decode_natively(head, beside)
    assert found[0] == 1 and found[1] is found
    inside: Any = ([],)
    inside[0].append(inside)
    assert encode_natively(inside) is None


def test_the_type_of_an_array_is_numpys_own_object() -> None:
    for letter in SIMPLE:
        head, beside = encode_natively(np.ones(3, letter)) or (b"", [])
        found: Any = decode_natively(head, received(beside))
        assert found.dtype is np.dtype(letter)


class Vector(np.ndarray):  # type: ignore[type-arg]
    """An array of the program's own kind."""


LEFT_TO_PICKLERS = {
    "subclass": np.ones(3).view(Vector),
    "masked": np.ma.masked_array([1, 2], [0, 1]),
    "record": np.zeros(3, [("x", "f8"), ("y", "i4")]),
    "objects": np.array([1, "a", None], object),
    "text": np.array(["a", "b"]),
    "times": np.array(["2020-01-01"], "datetime64[D]"),
    "swapped": np.arange(3, dtype=">i4"),
    "long double": np.ones(3, np.longdouble),
    "with steps": np.arange(10)[::2],
    "backwards": np.arange(10)[::-1],
    "part of columns": np.ones((4, 4))[:, 1:3],
    "empty": np.zeros((0, 3)),
    "no dimension": np.array(1.5),
    "type with metadata": np.zeros(3, np.dtype("f8", metadata={"unit": "m"})),
    "copied type": np.zeros(3, np.dtype("f8", copy=True)),
    "large number": 2**63,
    "complex number": 1j,
    "half a character": "\ud800",
    "set": {1},
    "bytearray": bytearray(b"x"),
    "class": int,
    "type": np.dtype("f8"),
    "number of the program's": type("Int", (int,), {})(1),
    "list of the program's": type("Items", (list,), {})(),
}


@pytest.mark.parametrize("value", LEFT_TO_PICKLERS.values(), ids=LEFT_TO_PICKLERS)
def test_all_else_is_left_to_picklers(value: Any) -> None:
    assert encode_natively(value) is None
    assert encode_natively([1, {"x": (value,)}]) is None


def test_deep_values_are_left_to_picklers() -> None:
    value: Any = 1
    for _ in range(100):
        value = [value]
    assert encode_natively(value) is None


def test_a_class_with_a_pickle_of_its_own_is_left_to_picklers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = copyreg.dispatch_table
    for value in (np.ones(3), np.float64(1)):
        assert encode_natively(value) is not None
        with monkeypatch.context() as patched:
            patched.setitem(table, type(value), lambda one: (float, (1.0,)))  # type: ignore[misc]
            assert encode_natively(value) is None


@given(st.binary(max_size=80), st.integers(0, 500))
def test_garbage_is_left_alone(garbage: bytes, at: int) -> None:
    decode_natively(b"\x80\x05" + garbage, [])
    head, beside = encode_natively([np.ones(3), {"x": (1, 2, 3, 4)}, np.int8(1)]) or (b"", [])
    buffers = received(beside)
    for end in range(len(head)):
        assert decode_natively(head[:end], buffers) is None
    at %= len(head)
    decode_natively(head[:at] + garbage + head[at + len(garbage) :], buffers)
    assert decode_natively(head, []) is None
    assert decode_natively(head, [*buffers, bytearray(8)]) is None


def test_numpy_is_not_imported_for_this() -> None:
    head, _ = encode_natively(np.ones(3)) or (b"", [])
    script = f"""
import sys
from cord._core import decode_natively, decode_plain, encode_natively, encode_plain
assert encode_natively([1, "numpy", {{"x": 2.5}}]) is not None
assert decode_natively({head!r}, [bytearray(24)]) is None
assert "numpy" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", script], check=True)
