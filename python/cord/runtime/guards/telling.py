"""What is told of guards that refuse, where somebody has asked for that: `cord explain --run`.

Nothing here is asked of any other run. Guards have decided by then; what they met is only named, by
looking for the part of it that is not as plain as the rest. No code of the program's runs for that
either: values are told by their types.
"""

from __future__ import annotations

import functools
import os
import reprlib
import sys
from types import (
    BuiltinFunctionType,
    ClassMethodDescriptorType,
    CodeType,
    FunctionType,
    MethodDescriptorType,
    MethodType,
    ModuleType,
    TracebackType,
    WrapperDescriptorType,
)

from cord._core import RemoteFunction, is_plain
from cord.knowledge.classes import home_of
from cord.runtime.guards.harmless import is_pure_callable
from cord.runtime.objects.classes import HOOKS, has_getattr, is_native, is_slot
from cord.runtime.objects.instances import is_simple, parts
from cord.runtime.travel.encodable import has_plain_encoding

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    # File, first and last line, first and last column; the columns are 0 where they are not known.
    Place = tuple[str, int, int, int, int]

_SCOUT = "<scout of "
_MOST_PARTS = 1_000
_SHOWN = 40  # characters of a value
# What decides how an instance travels.
_TRAVELS = (*HOOKS, "__getattr__")
# What has a name of its own, and no code of the program's behind it.
_NAMED = (
    *(FunctionType, BuiltinFunctionType, RemoteFunction, functools._lru_cache_wrapper),
    *(MethodDescriptorType, ClassMethodDescriptorType, WrapperDescriptorType),
)
_CONTAINERS = (list, tuple, dict, set, frozenset, bytearray)
_SCALARS = (int, float, complex, bool, str, bytes, type(None))

_QUALNAME, _MODULE = type.__dict__["__qualname__"], type.__dict__["__module__"]

_short = reprlib.Repr()
_short.maxstring = _short.maxother = _short.maxlong = _SHOWN


def told(why: str, about: Any, part: Any) -> tuple[str, str, Place | None]:
    """Name what a reason is about.

    Args:
        why: The reason, by its name in the native core.
        about: The value that it is about, None if there is none.
        part: What is done with it: a name, arguments, another operand; the traceback of an
            exception.

    Returns:
        What it is about, an example, and where the scout stands in the program's text.
    """
    kind = type(about)
    if issubclass(kind, BaseException):
        text = _cut(str(about)) if kind.__module__ == "builtins" and is_plain(about.args) else ""
        return kind.__name__, text, _place_of(part) or _place_here()
    return _named(why, about, part), "", _place_here()


def _named(why: str, about: Any, part: Any) -> str:
    match why:
        case "Function":
            return _function(about, part)
        case "Method":
            return _method(about, part)
        case "Attribute":
            return _attribute(about, part)
        case "Set" if part is not None:
            return f"{_class(type(about))}.{part}"
        case "Encoding":
            return _encoded(about)
        case "Source" | "Result" | "Plan":
            return dotted(about)
        case "Unplain":
            unplain = next((one for one in (about, part) if not is_plain(one)), about)
            return "this operation" if is_plain(unplain) else _a(_unplain(unplain))
        case "Change":
            return _a(about)
    return "" if about is None else _a(about)


def parameter(
    function: Any,
    args: tuple[Any, ...],
    kwargs: dict[str, Any] | None,
    guessed: tuple[Any, ...],
    guessed_kwargs: dict[str, Any] | None,
) -> tuple[str, str]:
    """In which parameter a scout's call of a function differs from the program's, and how."""
    names = function.__code__.co_varnames if type(function) is FunctionType else ()
    named = kwargs or {}
    pairs = [
        (names[index] if index < len(names) else f"argument {index + 1}", one, other)
        for index, (one, other) in enumerate(zip(args, guessed, strict=False))
    ]
    pairs += [
        (name, named[name], one) for name, one in (guessed_kwargs or {}).items() if name in named
    ]
    others = [(name, one, other) for name, one, other in pairs if _differ(one, other)]
    if not others:
        return "", ""
    name, one, other = others[0]
    shows = type(one) in _SCALARS and type(other) in _SCALARS
    return name, f"{_short.repr(one)}, not {_short.repr(other)}" if shows else ""


def _differ(one: Any, other: Any) -> bool:
    """Whether values are not equal, as far as that can be told without code of the program's."""
    if type(one) is not type(other):
        return True
    if type(one) in _SCALARS:
        return repr(one) != repr(other)
    if one is other or type(one) not in _CONTAINERS or not is_plain((one, other)):
        return False
    return repr(one) != repr(other)


# ---- names -------------------------------------------------------------------------------------


def dotted(value: Any) -> str:
    """A function or class by its dotted name, as `[assume]` has it."""
    kind = type(value)
    if kind is MethodType:
        return dotted(value.__func__)
    if kind is functools.partial:
        return dotted(value.func)
    if kind not in _NAMED:
        return _class(value if issubclass(kind, type) else kind)
    module = getattr(value, "__module__", None)
    if not isinstance(module, str):  # a method of a type of C
        own = getattr(value, "__self__", None)
        module = _module_of(getattr(value, "__objclass__", type(own)))
    return _whole(module, value.__qualname__)


