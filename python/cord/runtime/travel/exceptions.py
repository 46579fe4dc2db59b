"""One exception as data, and back, without running its class's `__init__` a second time.

The default pickle of an exception calls `cls(*args)` on arrival. That fails, or quietly changes
the message, for every class whose `__init__` takes something else than what it hands to its base.
So the state is taken and put back by hand; only a class that defines its own pickling is asked.
"""

from __future__ import annotations

import copyreg
import sys
from _pickle import dumps, loads
from contextlib import suppress
from types import GetSetDescriptorType, MemberDescriptorType, ModuleType

from cord._core import is_fixed
from cord.errors import EncodeError

TYPE_CHECKING = False  # typing is not imported on the way to a first call
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Final

# The attribute by which a copy of another process's exception is known; no code can name it.
NUMBER: Final = ":cord"
# By that number: exceptions of this process whose copies may come back.
originals: Final[dict[int, BaseException]] = {}

_MAIN: Final = b"__main__"
_OBJ_LIMIT: Final = 1 << 16  # an AttributeError's object larger than this many bytes stays behind

_PICKLING_HOOKS: Final = (
    "__reduce__",
    "__reduce_ex__",
    "__getstate__",
    "__setstate__",
    "__getnewargs__",
    "__getnewargs_ex__",
)
# Fields that the chain, the traceback or the constructor restores.
_NOT_STATE: Final = frozenset({"__dict__", "__weakref__", "exceptions", "message"})


class Untravelled:
    """Stands for a part of an exception that cannot travel: reads the same, does nothing.

    Args:
        original: The object it stands for.
    """

    def __init__(self, original: object) -> None:
        self._type = type(original).__qualname__
        self._repr = printed(original, repr)
        self._str = printed(original, str)

    def __repr__(self) -> str:
        return self._repr

    def __str__(self) -> str:
        return self._str

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        raise EncodeError(
            f"{self._repr} is part of a remote exception and could not travel to the client",
            f"keep what the client needs of the {self._type} in the exception itself",
        )


class UntravelledOwner(Untravelled):
    """Stands for the object whose attribute was missing: it still knows its attributes' names."""

    def __init__(self, original: object) -> None:
        super().__init__(original)
        try:
            self._names = [name for name in dir(original) if isinstance(name, str)]
        except Exception:
            self._names = []

    def __dir__(self) -> list[str]:
        return self._names


def printed(value: object, how: Callable[[object], str] = str) -> str:
    """Return `how(value)`, or what the interpreter prints if that fails.

    Args:
        value: Anything.
        how: `str` or `repr`.
    """
    try:
        return how(value)
    except Exception:
        return f"<unprintable {type(value).__name__} object>"


def number_of(exc: BaseException) -> int:
    """Return the number of the exception that this is a copy of; 0 if it is none."""
    number: int = exc.__dict__.get(NUMBER, 0)
    return number


def class_of(exc: BaseException, outward: bool = False) -> bytes:
    """Return the pickled class of an exception; a class that cannot travel is described."""
    cls = type(exc)
    if outward:
        return dumps(_named(cls, printed(exc)), 5)
    if cls in _stand_ins.values():
        return dumps(_Nowhere(cls, printed(exc)), 5)
    try:
        return _dumps(cls)
    except Exception:
        return dumps(_Nowhere(cls, printed(exc)), 5)


class _Nowhere:
    """Pickles as a class that a function defined: it becomes one of the same name and bases."""

    def __init__(self, cls: type, text: str = "") -> None:
        self._cls = cls
        self._text = text

    def __reduce__(self) -> tuple[Any, ...]:
        bases = tuple(base if _is_found(base) else _Nowhere(base) for base in self._cls.__bases__)
        return _stand_in, self._described(bases, _is_found(self._printer()))

    def _printer(self) -> type:
        return next(each for each in self._cls.__mro__ if "__str__" in vars(each))

    def _described(self, bases: tuple[Any, ...], prints: bool) -> tuple[Any, ...]:
        cls = self._cls
        return cls.__module__, cls.__qualname__, bases, None if prints else self._text


