"""Where the parameters of a function come from, in a request."""

from __future__ import annotations

import collections.abc
import inspect
import io
import types
import typing
from dataclasses import dataclass, is_dataclass
from typing import Any, Final

import msgspec

# Where a parameter comes from.
PATH: Final = "path"
QUERY: Final = "query"
HEADER: Final = "header"
MEMBER: Final = "member"  # of a body that is an object
BODY: Final = "body"  # the whole body, decoded
RAW: Final = "raw"  # the whole body, as it is
STREAM: Final = "stream"  # the body as it comes
READER: Final = "reader"  # the same as a binary file

_WITH_BODY = ("POST", "PUT", "PATCH")
_ITERATORS = (
    collections.abc.Iterator,
    collections.abc.Iterable,
    collections.abc.Generator,
)
_READERS = (typing.BinaryIO, typing.IO, io.BufferedIOBase, io.RawIOBase, io.IOBase)


class RouteError(Exception):
    """A function cannot be a route.

    Attributes:
        message: What is wrong.
        hint: What to do about it.
    """

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter.

    Attributes:
        name: Its name.
        hint: Its type hint.
        source: Where it comes from.
        default: What it is where it is absent; `inspect.Parameter.empty` if it must be there.
        by_name: Whether the function takes it by name only.
    """

    name: str
    hint: Any
    source: str
    default: Any
    by_name: bool

    @property
    def is_needed(self) -> bool:
        """Whether it must be there."""
        return self.default is inspect.Parameter.empty


@dataclass(frozen=True, slots=True)
class Spec:
    """What the plan says of a route.

    Attributes:
        function: The function's name in its module.
        method: The HTTP method.
        path: The path, with parameters in braces.
        names: The path's parameters, in its order.
        headers: By parameter, the header that it is given; in the order in which values come.
        streams: Whether streams can be had.
    """

    function: str
    method: str
    path: str
    names: tuple[str, ...]
    headers: dict[str, str]
    streams: bool


def parameters_of(function: Any, spec: Spec, called: str) -> list[Parameter]:
    """The parameters of a function, each with where it comes from.

    Args:
        function: The function.
        spec: Its route.
        called: What messages call the function.

    Raises:
        RouteError: It cannot be a route.
    """
    _check_function(function, called)
    hints = _hints(function, called)
    found: list[Parameter] = []
    known = inspect.signature(function).parameters
    for name in spec.names:
        if name not in known:
            raise RouteError(
                f"{called}() has no parameter {name}, which {spec.method} {spec.path} has",
                f"its parameters are: {', '.join(known) or 'none'}",
            )
    for name in spec.headers:
        if name not in known:
            raise RouteError(
                f"{called}() has no parameter {name}, which headers of "
                f"{spec.method} {spec.path} names",
                f"its parameters are: {', '.join(known) or 'none'}",
            )
    for name, parameter in known.items():
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            raise RouteError(
                f"{called}() takes *{name}, which no request can name",
                "write a function with a parameter for each value, that calls this one",
            )
        if name not in hints:
            if parameter.default is not parameter.empty and _is_left_out(name, spec):
                continue
            raise RouteError(
                f"the parameter {name} of {called}() has no type hint",
                f"write for instance {name}: str",
            )
        by_name = parameter.kind is parameter.KEYWORD_ONLY
        source = _fixed_source(name, hints[name], spec)
        found.append(Parameter(name, hints[name], source, parameter.default, by_name))
    return _with_body(found, spec, called)


def _is_left_out(name: str, spec: Spec) -> bool:
    """Whether nothing of the route names a parameter, which then keeps its default."""
    return name not in spec.names and name not in spec.headers


def _check_function(function: Any, called: str) -> None:
    if inspect.iscoroutinefunction(function) or inspect.isasyncgenfunction(function):
        raise RouteError(
            f"{called}() is async, and replicas call plain functions",
            "write def; requests are served side by side by replicas",
        )
    if not callable(function):
        raise RouteError(f"{called} is no function", "name a function of the remote module")


def _hints(function: Any, called: str) -> dict[str, Any]:
    try:
        return typing.get_type_hints(function, include_extras=True)
    except Exception as error:
        raise RouteError(
            f"the type hints of {called}() cannot be read: {type(error).__name__}: {error}",
            "import what they name when the module is imported, not for type checkers alone",
        ) from None


def _fixed_source(name: str, hint: Any, spec: Spec) -> str:
    if name in spec.names:
        return PATH
    if name in spec.headers:
        return HEADER
    if hint in (bytes, bytearray, memoryview):
        return RAW
    if hint in _READERS or typing.get_origin(hint) in _READERS:
        return READER
    if typing.get_origin(hint) in _ITERATORS and typing.get_args(hint)[:1] == (bytes,):
        return STREAM
    return ""


def _with_body(found: list[Parameter], spec: Spec, called: str) -> list[Parameter]:
    """The same, with a source for those that hints alone do not tell."""
    bodies = [one for one in found if one.source in (RAW, STREAM, READER)]
    if len(bodies) > 1:
        names = " and ".join(one.name for one in bodies)
        raise RouteError(f"{called}() takes the body twice: as {names}", "a request has one body")
    if bodies and spec.method not in _WITH_BODY:
        raise RouteError(
            f"{called}() takes a body, as {bodies[0].name}, but {spec.method} has none",
            f'write "POST {spec.path}", or PUT or PATCH',
        )
    if bodies and bodies[0].source in (STREAM, READER) and not spec.streams:
        raise RouteError(
            f"{called}() reads the body as it comes, as {bodies[0].name}, "
            "which replicas on other machines cannot",
            f"write {bodies[0].name}: bytes, or leave [engine] out",
        )
    free = [one for one in found if not one.source]
    rest = QUERY
    whole: list[Parameter] = []
    if spec.method in _WITH_BODY and not bodies:
        structured = [one for one in free if _is_structured(one.hint)]
        if len(structured) == 1:
            whole = structured
        else:
            rest = MEMBER
    return [
        one
        if one.source
        else Parameter(one.name, one.hint, BODY if one in whole else rest, one.default, one.by_name)
        for one in found
    ]


def _is_structured(hint: Any) -> bool:
    """Whether a value of that type is an object of named members."""
    origin = typing.get_origin(hint)
    if origin is typing.Annotated:
        return _is_structured(typing.get_args(hint)[0])
    if origin in (typing.Union, types.UnionType):
        members = [one for one in typing.get_args(hint) if one is not type(None)]
        return bool(members) and all(map(_is_structured, members))
    kind = origin or hint
    if not isinstance(kind, type):
        return False
    return (
        is_dataclass(kind)
        or issubclass(kind, msgspec.Struct)
        or typing.is_typeddict(kind)
        or hasattr(kind, "__attrs_attrs__")
    )


def is_stream(hint: Any) -> bool:
    """Whether a result of that type is given bit by bit."""
    return (typing.get_origin(hint) or hint) in _ITERATORS
