"""Lists and dicts that a copy does not know yet.

What lies in them is found without a question. Who walks them, or asks how many there are, asks for
their form; and who changes one goes on with a plain one of that form.
"""

from __future__ import annotations

import copy
from operator import getitem

from .leaf import Leaf
from .questions import answered, is_far, itself

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from .nodes import Node


class PlainList(list):  # type: ignore[type-arg]
    """What an unknown list has become that was changed."""


class PlainDict(dict):  # type: ignore[type-arg]
    """The same of a dict."""


class _Container(Leaf):
    """What stands for a list or a dict."""

    _sample: Any
    _node: Node
    _found: dict[Any, Any]
    _is_settled: bool
    # What it was like at first: it is found by the identity of that, which stays its own.
    _first: Any

    def __new__(cls, sample: Any, node: Node) -> Any:
        """What stands for `node`, and is like the sample."""
        made = super(Leaf, cls).__new__(cls)
        made._sample, made._node = sample, node
        made._first = sample
        made._found, made._is_settled = {}, False
        return made

    def __init__(self, sample: Any, node: Node) -> None:
        pass

    def __copy__(self) -> Any:
        return self._again()

    def __deepcopy__(self, _memo: object) -> Any:
        return self._again()

    def _again(self) -> Any:
        from .leaves import shaped

        return shaped(copy.deepcopy(self._sample), self._node)

    def __getattr__(self, name: str) -> Any:
        """What it has, if it is of another kind after all."""
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self._node.await_value(), name)

    def _part(self, key: Any) -> Any:
        from .leaves import apply

        if type(key) is slice:
            return apply(getitem, (self, key))
        if key not in self._found:
            self._found[key] = apply(getitem, (self, key))
        return self._found[key]

    def _settle(self) -> None:
        """Have it the form that the program is told of."""
        if self._is_settled:
            return
        self._is_settled = True
        node = self._node
        if node.is_known() or is_far(node):
            told = node.await_value()
        else:
            told = answered(node, itself, self._sample)
        if told is not self._sample:
            self._become(told)

    def _become(self, value: Any) -> None:
        if type(value) is not type(self._sample):
            raise TypeError("it is not what it was before")
        self._sample = value
        self.fill(value)

    def fill(self, content: Any) -> None:
        """Have it hold this."""
        raise NotImplementedError


class UnknownList(_Container, list):  # type: ignore[type-arg]
    """A list."""

    def fill(self, content: Iterable[Any]) -> None:
        """Have it hold these."""
        list.__setitem__(self, slice(None), list(content))

    def __getitem__(self, key: Any) -> Any:
        if type(key) is not int or self._is_settled:
            return list.__getitem__(self, key) if self._is_settled else self._part(key)
        size = list.__len__(self)
        if 0 <= key < size:
            return list.__getitem__(self, key)
        if -size <= key < 0:
            return self._part(key)
        return self._node.await_value()[key]


class UnknownDict(_Container, dict):  # type: ignore[type-arg]
    """A dict."""

    def fill(self, content: dict[Any, Any]) -> None:
        """Have it hold these."""
        dict.clear(self)
        dict.update(self, content)

    def __getitem__(self, key: Any) -> Any:
        if self._is_settled or dict.__contains__(self, key):
            return dict.__getitem__(self, key)
        return self._node.await_value()[key]

    def get(self, key: Any, default: Any = None) -> Any:
        """As of a dict."""
        if not dict.__contains__(self, key):
            self._settle()
        return dict.get(self, key, default)


_CHANGING = """append extend insert pop remove clear sort reverse __setitem__ __delitem__ __iadd__
__imul__ update setdefault popitem __ior__""".split()
_LOOKING = """__iter__ __len__ __contains__ __eq__ __ne__ __lt__ __le__ __gt__ __ge__ __reversed__
__add__ __mul__ __rmul__ index count copy keys values items __or__ __ror__""".split()


def _looking(function: Callable[..., Any]) -> Callable[..., Any]:
    def method(self: _Container, *args: Any, **kwargs: Any) -> Any:
        self._settle()
        return function(self, *args, **kwargs)

    return method


def _changing(function: Callable[..., Any], plain: type) -> Callable[..., Any]:
    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        self._settle()
        self.__class__ = plain
        return function(self, *args, **kwargs)

    return method


def _describing(function: Callable[..., Any]) -> Callable[..., Any]:
    def method(self: _Container, *args: Any) -> Any:
        from .leaves import apply, formatted

        made = apply(function, (self, *args))
        return formatted(made) if function is format else made

    return method


def _define(leaf: type, kind: type, plain: type) -> None:
    for name in dir(kind):
        function = getattr(kind, name)
        if name in _CHANGING:
            setattr(leaf, name, _changing(function, plain))
        elif name in _LOOKING:
            setattr(leaf, name, _looking(function))
    for function in (repr, str, format):
        setattr(leaf, f"__{function.__name__}__", _describing(function))
    leaf.__hash__ = None  # type: ignore[assignment]


_define(UnknownList, list, PlainList)
_define(UnknownDict, dict, PlainDict)
