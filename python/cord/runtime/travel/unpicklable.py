"""Finds the object that cannot be pickled inside a value, and says what is the matter with it."""

from __future__ import annotations

import io
from _pickle import dumps
from collections import deque
from contextlib import suppress
from types import (
    AsyncGeneratorType,
    BuiltinFunctionType,
    CoroutineType,
    FrameType,
    FunctionType,
    GeneratorType,
    MethodType,
    ModuleType,
)
from typing import TYPE_CHECKING, Any

from cord.errors import EncodeError
from cord.runtime.objects.parameters import signature_of

if TYPE_CHECKING:
    from collections.abc import Iterator

# Objects looked at before the search gives up and names the value as a whole.
SEARCH_LIMIT = 2000
KEY_WIDTH = 40


def explain(value: object, root: str) -> tuple[str, str]:
    """Find the object inside `value` that pickle refuses; see `codec.explain_unpicklable`."""
    path, culprit = _find(value)
    if not path:
        return root, reason(culprit)
    return f"{root}: {(_expression(root) + path).strip()}", reason(culprit)


def _expression(root: str) -> str:
    """Name the value at the root in front of a path: the parameter's own name if there is one."""
    quoted = root.split("'")
    return quoted[1] if root.startswith("argument '") and len(quoted) > 2 else ""


def _find(value: object) -> tuple[str, object]:
    """Search breadth first, so the path is the shortest.

    The culprit is an object that fails while nothing in it does: an innocent one may fail only
    because it leads back to the culprit.
    """
    queue = deque([("", value)])
    seen = {id(value)}
    keep = []  # pieces made on the way must not free their ids for others
    while queue and len(seen) < SEARCH_LIMIT:
        path, obj = queue.popleft()
        failing = [(step, piece) for step, piece in _pieces(obj) if not _travels(piece)]
        if not failing:
            return path, obj
        keep.append(failing)
        for step, piece in failing:
            if id(piece) not in seen:
                seen.add(id(piece))
                queue.append((path + step, piece))
    return "", value


def _travels(obj: object) -> bool:
    try:
        _dump(obj)
    except Exception:
        return False
    return True


def _dump(obj: object) -> None:
    try:
        dumps(obj, 5, buffer_callback=lambda _: None)
    except RecursionError:
        raise
    except Exception:
        from cord.runtime.travel.byvalue import ByValue

        ByValue(io.BytesIO(), lambda _: None).dump(obj)


def _pieces(obj: object) -> Iterator[tuple[str, object]]:
    """Yield the parts that pickle would visit next, each with its step of the path."""
    kind = type(obj)
    if kind is dict:
        yield from _dict_pieces(obj)
    elif kind in (list, tuple):
        for number, item in enumerate(obj):  # type: ignore[arg-type,var-annotated]
            yield f"[{number}]", item
    elif kind in (set, frozenset):
        for item in obj:  # type: ignore[attr-defined]
            yield f" (element {_short(item)})", item
    elif kind is FunctionType:  # an object can say that it is of any class
        yield from _variables(obj)  # type: ignore[arg-type]
    elif not issubclass(kind, (type, BuiltinFunctionType, ModuleType)):
        yield from _reduced_pieces(obj)


def _variables(function: FunctionType) -> Iterator[tuple[str, object]]:
    names = function.__code__.co_freevars
    for name, cell in zip(names, function.__closure__ or (), strict=True):
        with suppress(ValueError):  # not bound yet
            yield f" (its variable {name!r})", cell.cell_contents
    for default in function.__defaults__ or ():
        yield " (a default of it)", default


def _dict_pieces(mapping: Any) -> Iterator[tuple[str, object]]:
    for key, item in mapping.items():
        yield f"[{_short(key)}]", item
        yield f" (key {_short(key)})", key