def _named(cls: type, text: str = "") -> Any:
    return cls if _is_builtin(cls) else _Named(cls, text)


def _is_builtin(cls: type) -> bool:
    return cls.__module__ == "builtins"


class _Named(_Nowhere):
    """Pickles as the class of that name if there is one, else as one that is made."""

    def __reduce__(self) -> tuple[Any, ...]:
        bases = tuple(_named(base) for base in self._cls.__bases__)
        return _found_or_stand_in, self._described(bases, _is_builtin(self._printer()))


def _found_or_stand_in(
    module: str, qualname: str, bases: tuple[type, ...], text: str | None
) -> type:
    found: object = sys.modules.get(module)
    for name in qualname.split("."):
        found = getattr(found, name, None)
    if isinstance(found, type) and issubclass(found, BaseException):
        return found
    return _stand_in(module, qualname, bases, text)


def _is_found(cls: type) -> bool:
    try:
        dumps(cls, 5)
    except Exception:
        return False
    return True


_stand_ins: dict[tuple[Any, ...], type] = {}


def _stand_in(module: str, qualname: str, bases: tuple[type, ...], text: str | None) -> type:
    key = (module, qualname, bases, text)
    if key not in _stand_ins:
        body: dict[str, Any] = {"__module__": module, "__qualname__": qualname}
        if text is not None:
            body["__str__"] = lambda _self: text
        _stand_ins[key] = type(qualname.rpartition(".")[2], bases, body)
    return _stand_ins[key]


def _dumps(value: object) -> bytes:
    """A pickle; what has no name to be found by travels by value."""
    try:
        return dumps(value, 5)
    except Exception as refusal:
        from cord.runtime.travel.pickled import encode_by_value

        return encode_by_value(value, None, refusal)


def custom_pickle(exc: BaseException) -> bytes | None:
    """Return the exception as its class's own pickling has it, if it has one that works."""
    cls = type(exc)
    base = _native_bases(cls)[0]
    if cls not in copyreg.dispatch_table and all(
        getattr(cls, hook, None) is getattr(base, hook, None) for hook in _PICKLING_HOOKS
    ):
        return None
    try:
        data = dumps(exc, 5)
        back = loads(data)
    except Exception:
        return None
    return data if type(back) is cls and printed(back) == printed(exc) else None


def state_of(exc: BaseException, outward: bool = False) -> bytes:
    """Return the pickled state of an exception: arguments, fields of native bases, slots, dict."""
    arguments = exc.args
    if isinstance(exc, BaseExceptionGroup) and members_are_argument(exc):
        arguments = (arguments[0], type(arguments[1])(), *arguments[2:])
    fields = _fields_of(exc)
    attributes = {name: value for name, value in exc.__dict__.items() if name != NUMBER}
    try:
        state = _dumps((arguments, fields, attributes))
        if not (outward and _MAIN in state):
            return state
    except Exception:
        pass
    travelling = _travelling_outward if outward else _travelling
    arguments = tuple(travelling(argument) for argument in arguments)
    fields = {name: travelling(value) for name, value in fields.items()}
    attributes = {name: travelling(value) for name, value in attributes.items()}
    return dumps((arguments, fields, attributes), 5)


def members_are_argument(group: BaseExceptionGroup[Any]) -> bool:
    """Tell whether a group's second argument is the sequence of its members, as by default."""
    arguments = group.args
    return (
        len(arguments) >= 2
        and type(arguments[1]) in (list, tuple)
        and len(arguments[1]) == len(group.exceptions)
        and all(a is b for a, b in zip(arguments[1], group.exceptions, strict=True))
    )


