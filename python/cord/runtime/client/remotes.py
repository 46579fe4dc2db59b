"""Remote modules as those see them who call them: the client, and replicas of other modules."""

from __future__ import annotations

import os
import sys

from cord import _core
from cord.plan.words import ALL
from cord.runtime.client.facade import (
    coroutine_functions,
    find_method,
    is_coroutine_function,
    is_function,
    is_own_function,
    is_partial,
    lend_function,
    make_facade,
    public_functions,
    put_methods,
    remove_facade,
)
from cord.runtime.travel.executed import Wrapping, found_by

TYPE_CHECKING = False  # typing is not imported on the way to a first call
if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterator, Sequence
    from contextlib import AbstractContextManager
    from importlib.machinery import ModuleSpec
    from types import ModuleType
    from typing import Any

    from cord.plan.model import RemotePlan
    from cord.runtime.client.manners import Manners

    Serving = Callable[[ModuleType], AbstractContextManager[None]]


def make_remote(
    module: ModuleType,
    manners: Manners,
    index: int,
    carrier: _core.Session | _core.Endpoint,
) -> list[_core.RemoteFunction]:
    """Put remote functions in front of the public ones of a loaded remote module.

    Args:
        module: The module.
        manners: How it is called.
        index: Its number among the remote modules of the session.
        carrier: What carries the calls.

    Returns:
        The remote functions.
    """
    remove_facade(module)
    plan, names = manners.plan, vars(module)
    functions = {
        name: _lent(plan.homes.get(name), names[name])
        or remote_function(manners, index, carrier, name, names[name])
        for name in [*public_functions(module, plan.only), *_named_functions(module, plan)]
    }
    for name in coroutine_functions(module, plan.only):
        if _may_be_awaited(carrier, plan, name):
            functions[name] = remote_function(manners, index, carrier, name, names[name])
    make_facade(module, functions, inside=plan.inside)
    for name, (home, own) in plan.homes.items():
        defining = sys.modules.get(home)
        if name in functions and defining is not None and vars(defining).get(own) is names[name]:
            lend_function(defining, own, functions[name])
    methods = {
        path: remote_function(manners, index, carrier, path, original)
        for path, original in _methods(module, plan)
        if not is_coroutine_function(original) or _may_be_awaited(carrier, plan, path)
    }
    if methods:
        put_methods(module, methods)
    return [*functions.values(), *methods.values()]


def _may_be_awaited(
    carrier: _core.Session | _core.Endpoint, plan: RemotePlan, function: str
) -> bool:
    """Whether a coroutine function is remote; else it stays with who awaits it."""
    is_here = isinstance(carrier, _core.Session) and not plan.is_program
    return is_here and plan.function(function).effects == "pure"


def _lent(home: tuple[str, str] | None, original: Any) -> _core.RemoteFunction | None:
    """What stands for a function already, where another remote module offers it, too."""
    if home is None:
        return None
    found = getattr(sys.modules.get(home[0]), home[1], None)
    if type(found) is _core.RemoteFunction and _core.original_of(found) is original:
        return found
    return None


def _named_functions(module: ModuleType, plan: RemotePlan) -> Iterator[str]:
    """What the plan names, or others define, and turns out to be a function."""
    for name in dict.fromkeys((*(plan.only or ()), *plan.homes)):
        value = vars(module).get(name)
        is_known = name.startswith("_") or "." in name or is_own_function(value, module.__name__)
        if is_known or type(value) is _core.RemoteFunction:
            continue
        if is_function(value) or is_partial(value):
            yield name
        elif name in vars(module) and not is_coroutine_function(value):
            _tell_of_local(f"{module.__name__}.{name}", value)


def _methods(module: ModuleType, plan: RemotePlan) -> Iterator[tuple[str, Any]]:
    """The methods that the plan names, and their functions."""
    for path in plan.methods:
        found = find_method(module, path)
        if found is None:
            continue
        value = found[2]
        value = value.__func__ if isinstance(value, (staticmethod, classmethod)) else value
        if is_function(value) or is_coroutine_function(value):
            yield path, value
        else:
            _tell_of_local(f"{module.__name__}.{path}", value)


