"""Whether a call has given something else when it was made again, and what is said of that.

Only what a program could tell counts. Pickles differ for the order of a set, or for what is one
object in one of them: so values are compared, part by part. Last digits of floating-point numbers
do not count, for sums over several threads differ in them; nor do NaN, and objects of libraries
that do not say what equality is.
"""

from __future__ import annotations

import sys
from math import isclose

from cord._core import PICKLE
from cord.runtime.travel import codec, loaded
from cord.runtime.travel.likeness import Comparison, Losing
from cord.runtime.travel.sameness import are_alike
from cord.runtime.travel.shortly import call_in_short, is_number, short

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# Floating-point numbers that differ by less, relative to what they are, are the same.
CLOSE = 1e-9


def difference(call: codec.Encoded, first: codec.Encoded, second: codec.Encoded) -> str | None:
    """What its function does, in words, if a call's two results differ; None if not.

    Args:
        call: What was called, with its arguments, as it travels.
        first: What it gave.
        second: What it gave when it was made again.
    """
    try:
        # a replica does not go back to what a module was before it was executed again
        if _is_same_pickle(first, second) or loaded.are_anew():
            return None
        one, other = codec.decode(first), codec.decode(second)
        if are_the_same(one, other):
            return None
        left, right = short(one), short(other)
    except Exception:
        return None  # it cannot be told
    right = right if left != right else "another one"
    gave = f"{call_in_short(call) or 'a call'} gave {left}, and {right} when it was made again"
    return f"gives different results for the same arguments: {gave}"


def are_the_same(one: object, other: object) -> bool:
    """Whether two results are the same, as far as a program can tell.

    Args:
        one: A result.
        other: Another one.
    """
    try:
        _Results().compare(one, other, object)
    except Losing:
        return False
    except Exception:
        return True
    return True


def _is_same_pickle(first: codec.Encoded, second: codec.Encoded) -> bool:
    if first[0] != PICKLE or second[0] != PICKLE:
        return False
    buffers = [list(map(bytes, one[2])) for one in (first, second)]
    return buffers[0] == buffers[1] and are_alike(first[1], second[1])


class _Results(Comparison):
    """Compares results."""

    def compare(self, left: Any, right: Any, within: type) -> None:
        if type(left) is type(right):
            if is_number(left):
                left, right = left.item(), right.item()
            if type(left) in (float, complex) and _are_close(left, right):
                return
        super().compare(left, right, within)

    def _compare_arrays(self, left: Any, right: Any, cls: type) -> None:
        is_of_floats = left.dtype.kind in "fc" and left.dtype == right.dtype
        if is_of_floats and left.shape == right.shape:
            numpy = sys.modules["numpy"]
            one, other = left.view(numpy.ndarray), right.view(numpy.ndarray)
            if numpy.allclose(one, other, rtol=CLOSE, atol=0, equal_nan=True):
                return
        super()._compare_arrays(left, right, cls)


def _are_close(left: complex, right: complex) -> bool:
    parts = (left.real, right.real), (left.imag, right.imag)
    return all(
        isclose(one, other, rel_tol=CLOSE) or (one != one and other != other)  # noqa: PLR0124
        for one, other in parts
    )
