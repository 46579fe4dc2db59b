"""The functions that a target of `ahead` stands for."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from types import FunctionType, MethodType, ModuleType
from typing import Any

from cord.errors import CordError

_WAITS = inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR


def functions_of(target: Any) -> Iterator[FunctionType]:
    """The functions that are meant: of a class or a module all of its own.

    Raises:
        CordError: It is not one of Python's functions, or one that waits with `await`.
    """
    if isinstance(target, ModuleType):
        yield from _functions_in(target, target.__name__)
        return
    if isinstance(target, type):
        yield from _functions_in(target, target.__module__)
        return
    function = _plain_function(target)
    if function is None:
        raise CordError(
            f"{target!r} is not a function that is written in Python",
            "name a function, a class or a module",
        )
    if function.__code__.co_flags & _WAITS:
        raise CordError(
            f"{function.__qualname__} is a coroutine function, whose calls are made in place",
            "put the loop with the remote calls into a plain function, and call that in it",
        )
    yield function


def _functions_in(owner: ModuleType | type, module: str) -> Iterator[FunctionType]:
    """The functions that a module or a class defines itself, and those in classes there."""
    prefix = f"{owner.__qualname__}." if isinstance(owner, type) else ""
    for name, value in list(vars(owner).items()):
        if isinstance(value, type):
            if (value.__module__, value.__qualname__) == (module, prefix + name):
                yield from _functions_in(value, module)
            continue
        for one in (value.fget, value.fset) if isinstance(value, property) else (value,):
            function = _plain_function(one)
            if function is not None and function.__module__ == module:
                yield function


def _plain_function(value: Any) -> FunctionType | None:
    """The function inside what may be a method, a decorated function or a descriptor."""
    if isinstance(value, (staticmethod, classmethod, MethodType)):
        value = value.__func__
    function = inspect.unwrap(value) if callable(value) else None
    return function if isinstance(function, FunctionType) else None
