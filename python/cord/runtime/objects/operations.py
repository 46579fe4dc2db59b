"""Operations of code by their names, as `dis` has them, which takes long to load."""

from __future__ import annotations

import functools
import sys
from opcode import opmap, opname, stack_effect

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import CodeType
    from typing import Any, Final

    # What it does, the name that it does it with, empty if with none, and how much lies on the
    # stack after it, where no jump leads there. The last is told only of code that binds items.
    Operation = tuple[str, str, int]

NO_VALUE: Any = type("NoValue", (), {})()

BINDS_ITEM: Final = frozenset({"STORE_SUBSCR", "DELETE_SUBSCR"})
_NAMES: Final = frozenset(
    f"{how}_{what}"
    for how in ("LOAD", "STORE", "DELETE", "IMPORT")
    for what in ("NAME", "GLOBAL", "ATTR", "METHOD", "FROM")
)
_VARIABLES: Final = frozenset(
    f"{how}_{what}"
    for how in ("LOAD", "STORE")
    for what in ("FAST", "DEREF", "FAST_CHECK", "FAST_BORROW")
)
_SKIPPED: Final = frozenset(
    {"CACHE", "EXTENDED_ARG", "NOP", "RESUME", "PUSH_NULL", "PRECALL", "COPY_FREE_VARS"}
)
# Attributes that are called are loaded by another operation up to 3.11; from 3.12 on a bit says so.
_SHIFTED: Final = {"LOAD_GLOBAL"} | ({"LOAD_ATTR"} if sys.version_info >= (3, 12) else set())


@functools.lru_cache(maxsize=1000)
def operations(code: CodeType) -> tuple[Operation, ...]:
    """The operations of code, those left out that do nothing for what lies on the stack."""
    return tuple(_operations(code, has(code, BINDS_ITEM)))


def has(code: CodeType, names: frozenset[str]) -> bool:
    """Whether one of these operations is in code."""
    return not _numbers(names).isdisjoint(code.co_code[::2])


@functools.cache
def _numbers(names: frozenset[str]) -> frozenset[int]:
    return frozenset(opmap[name] for name in names if name in opmap)


def _operations(code: CodeType, with_depth: bool) -> Iterator[Operation]:
    depth = 0
    for operation, number in _numbered(code):
        if with_depth:
            depth += _effect(operation, number)
        what = opname[operation]
        if what in _NAMES:
            yield what, code.co_names[number >> (what in _SHIFTED)], depth
        elif what in _VARIABLES:
            yield "_".join(what.split("_")[:2]), _variable(code, number), depth
        elif what.count("_FAST") == 2:
            yield f"{what.partition('_')[0]}_FAST", _variable(code, number >> 4), depth - 1
            second = "LOAD" if "LOAD" in what.partition("_FAST")[2] else "STORE"
            yield f"{second}_FAST", _variable(code, number & 15), depth
        elif what not in _SKIPPED:
            yield what, "", depth


def _effect(operation: int, number: int) -> int:
    try:
        return stack_effect(operation, number, jump=False)
    except ValueError:  # it takes no argument
        return stack_effect(operation, jump=False)


def container_of(done: tuple[Operation, ...], place: int) -> int:
    """Where that was loaded in which an item is bound or unbound by the operation of this place."""
    what, _, after = done[place]
    wanted = after + (2 if what == "STORE_SUBSCR" else 1)
    return next((at for at in range(place - 1, -1, -1) if done[at][2] == wanted), -1)


def _variable(code: CodeType, number: int) -> str:
    name: str = code._varname_from_oparg(number)  # type: ignore[attr-defined]
    return name


def _numbered(code: CodeType) -> Iterator[tuple[int, int]]:
    """The operations of code and their arguments."""
    more, text, extended, cache = 0, code.co_code, opmap["EXTENDED_ARG"], opmap["CACHE"]
    for operation, last in zip(text[::2], text[1::2], strict=True):
        if operation == extended:
            more = (more | last) << 8
        elif operation != cache:
            yield operation, more | last
            more = 0
