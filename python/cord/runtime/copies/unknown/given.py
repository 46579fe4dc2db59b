"""What functions of the project give in place of values: `guess` in cord.toml.

Such a function is given a call's arguments. What it gives is the sample of the call's value: the
copy goes by it where it would go by the last result, or pass by who asks. And where it has been the
value itself as often as not, leaders send it to other calls.
"""

from __future__ import annotations

import os
import pickle
import sys
from copy import deepcopy
from importlib import import_module

from cord import _core
from cord.runtime.travel.sameness import are_alike

from .leaf import Unknown, Unseen
from .leaves import node_of, sample_of
from .nodes import Node, Reply, is_there
from .questions import answered, itself, stand_ins

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Arguments = tuple[tuple[Any, ...], dict[str, Any]]

# Who has given them, by the number of the call: the number of the function whose value it is, and
# the name of the function that gave it.
_by: dict[int, tuple[int, str]] = {}


def given(
    by: str, function: int, number: int, args: tuple[Any, ...], kwargs: dict[str, Any] | None
) -> tuple[Any] | None:
    """What is to stand for the value of a call; None if the function gives nothing.

    Args:
        by: Who gives it, as `module.function`.
        function: The number of the function that is called.
        number: The call's number among those of the copy.
        args: The call's arguments; they are not changed.
        kwargs: Those by name.
    """
    try:
        own, named = deepcopy(_plain((args, kwargs or {})))
        value = _function(by)(*own, **named)
        stand_ins[number] = deepcopy(value)
    except BaseException:  # whatever it raises, there is none
        return None
    _by[number] = function, by
    return (value,)


def _function(by: str) -> Callable[..., Any]:
    module, _, name = by.rpartition(".")
    main = sys.modules["__main__"]
    file = os.path.basename(getattr(main, "__file__", ""))
    own = os.path.splitext(file)[0] if main.__spec__ is None else main.__spec__.name
    there = main if module == own else import_module(module)
    return getattr(there, name)  # type: ignore[no-any-return]


def _plain(thing: Any) -> Any:
    """Something with what stands for values in place of these.

    Raises:
        Unknown: Nothing stands for one of them.
    """
    kind = type(thing)
    if kind in (list, tuple):
        return kind(map(_plain, thing))
    if kind is dict:
        return {name: _plain(one) for name, one in thing.items()}
    if not _core.is_unknown_in(thing):
        return thing
    node = node_of(thing)
    if not isinstance(node, Node) or not _are_given(node):
        raise Unknown
    if kind is Unseen:
        if node.is_known():
            return node.value()
        if type(node) is not Reply:
            raise Unknown
        return deepcopy(stand_ins[node.number])
    found = sample_of(thing)
    if _core.is_unknown_in(found):
        raise Unknown
    return found


def _are_given(node: Node) -> bool:
    return all(number in stand_ins or is_there(number) for number in node.numbers)


def taken(args: tuple[Any, ...], kwargs: dict[str, Any] | None) -> Arguments | None:
    """The arguments of a call, with what was given in place of values: in a leader.

    What they are is a question like any other, so the copy itself waits for the truth. None for
    arguments that wait for values, as these are not given, or seldom what comes.
    """
    if not stand_ins:
        return None
    node = node_of((args, kwargs or {}))
    if not isinstance(node, Node) or node.is_known() or not _are_given(node):
        return None
    if not all(_core.is_good_for(_by[one][0]) for one in node.numbers if one in _by):
        return None
    try:
        plain = _plain((args, kwargs or {}))
    except Unknown:
        return None
    taken: Arguments = answered(node, itself, plain)
    return taken


def compare(number: int) -> None:
    """The value of a call is there: tell whether what was given for it is the same."""
    if number not in _by or not is_there(number):
        return
    function, by = _by.pop(number)
    try:
        pair = (stand_ins[number], Reply(number).value())
        right = are_alike(*(pickle.dumps(one, pickle.HIGHEST_PROTOCOL) for one in pair))
    except Exception:  # they cannot be compared
        return
    _core.stood_for(function, number, right, by)
