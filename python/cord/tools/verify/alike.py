"""Whether two results of one call are the same, as far as a program can tell."""

from __future__ import annotations

import io
import math
import pickle
from collections.abc import Iterable
from itertools import zip_longest
from typing import Any

CLOSE = 1e-9  # relative; memory that lies otherwise lets NumPy add in another order
_DEEPEST = 200


def encoded(value: object) -> bytes | None:
    """A value as bytes, mostly the same for equal values; None if it cannot be encoded."""
    try:
        stream = io.BytesIO()
        pickler = pickle.Pickler(stream, 5)
        pickler.fast = True  # what is shared inside the value makes no difference then
        pickler.dump(value)
        return stream.getvalue()
    except Exception:  # a RecursionError: it contains itself
        return None


def same(left: bytes, right: bytes | None) -> bool:
    """Whether two encoded values are the same; what cannot be told counts as the same."""
    if right is None or left == right:
        return True
    try:
        return alike(pickle.loads(left), pickle.loads(right))
    except Exception:
        return True


def alike(left: Any, right: Any, depth: int = 0) -> bool:
    """Whether two values are the same, NaNs and objects that define no equality included."""
    if type(left) is not type(right) or depth > _DEEPEST:
        return depth > _DEEPEST
    deeper = depth + 1
    if isinstance(left, (str, bytes, bytearray, int, type, type(None))):
        return bool(left == right)
    if type(left) is float:
        return left == right or (math.isnan(left) and math.isnan(right))
    if isinstance(left, (list, tuple)):
        return _in_order(left, right, deeper)
    if isinstance(left, (set, frozenset)):
        return len(left) == len(right) and (
            left == right or _in_order(*_sorted(left, right), deeper)
        )
    if isinstance(left, dict):
        if left.keys() == right.keys():
            return all(alike(value, right[key], deeper) for key, value in left.items())
        return _in_order(*_sorted(left.items(), right.items()), deeper)
    if hasattr(left, "dtype") and hasattr(left, "shape"):
        return _as_arrays(left, right, deeper)
    return _as_objects(left, right, deeper)


def _in_order(left: Iterable[Any], right: Iterable[Any], depth: int) -> bool:
    missing = object()
    pairs = zip_longest(left, right, fillvalue=missing)
    return all(one is not missing and alike(one, other, depth) for one, other in pairs)


def _sorted(left: Iterable[Any], right: Iterable[Any]) -> tuple[list[Any], list[Any]]:
    """What has no order of its own, in the order of what encodes it."""

    def code(one: object) -> bytes:
        return encoded(one) or b""

    return sorted(left, key=code), sorted(right, key=code)


def _as_arrays(left: Any, right: Any, depth: int) -> bool:
    if left.dtype != right.dtype or left.shape != right.shape:
        return False
    if left.dtype.kind not in "fc":
        return alike(left.tolist(), right.tolist(), depth)
    import numpy

    return bool(numpy.allclose(left, right, rtol=CLOSE, atol=0.0, equal_nan=True))


def _as_objects(left: Any, right: Any, depth: int) -> bool:
    """By what they are made of when they are copied."""
    if left == right:  # by the identity of objects that define no equality
        return True
    made, again = left.__reduce_ex__(4), right.__reduce_ex__(4)
    if isinstance(made, str):
        return bool(made == again)
    parts = [list(part) if hasattr(part, "__next__") else part for part in made]
    others = [list(part) if hasattr(part, "__next__") else part for part in again]
    # functions are the same if they have one name: those of the two processes are not one
    return _in_order(map(_named, parts), map(_named, others), depth)


def _named(part: Any) -> Any:
    name = getattr(part, "__qualname__", None)
    return (getattr(part, "__module__", None), name) if callable(part) and name else part