_told: set[str] = set()


def _tell_of_local(name: str, value: object) -> None:
    """Say once what the plan names and cannot be remote: no text could tell."""
    if name not in _told and not isinstance(value, type):
        _told.add(name)
        kind = type(value)
        line = f"cord: {name} runs in the program: it is no function but a {kind.__qualname__}"
        os.write(2, f"{line} of {kind.__module__}\n".encode(errors="backslashreplace"))


def remote_function(
    manners: Manners,
    index: int,
    carrier: _core.Session | _core.Endpoint,
    name: str,
    original: Any,
    known_as: str | None = None,
) -> _core.RemoteFunction:
    """What stands for a function of a remote module.

    Args:
        manners: How the module is called.
        index: Its number among the remote modules of the session.
        carrier: What carries the calls.
        name: The function's name in the plan.
        original: The function.
        known_as: The name by which replicas find it; None for the same.
    """
    plan = manners.plan
    again = manners.again(name) if isinstance(carrier, _core.Session) else 0.0
    if isinstance(carrier, _core.Session):
        usual, by_client = manners.uses(name, original)
    else:  # what replicas call is called in place, and is made there where that is faster
        usual = _core.Use(inline=manners.inlines(name), manner=manners.nested(name))
        by_client = dict[str, _core.Use]()
    return _core.RemoteFunction(
        carrier,
        index,
        known_as or name,
        original,
        plan.function(name).effects,
        usual,
        by_client,
        plan.is_program,
        manners.resident(name, original),
        codec=_core.PICKLE,
        again=again,
        waits=_waits(original),
        keep=_keep(plan, name, original) if isinstance(carrier, _core.Session) else (0, 0),
    )


def _keep(plan: RemotePlan, name: str, original: Any) -> tuple[int, int]:
    """What is kept of a function's calls, and for how many seconds.

    That is 0 for nothing, 1 for values, 2 for exceptions, too; and 0 for ever.
    """
    settings = plan.function(name)
    if not settings.keep:
        return 0, 0
    if settings.gather is not None:
        from cord.runtime.keep import prints

        prints.is_served_by(original, settings.gather)
    return 2 if settings.keep == ALL else 1, int(settings.ttl or 0)


# How calls of a coroutine function are awaited, as the native core has it.
_PERHAPS, _STRAIGHT = 1, 2


def _waits(function: Any) -> int:
    """How calls of a function are awaited: 0 if it is no coroutine function."""
    if not is_coroutine_function(function):
        return 0
    return _PERHAPS if _operations(function) & _awaiting() else _STRAIGHT


def _operations(function: Any) -> set[int]:
    return set(function.__code__.co_code[::2])


def _awaiting() -> set[int]:
    """The operations of code that awaits something: no other has them."""

    async def awaits(one: Any) -> None:
        await one

    async def looks(one: Any) -> None:
        one  # noqa: B018

    return _operations(awaits) - _operations(looks)


class RemoteFinder:
    """Stands first on `sys.meta_path` and looks after remote modules.

    Args:
        names: The remote modules.
        serving: Around the execution of one of them; makes its functions remote.
    """

    def __init__(self, names: Container[str], serving: Serving) -> None:
        self._names = names
        self._serving = serving
        self._shared = [finder for finder in sys.meta_path if hasattr(finder, "find_spec")]

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None = None,
        target: ModuleType | None = None,
    ) -> ModuleSpec | None:
        """Find a remote module as the interpreter does, with a loader of Cord's."""
        if fullname not in self._names:
            return None
        # the finders that replicas have too, those of editable installs among them
        shared = [finder for finder in sys.meta_path if finder in self._shared]
        spec: ModuleSpec | None = found_by(shared, fullname, path, target)
        if spec is not None and spec.loader is not None:
            spec.loader = Wrapping(spec.loader, self._serving)  # type: ignore[assignment]
        return spec

    def install(self) -> None:
        """Take the place before the interpreter's own finders."""
        sys.meta_path.insert(0, self)

    def remove(self) -> None:
        """Give the place up."""
        sys.meta_path.remove(self)