def _reduced_pieces(obj: object) -> Iterator[tuple[str, object]]:
    if isinstance(obj, MethodType):
        yield ".__self__", obj.__self__
        return
    try:
        reduced = obj.__reduce_ex__(5)
    except Exception:
        return
    if not isinstance(reduced, tuple):
        return
    _, arguments, state, items, pairs = (*reduced, None, None, None)[:5]
    if isinstance(obj, BaseException):
        for number, argument in enumerate(obj.args):
            yield f".args[{number}]", argument
    yield from _state_pieces(state)
    for number, item in enumerate(items or ()):
        yield f"[{number}]", item
    if pairs is not None:
        yield from _dict_pieces(dict(pairs))
    yield from _constructor_pieces(obj, arguments)


def _state_pieces(state: object) -> Iterator[tuple[str, object]]:
    parts = state if isinstance(state, tuple) else (state,)
    for number, part in enumerate(parts):
        if isinstance(part, dict):
            for name, value in part.items():
                yield f".{name}", value
        elif part is not None:
            yield f" (state {number})", part


def _constructor_pieces(obj: object, arguments: Any) -> Iterator[tuple[str, object]]:
    if not isinstance(arguments, tuple):
        return
    names = getattr(type(obj), "_fields", None)
    rest = arguments[1:] if arguments and arguments[0] is type(obj) else arguments
    for number, argument in enumerate(rest):
        if isinstance(names, tuple) and len(names) == len(rest):
            yield f".{names[number]}", argument
        else:
            yield f" (part {number} of the {type(obj).__qualname__})", argument


def _short(key: object) -> str:
    try:
        text = repr(key)
    except Exception:
        text = f"<{type(key).__name__}>"
    return text if len(text) <= KEY_WIDTH else text[: KEY_WIDTH - 1] + "…"


def reason(obj: object) -> str:
    """Say why an object cannot be pickled, as the rest of a sentence that begins with its path.

    Args:
        obj: The object.
    """
    if isinstance(obj, GeneratorType):
        return f"is a generator ({obj.__qualname__})"
    if isinstance(obj, (CoroutineType, AsyncGeneratorType)):
        return f"is a coroutine ({obj.__qualname__})"
    if isinstance(obj, FrameType):
        return "is a frame"
    if isinstance(obj, io.IOBase):
        return f"is an open file ({type(obj).__name__})"
    if type(obj).__module__ == "_thread":
        return f"is a {type(obj).__name__} of threads"
    return _reason_pickle_gives(obj)


def _reason_pickle_gives(obj: object) -> str:
    try:
        _dump(obj)
    except RecursionError:
        return "is nested too deeply"
    except Exception as exc:
        return f"is a {type(obj).__qualname__} ({type(exc).__name__}: {exc})"
    return f"is a {type(obj).__qualname__}"


def argument_error(exc: BaseException, root: Any, function: object, where: str) -> EncodeError:
    """Build the error for a call's arguments; see `codec.encode_error`."""
    args, kwargs = root
    name = function if isinstance(function, str) else getattr(function, "__name__", "?")
    for label, value in _named_arguments(function, args, kwargs):
        if not _travels(value):
            return value_error(exc, value, f"argument {label} of {name}()", where)
    return value_error(exc, root, f"the arguments of {name}()", where)


def value_error(exc: BaseException, value: object, root: str, where: str) -> EncodeError:
    """Build the error for one value.

    Args:
        exc: What pickling raised.
        value: The value.
        root: What it is called.
        where: Call site as "search.py:14"; "" if not known.
    """
    path, why = explain(value, root)
    site = f"{where}: " if where else ""
    error = EncodeError(f"{site}{path} {why} and cannot be sent to another process", _hint(root))
    error.__cause__ = exc
    return error


def _hint(root: str) -> str:
    if root.startswith("the result"):
        return "return plain data, or leave the function out of `only` in cord.toml to run it here"
    return "pass plain data; what is bound to this process belongs in the remote function"


def _named_arguments(
    function: object, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Iterator[tuple[str, object]]:
    names: list[str] = []
    if callable(function):
        try:
            parameters = signature_of(function).parameters.values()
            names = [
                p.name for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)
            ]
        except (TypeError, ValueError):
            names = []  # a function of C code may have no signature; numbers do
    for number, value in enumerate(args):
        yield (f"'{names[number]}'" if number < len(names) else str(number + 1)), value
    for name, value in kwargs.items():
        yield f"'{name}'", value
