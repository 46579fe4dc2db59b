"""The client's view of a remote module: its public functions replaced by remote ones.

Only attribute access is changed, by descriptors on a class of the module's own. The module's dict,
which is the globals of its code, keeps the local functions: code of the module that runs in the
client calls its own functions locally, unless the plan says that they are remote `inside`, too.
"""

from __future__ import annotations

import sys
from types import BuiltinFunctionType, FunctionType, ModuleType

from cord import _core
from cord.runtime.objects.classes import BEHIND_FACADE

TYPE_CHECKING = False  # typing is not imported on the way to a first call
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Any, Final, NoReturn, TypeAlias

    PutMethod: TypeAlias = tuple[type, str, object, object]

# Flags of code whose call gives a generator, a coroutine or an asynchronous generator.
GIVES_NO_VALUE: Final = 0x20 | 0x80 | 0x100 | 0x200
_GIVES_COROUTINES: Final = 0x80
_GIVES_ITEMS: Final = 0x20 | 0x200

# Where the class of a facade keeps the functions that stand in the module's dict, with those they
# stand for.
_INSIDE: Final = "__cord_inside__"
# And what it has put into the module's classes: class, name, what was there, what is there now.
_METHODS: Final = "__cord_methods__"


def public_functions(module: ModuleType, only: Iterable[str] | None = None) -> list[str]:
    """Return the names of a module's functions that a client may call remotely.

    These are the functions defined in the module itself, decorated ones included, whose name
    has no leading underscore and is in `__all__` if the module has one. Classes, constants,
    imported names, generator functions and coroutine functions stay local.

    Args:
        module: The module, imported.
        only: Names to narrow the choice to; None for all.

    Returns:
        The names, in the order of their definition.
    """
    return [
        name for name, value in _public(module, only) if is_own_function(value, module.__name__)
    ]


def coroutine_functions(module: ModuleType, only: Iterable[str] | None = None) -> list[str]:
    """The names of a module's own coroutine functions that are as public as those."""
    return [
        name
        for name, value in _public(module, only)
        if is_coroutine_function(value) and value.__module__ == module.__name__
    ]


def generator_functions(module: ModuleType, only: Iterable[str] | None = None) -> list[str]:
    """The names of a module's own functions that give generators, and so are never remote."""
    return [
        name
        for name, value in _public(module, only)
        if type(value) is FunctionType
        and value.__module__ == module.__name__
        and value.__code__.co_flags & _GIVES_ITEMS
    ]


def _public(module: ModuleType, only: Iterable[str] | None) -> Iterator[tuple[str, Any]]:
    exported = module.__dict__.get("__all__")
    for name, value in module.__dict__.items():
        if name.startswith("_") or (exported is not None and name not in exported):
            continue
        if only is None or name in only:
            yield name, value


def is_own_function(value: object, module: str) -> bool:
    """Whether this is a function that a module defines, and whose result can travel."""
    return getattr(value, "__module__", None) == module and is_function(value)


def is_function(value: object) -> bool:
    """Whether this is a function, or what a decorator made of one, whose result can travel."""
    if isinstance(value, type):
        return False
    if not isinstance(value, (FunctionType, BuiltinFunctionType)) and not _wraps(value):
        return False
    while _wraps(value):
        value = value.__wrapped__  # type: ignore[attr-defined]
    code = getattr(value, "__code__", None)
    return code is None or not code.co_flags & GIVES_NO_VALUE


def is_coroutine_function(value: object) -> bool:
    """Whether this is a coroutine function itself: not what a decorator made of one."""
    return type(value) is FunctionType and bool(value.__code__.co_flags & _GIVES_COROUTINES)


def is_partial(value: object) -> bool:
    """Whether this is a `functools.partial` of a function."""
    functools: Any = sys.modules.get("functools")  # else there is none
    if functools is None or type(value) is not functools.partial:
        return False
    inside: Any = value
    return is_function(inside.func)


def _wraps(value: object) -> bool:
    """Tell whether this is what functools.wraps, lru_cache or the like made of a function."""
    return callable(value) and "__wrapped__" in getattr(value, "__dict__", ())


def find_method(module: ModuleType, path: str) -> tuple[type, str, Any] | None:
    """What a class of a module has in its own dict.

    Args:
        module: The module.
        path: The class and the name there, as `Class.name`.

    Returns:
        The class, the name and what stands there; None if there is nothing of the kind.
    """
    owner, _, name = path.rpartition(".")
    found: Any = module
    for part in owner.split("."):
        found = vars(found).get(part)
        if not isinstance(found, type):
            return None
    return (found, name, vars(found)[name]) if name in vars(found) else None


