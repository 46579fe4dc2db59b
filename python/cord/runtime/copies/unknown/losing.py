"""What is not known any more of an object behind a call of its method that was passed by."""

from __future__ import annotations

import sys
from collections import deque
from contextlib import suppress
from opcode import opmap
from types import CodeType, FunctionType, ModuleType
from typing import TYPE_CHECKING

from .asking import is_standard
from .leaf import Unseen
from .nodes import LOST

if TYPE_CHECKING:
    from typing import Any, Final

_GROWING: Final = frozenset("append extend insert appendleft extendleft".split())
_CHANGING: Final = (list, dict, set, bytearray, deque)
# What code calls that changes attributes of whatever names, and that changes containers.
_ANY_NAME: Final = frozenset({"setattr", "__dict__", "vars"})
_CHANGERS: Final = _GROWING | frozenset(
    "add clear discard pop popleft remove setdefault sort".split()
)
_RANDOM: Final = {("random", "Random"), ("numpy", "Generator"), ("numpy", "RandomState")}
_EXTENDED: Final = opmap["EXTENDED_ARG"]
_SETTING: Final = ("STORE_SUBSCR", "DELETE_SUBSCR", "STORE_SLICE")  # the last since Python 3.12
_ITEMS: Final = {opmap[name] for name in _SETTING if name in opmap}
# By function: the attributes that it sets, those whose containers it may change; None is any.
_set_by: dict[FunctionType, tuple[set[str] | None, set[str]]] = {}


def lose(thing: Any, method: str | None) -> Any:
    """What something is behind a call of its method that was passed by.

    Args:
        thing: A container is lost. Of an object of the program's, or of a package's, those
            attributes are that the method sets, as far as its text tells.
        method: A list that it lets grow keeps what it has, and has something lost besides. None: it
            was called for what it gives: iterators and random numbers are further then.
    """
    if _moves_on(type(thing)):
        return Unseen(LOST)
    if method is None:
        return thing
    if method in _GROWING and isinstance(thing, (list, deque)):
        if not thing or type(thing[-1]) is not Unseen:
            thing.append(Unseen(LOST))
        return thing
    if _can_change(thing):
        _spoil(thing)
        return Unseen(LOST)
    if method and not isinstance(thing, (type, ModuleType)):
        _lose_attributes(thing, method)
    return thing


def _spoil(container: Any) -> None:
    """What a container holds is not known any more, for whoever else has it."""
    lost = Unseen(LOST)
    with suppress(Exception):  # it may be one of the program's own making
        if isinstance(container, (list, deque)):
            for at in range(len(container)):
                container[at] = lost
        elif isinstance(container, dict):
            for key in container:
                container[key] = lost


def _can_change(thing: Any) -> bool:
    """Whether it is a container: a list, an array."""
    numpy = sys.modules.get("numpy")
    return isinstance(thing, _CHANGING) or (
        numpy is not None and isinstance(thing, getattr(numpy, "ndarray", ()))
    )


def _moves_on(kind: type) -> bool:
    """Whether each call may give something else, as it goes on with the last one's state."""
    names = {(one.__module__.partition(".")[0], one.__name__) for one in kind.__mro__}
    return not names.isdisjoint(_RANDOM) or (
        hasattr(kind, "__next__") and ("_io", "_IOBase") not in names
    )


def _lose_attributes(thing: Any, method: str) -> None:
    function = getattr(type(thing), method, None)
    held = getattr(thing, "__dict__", None)
    if type(function) is not FunctionType or type(held) is not dict:
        return
    if is_standard(function.__code__.co_filename):
        return
    stored, changed = _sets(type(thing), function)
    for name, value in held.items():
        is_changed = name in changed and _can_change(value)
        if is_changed:
            _spoil(value)
        if stored is None or name in stored or is_changed:
            held[name] = Unseen(LOST)


def _sets(kind: type, function: FunctionType) -> tuple[set[str] | None, set[str]]:
    if function in _set_by:
        return _set_by[function]
    stored: set[str] | None = set()
    changed: set[str] = set()
    _set_by[function] = stored, changed  # for functions that call each other
    code = function.__code__
    names = {*code.co_names}
    own, changes_items = _stores(code)
    stored = None if names & _ANY_NAME else own
    if changes_items or names & _CHANGERS:
        changed |= names
    for name in names:
        inner = getattr(kind, name, None)
        if type(inner) is FunctionType:
            of_inner, changed_by_inner = _sets(kind, inner)
            changed |= changed_by_inner
            stored = None if stored is None or of_inner is None else stored | of_inner
    _set_by[function] = stored, changed
    return stored, changed


def _stores(code: CodeType) -> tuple[set[str], bool]:
    """The attributes that code sets, of whatever object, and whether it sets items."""
    instructions = code.co_code
    found: set[str] = set()
    changes_items, argument = False, 0
    for at in range(0, len(instructions), 2):
        operation = instructions[at]
        argument = argument << 8 | instructions[at + 1]
        if operation == opmap["STORE_ATTR"]:
            found.add(code.co_names[argument])
        changes_items |= operation in _ITEMS
        if operation != _EXTENDED:
            argument = 0
    return found, changes_items