def _class(cls: type) -> str:
    return _whole(_module_of(cls), _QUALNAME.__get__(cls))


def _module_of(cls: type) -> str:
    return str(_MODULE.__get__(cls))


def _whole(module: str, name: str) -> str:
    return name if module == "builtins" else f"{home_of(module)}.{name}"


def _a(value: Any) -> str:
    """Something of this value's class, in words."""
    if value is ...:
        return "a name without a value"
    if issubclass(type(value), type):
        return f"the class {_class(value)}"
    name = _class(type(value))
    if name.startswith("cord."):
        return "what only scouts have"
    plain = name.rpartition(".")[2]
    return f"{'an' if plain[:1].lower() in 'aeiou' else 'a'} {name}"


def _function(callee: Any, args: Any) -> str:
    """What of a call is not known: the function, or that no code runs for an argument."""
    name = dotted(callee)
    for value in args if isinstance(args, tuple) else ():
        if not is_plain(value) and is_pure_callable(callee, (), None) is not None:
            return f"{name}(), given {_a(_unplain(value))},"
    known = is_pure_callable(callee, (), None) is not None
    return f"{name}(), called like that," if known else name


def _method(receiver: Any, name: str) -> str:
    return f"{_owner(receiver)}.{name}"


def _owner(value: Any) -> str:
    """A module or class by its name, anything else by that of its class."""
    kind = type(value)
    if issubclass(kind, ModuleType):
        return str(ModuleType.__getattribute__(value, "__name__"))
    return _class(value if issubclass(kind, type) else kind)


def _attribute(value: Any, name: str) -> str:
    kind = type(value)
    if issubclass(kind, (ModuleType, type)):
        return f"{_owner(value)}.{name}"
    found = next((base.__dict__[name] for base in kind.__mro__ if name in base.__dict__), None)
    if found is not None:
        plain = issubclass(type(found), property) or callable(found)
        return f"{'' if plain else 'reading '}{_class(kind)}.{name}"
    if has_getattr(kind):
        return f"__getattr__() of {_class(kind)}"
    return f"{'reading ' if is_slot(kind) else '__getattribute__() for '}{_class(kind)}.{name}"


def _encoded(value: Any) -> str:
    found = _innermost(value, has_plain_encoding)
    hook = _hook(type(found))
    if hook is not None:
        return f"{_class(type(found))} has {hook}"
    return f"{_a(found)} is encoded by code that is not known"


def _hook(cls: Any) -> str | None:
    """The method of the program's, or a library's, that takes instances apart; with its line."""
    for name in _TRAVELS:
        method = getattr(cls, name, None)
        if not is_native(method):
            if type(method) is not FunctionType:
                return f"a {name} of its own"
            code = method.__code__
            here = _place_here()
            file = os.path.realpath(code.co_filename)
            short = "line " if here is None or file == here[0] else f"{os.path.basename(file)}:"
            return f"a {name} of its own ({short}{code.co_firstlineno})"
    return None


def _unplain(value: Any) -> Any:
    return _innermost(value, is_plain)


def _innermost(value: Any, is_fine: Callable[[Any], bool]) -> Any:
    """The part of a value because of which it is not fine, as far in as there is one."""
    for one in _parts(value):
        if not is_fine(one) and all(map(is_fine, _inside(one))):
            return one
    return value


def _parts(value: Any) -> Iterator[Any]:
    """A value and what is in it, as far as that is looked at."""
    waiting, seen = [value], set[int]()
    while waiting and len(seen) < _MOST_PARTS:
        one = waiting.pop()
        if id(one) not in seen:
            seen.add(id(one))
            yield one
            waiting.extend(_inside(one))


def _inside(value: Any) -> list[Any]:
    if type(value) in (list, tuple, set, frozenset):
        return list(value)
    if type(value) is dict:
        return [*value.keys(), *value.values()]
    found = parts(value) if is_simple(type(value)) else None
    return list(found.values()) if found else []


# ---- places ------------------------------------------------------------------------------------


def _place_here() -> Place | None:
    """Where the scout stands that runs."""
    frame = sys._getframe(1)
    while frame is not None:
        if frame.f_code.co_filename.startswith(_SCOUT):
            return _place(frame.f_code, frame.f_lasti)
        frame = frame.f_back  # type: ignore[assignment]
    return None


def _place_of(at: TracebackType | None) -> Place | None:
    """Where the scout stood that an exception has ended."""
    found = None
    while at is not None:
        if at.tb_frame.f_code.co_filename.startswith(_SCOUT):
            found = at.tb_frame.f_code, at.tb_lasti
        at = at.tb_next
    return None if found is None else _place(*found)


def _place(code: CodeType, last: int) -> Place | None:
    spans = list(code.co_positions())
    line, end, begin, to = spans[last // 2] if 0 <= last // 2 < len(spans) else (None,) * 4
    if line is None:
        return None
    file = code.co_filename.removeprefix(_SCOUT).removesuffix(">")
    return os.path.realpath(file), line, end or line, begin or 0, to or 0


def _cut(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 3]}..."