def put_methods(module: ModuleType, methods: Mapping[str, Any]) -> None:
    """Let all who call methods of a module's classes find remote functions in their place.

    Args:
        module: The remote module, with its facade, which takes them back.
        methods: The remote function for each method, by `Class.name`.
    """
    put = vars(type(module))[_METHODS]
    for path, remote in methods.items():
        found = find_method(module, path)
        assert found is not None
        put.append(put_method(*found, remote))


def put_method(owner: type, name: str, had: Any, remote: Any) -> PutMethod:
    """Let a class have a remote function in the place of a method.

    Args:
        owner: The class.
        name: The name there.
        had: What stands there.
        remote: The remote function.

    Returns:
        What `take_back` undoes.
    """
    wrapped = type(had)(remote) if isinstance(had, (staticmethod, classmethod)) else remote
    type.__setattr__(owner, name, wrapped)
    return owner, name, had, wrapped


def take_back(put: PutMethod) -> None:
    """Let a class have its own method again, unless the program has put something else there."""
    owner, name, had, wrapped = put
    if vars(owner).get(name) is wrapped:
        type.__setattr__(owner, name, had)


def make_facade(module: ModuleType, functions: Mapping[str, object], inside: bool = False) -> None:
    """Let clients of a module find remote functions in place of its own.

    Rebinding a name, mocking it, deleting it and reloading the module work as on any module; a
    name bound to something else than the module's own function is no longer remote.
    `remove_facade` undoes it.

    Args:
        module: The remote module, imported by the client.
        functions: The remote function for each name.
        inside: The module's own code finds them, too.
    """
    remove_facade(module)
    names = vars(module)
    shown = {name: _core.RemoteName(name, names[name], one) for name, one in functions.items()}
    theirs = functions if inside else {}
    _show(module, shown, {name: (remote, names[name]) for name, remote in theirs.items()})
    names.update(theirs)


def lend_function(module: ModuleType, name: str, remote: object) -> None:
    """Let a function that another module offers be the same one where it is defined.

    So it is one object under all its names, and travels by the one that it gives itself.

    Args:
        module: The module that defines it.
        name: Its name there.
        remote: The remote function of the module that offers it.
    """
    facade = vars(type(module))
    shown = {key: value for key, value in facade.items() if type(value) is _core.RemoteName}
    shown[name] = _core.RemoteName(name, vars(module)[name], remote)
    inside, methods = facade.get(_INSIDE, {}), facade.get(_METHODS, [])
    if BEHIND_FACADE in facade:
        module.__class__ = facade[BEHIND_FACADE]
    _show(module, shown, inside, methods)


def _show(
    module: ModuleType,
    shown: Mapping[str, object],
    inside: dict[str, tuple[object, object]],
    methods: list[PutMethod] | None = None,
) -> None:
    base = type(module)
    body: dict[str, Any] = dict(shown)
    body.update(
        __slots__=(), __module__=base.__module__, __doc__=base.__doc__, __reduce_ex__=_no_pickle
    )
    body[BEHIND_FACADE] = base
    body[_INSIDE] = inside
    body[_METHODS] = [] if methods is None else methods
    alike: Any = _Alike if type(base) is type else type(base)
    cls = alike(base.__name__, (base,), body)
    _core.look_into_class(cls)
    module.__class__ = cls


def _no_pickle(_module: ModuleType, _protocol: int) -> NoReturn:
    raise TypeError("cannot pickle 'module' object")


class _Alike(type):
    """Class of a facade's class, which is found in tables where the module's own is.

    Picklers that take functions apart, and others, look there for the exact type of a module.
    """

    def __eq__(cls, other: object) -> bool:
        return _class_behind(cls) is _class_behind(other)

    def __hash__(cls) -> int:
        return hash(_class_behind(cls))


def _class_behind(cls: Any) -> object:
    return vars(cls)[BEHIND_FACADE] if type(cls) is _Alike else cls


def has_facade(module: ModuleType) -> bool:
    """Tell whether `make_facade` has been at a module: one that is executed now is reloaded."""
    return BEHIND_FACADE in vars(type(module))


def remove_facade(module: ModuleType) -> None:
    """Give a module its own functions back; one without a facade stays as it is."""
    facade = vars(type(module))
    if BEHIND_FACADE not in facade:
        return
    module.__class__ = facade[BEHIND_FACADE]
    names = vars(module)
    for name, (remote, original) in facade[_INSIDE].items():
        if names.get(name) is remote:
            names[name] = original
    methods = facade[_METHODS]
    while methods:
        take_back(methods.pop())