def restore(
    cls: type[BaseException], state: bytes, group: tuple[str, list[BaseException], bool] | None
) -> BaseException:
    """Make an exception from its class and state.

    Args:
        cls: The class.
        state: What `state_of` returned.
        group: For an exception group its message, its members, and whether these are its
            second argument.

    Returns:
        The exception, without traceback, cause and context.

    Raises:
        Exception: Whatever the parts raise when they are decoded.
    """
    arguments, fields, attributes = loads(state)
    if group is not None:
        message, members, is_argument = group
        exc: BaseException = BaseExceptionGroup.__new__(cls, message, members)  # type: ignore[type-var]
        if is_argument:
            arguments = (arguments[0], type(arguments[1])(members), *arguments[2:])
    else:
        exc = _new(cls, arguments)
    BaseException.args.__set__(exc, arguments)  # type: ignore[attr-defined]
    for name, value in fields.items():
        if getattr(exc, name, None) is value:
            continue  # a field never set reads as None, but an OSError prints one set to None
        with suppress(AttributeError, TypeError):  # a field that its constructor alone can set
            object.__setattr__(exc, name, value)
    exc.__dict__.update(attributes)
    return exc


def _new(cls: type[BaseException], arguments: tuple[Any, ...]) -> BaseException:
    for base in _native_bases(cls):
        try:
            exc: BaseException = base.__new__(cls, *arguments)
        except TypeError:
            continue  # not the base that decides the layout
        with suppress(TypeError, ValueError):  # arguments that only the class's own __init__ knows
            base.__init__(exc, *arguments)
        return exc
    return BaseException.__new__(cls)


def _native_bases(cls: type) -> list[type[BaseException]]:
    return [base for base in cls.__mro__[:-1] if is_fixed(base)]


def parts_of(exc: BaseException) -> dict[int | str, Any]:
    """What an exception holds: its arguments by their places, fields and attributes by names."""
    parts: dict[int | str, Any] = dict(enumerate(exc.args))
    parts.update(_fields_as_they_are(exc))
    parts.update(vars(exc))
    return parts


def put(exc: BaseException, parts: dict[int | str, Any]) -> None:
    """Let an exception hold these in the place of others: see `parts_of`."""
    if any(type(place) is int for place in parts):
        exc.args = tuple(parts.get(place, arg) for place, arg in enumerate(exc.args))
    attributes = vars(exc)
    for name, part in parts.items():
        if type(name) is int:
            continue
        if name in attributes:
            attributes[str(name)] = part
        else:
            with suppress(AttributeError, TypeError):  # its constructor alone can set it
                object.__setattr__(exc, str(name), part)


def _fields_of(exc: BaseException) -> dict[str, Any]:
    fields = _fields_as_they_are(exc)
    if isinstance(exc, AttributeError) and "obj" in fields:
        fields["obj"] = _owner(fields["obj"])
    return fields


def _fields_as_they_are(exc: BaseException) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    for cls in type(exc).__mro__:
        if cls in (Exception, BaseException, object):
            continue
        for name, descriptor in vars(cls).items():
            if name in _NOT_STATE or name in fields:
                continue
            if isinstance(descriptor, (MemberDescriptorType, GetSetDescriptorType)):
                with suppress(AttributeError, TypeError):  # not set
                    fields[name] = descriptor.__get__(exc, type(exc))
    return fields


def _owner(original: object) -> object:
    """Return what travels for the object that lacks an attribute: it is asked for similar names."""
    if original is None or isinstance(original, ModuleType):
        return original if original is None else _NamedModule(original)
    try:
        if len(dumps(original, 5)) <= _OBJ_LIMIT:
            return original
    except Exception:
        return UntravelledOwner(original)
    return UntravelledOwner(original)


class _NamedModule:
    """Pickles as a module, by its name."""

    def __init__(self, module: ModuleType) -> None:
        self._module = module

    def __reduce__(self) -> tuple[Any, ...]:
        return _module_or_stand_in, (self._module.__name__, UntravelledOwner(self._module))


def _module_or_stand_in(name: str, stand_in: UntravelledOwner) -> object:
    return sys.modules.get(name, stand_in)


def _travelling(value: object) -> object:
    try:
        loads(dumps(value, 5))
    except Exception:
        return Untravelled(value)
    return value


def _travelling_outward(value: object) -> object:
    """As `_travelling`, to a replica: it may lack what the main script defines."""
    try:
        if _MAIN not in dumps(value, 5):
            return value
    except Exception:
        pass
    return Untravelled(value)
