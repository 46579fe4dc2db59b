"""What a frame of the program's shows."""

from __future__ import annotations

from contextlib import suppress
from functools import lru_cache
from sys import getrefcount
from types import CodeType, FrameType

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


CO_OPTIMIZED = 1


def variables(frame: FrameType) -> dict[str, Any]:
    """The variables of a frame. No snapshot stays behind that would keep their objects alive."""
    there = frame.f_locals
    if type(there) is not dict and (shared := _shared_with_functions(frame.f_code)):
        return _without(there, frame.f_code, shared)
    found = dict(there)
    # before Python 3.13 a function's frame keeps the dict; leave it where the program has it too
    if frame.f_code.co_flags & CO_OPTIMIZED and type(there) is dict and getrefcount(there) <= 3:
        there.clear()
    return found


@lru_cache(maxsize=256)
def _shared_with_functions(code: CodeType) -> frozenset[str]:
    """The variables of comprehensions in the midst of a code that functions inside these read.

    Where another comprehension has a variable of that name, Python 3.13 takes its value for a cell,
    and crashes, when a frame's variables are asked for.
    """
    if not code.co_cellvars:
        return frozenset()
    from opcode import opmap  # few codes have such variables

    codes = code.co_code
    begin = (
        codes[::2].index(opmap["RESUME"]) * 2
    )  # the cells of the code itself are made before that
    made = (at for at in range(begin, len(codes), 2) if codes[at] == opmap["MAKE_CELL"])
    return frozenset(code._varname_from_oparg(codes[at + 1]) for at in made)  # type: ignore[attr-defined]


def _without(there: Mapping[str, Any], code: CodeType, left_out: frozenset[str]) -> dict[str, Any]:
    """The variables of a frame but for some, which are not looked at."""
    found = {}
    for name in (*code.co_varnames, *code.co_cellvars, *code.co_freevars):
        if name not in left_out:
            with suppress(KeyError):  # it is not bound
                found[name] = there[name]
    return found
