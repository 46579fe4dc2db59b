"""What of the project's state a function may read or change: found by the names in its code.

It is as much as it may be, not as it is: a name that stands anywhere in the code of a function counts, and
so does all code that is reached in turn. Where names are looked up by what is computed, all of the
project's modules count.
"""

from __future__ import annotations

import sys
from types import CodeType, FunctionType, MethodType, ModuleType

TYPE_CHECKING = False  # typing is not imported on the way to a first call
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any, Final

# Names whose use can lead to anything.
_DYNAMIC: Final = frozenset(
    {
        *("__dict__", "__globals__", "__import__", "eval", "exec", "getattr", "globals", "setattr"),
        *("delattr", "get_objects", "import_module", "modules", "vars"),
    }
)
_WRAPPED: Final = ("__wrapped__", "__func__", "func", "fget", "fset", "fdel")


class Reach:
    """What some functions and classes reach.

    Attributes:
        spaces: The namespaces of modules whose names they use, by the modules' names.
        values: What such names stand for, by how they are told; neither modules nor builtins.
        known: The functions and classes that were reached, by their ids.
        cached: Functions that keep what they have returned, by how they are told.

    Args:
        own: The project's modules by their names.
    """

    def __init__(self, own: dict[str, ModuleType]) -> None:
        self.spaces: dict[str, dict[str, Any]] = {}
        self.values: dict[str, object] = {}
        self.known: dict[int, object] = {}
        self.cached: dict[str, Any] = {}
        self._own = own
        self._names = {id(vars(module)): name for name, module in own.items()}
        self._by_last: dict[str, list[str]] = {}
        for name in own:
            self._by_last.setdefault(name.rpartition(".")[2], []).append(name)
        self._todo: list[tuple[str, object]] = []

    def add(self, label: str, value: object) -> None:
        """Add what this leads to.

        Args:
            label: How it is told.
            value: A function or class, or anything else.
        """
        self._todo.append((label, value))
        while self._todo:
            self._visit(*self._todo.pop())

    def _visit(self, label: str, value: object) -> None:
        if id(value) in self.known:
            return
        if isinstance(value, ModuleType):
            if value.__name__ in self._own:
                self._use_module(value.__name__, None)
            return
        self.known[id(value)] = value
        if isinstance(value, FunctionType):
            self._visit_function(label, value)
        elif isinstance(value, type):
            self._visit_class(value)
        else:
            for name in _WRAPPED:
                inner = _attribute(value, name)
                if isinstance(inner, FunctionType):
                    self._todo.append((label, inner))
                    if hasattr(value, "cache_info"):
                        self.cached[label] = value
            if isinstance(value, MethodType):
                self._todo.append((label, value.__self__))
            self.values[label] = value

    def _visit_class(self, cls: type) -> None:
        for base in cls.__mro__:
            if base.__module__ in self._own:
                label = f"{_shown(base.__module__)}{base.__qualname__}"
                self.known[id(base)] = base
                self.values[label] = base
                for name, value in list(vars(base).items()):
                    for function in (value, *(_attribute(value, wrapped) for wrapped in _WRAPPED)):
                        if isinstance(function, FunctionType):
                            self._todo.append((f"{label}.{name}", function))

    def _visit_function(self, label: str, function: FunctionType) -> None:
        module = self._names.get(id(function.__globals__))
        if module is None:
            return  # a library's: what it keeps is its own
        self.values[label] = function
        names = set(_names_in(function.__code__))
        if names & _DYNAMIC:
            for each in self._own:
                self._use_module(each, None)
            return
        self._use_module(module, names)
        for name in names:
            for each in self._by_last.get(name.rpartition(".")[2], ()):
                self._use_module(each, names)
        for cell in function.__closure__ or ():
            try:
                inner = cell.cell_contents
            except ValueError:
                continue
            if isinstance(inner, (FunctionType, type)):
                self._todo.append((label, inner))

    def _use_module(self, name: str, names: set[str] | None) -> None:
        """Some names of a module are used, or all of them."""
        space = vars(self._own[name])
        self.spaces[name] = space
        used = list(space) if names is None else [one for one in names if one in space]
        for one in used:
            if not (one.startswith("__") and one.endswith("__")):
                value = space[one]
                if isinstance(value, ModuleType) and value.__name__ in self._own:
                    if value.__name__ not in self.spaces or names is not None:
                        self._use_module_by(value.__name__, names)
                else:
                    self._todo.append((f"{_shown(name)}{one}", value))

    def _use_module_by(self, name: str, names: set[str] | None) -> None:
        if names is None:
            self._use_module(name, None)
            return
        space = vars(self._own[name])
        self.spaces[name] = space
        for one in names:
            if one in space and not isinstance(space[one], ModuleType):
                self._todo.append((f"{_shown(name)}{one}", space[one]))


def _shown(module: str) -> str:
    return "" if module == "__main__" else f"{module}."


def _attribute(value: object, name: str) -> object:
    """An attribute as the object or its class has it, without any code of the project's."""
    try:
        return object.__getattribute__(value, name)
    except Exception:
        return None


def _names_in(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for const in code.co_consts:
        if isinstance(const, CodeType):
            yield from _names_in(const)


def functions_of(name: str, function: object, met: Iterable[object]) -> list[tuple[str, object]]:
    """What a call begins with: its function, and what its arguments have led to.

    Args:
        name: The function's name in its module.
        function: The function.
        met: Functions and classes of the project's that its arguments lead to.
    """
    others = [(getattr(one, "__qualname__", type(one).__name__), one) for one in met]
    module = getattr(function, "__module__", None)
    shown = _shown(module) if isinstance(module, str) and module in sys.modules else ""
    return [(f"{shown}{name.rpartition(':')[2]}", function), *others]
