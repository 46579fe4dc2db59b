"""Requests of HTTP, answered: a frame in, a frame out."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Callable, Iterator
from itertools import chain
from traceback import TracebackException
from types import SimpleNamespace
from typing import Any, Final

import msgspec

from cord.web.binding import Binding, Invalid
from cord.web.described import DESCRIBE, described, refused
from cord.web.parameters import STREAM, RouteError, Spec, parameters_of
from cord.web.responses import (
    Frame,
    Unsendable,
    frame_of,
    has_parts,
    head,
    headers_of,
    kind_of,
    piece,
    problem,
    status_of,
)
from cord.web.streams import Gone, Incoming, Stream, reader

_Request = tuple[
    bytes,  # specification of the route
    list[str],  # values of the path's parameters
    str,  # query
    list[str | None],  # values of the headers asked for
    str | None,  # content type
    tuple[str, int] | None,  # where to stream to
    bytes | None,  # body
]
# Tracebacks are shown without the frames of files here.
_OWN: Final = os.path.dirname(os.path.dirname(__file__)) + os.sep
# Says that the answer has gone over the stream, whichever of both is seen first.
_STREAMED: Final[Frame] = (b"", [])
# The answer to a client that has hung up.
_UNREAD: Final[Frame] = problem(400, "The client has hung up.")
_decode = msgspec.msgpack.Decoder(_Request).decode
_decode_spec = msgspec.json.Decoder(Spec).decode


class Again(Exception):
    """A request of a pure function that is to be answered once more, after what it has raised.

    Attributes:
        frame: The answer, where that was often enough.
        pause: Seconds to wait before.
    """

    def __init__(self, frame: Frame, pause: float) -> None:
        super().__init__()
        self.frame = frame
        self.pause = pause


class Requests:
    """Answers requests for the functions of one module.

    Args:
        module: Its name.
        pause: For how many seconds a call of a function pauses before it is made again, after
            what it has raised; None: it is not.
    """

    def __init__(self, module: str, pause: Callable[[str, BaseException], float | None]) -> None:
        self._module = module
        self._pause = pause
        self._routes: dict[bytes, Route] = {}

    def answer(self, frame: bytes, buffers: list[Any]) -> Frame:
        """Answer one request.

        Args:
            frame: What the front end has made of it.
            buffers: Its body, where that is not in the frame.

        Returns:
            What the front end makes the response of. What a function raises is one, too.

        Raises:
            Again: The request is to be answered once more.
        """
        route: Route | None = None
        spec, path, query, headers, content_type, stream, body = _decode(frame)
        try:
            if spec.startswith(DESCRIBE):
                return self._describe(spec)
            route = self._route(spec)
            body = route.body_of(body, buffers)
            if stream is not None:
                return route.answer_streaming(path, query, headers, content_type, stream, body)
            return route.answer(path, query, headers, content_type, body)
        except Invalid as error:
            return problem(error.status, error.detail, error.errors)
        except Gone:
            return _UNREAD
        except BaseException as error:
            answer = _failed(error)
            pause = None if route is None else self._pause_of(route, error)
            if pause is None:
                return answer
        raise Again(answer, pause)

    @staticmethod
    def again(error: BaseException) -> Again | None:
        """What was raised, if it is that a request is to be answered once more."""
        return error if isinstance(error, Again) else None

    def _pause_of(self, route: Route, error: BaseException) -> float | None:
        if route.binding.stream is not None:  # its body comes once
            return None
        return self._pause(route.spec.function, error)

    def argument(self, frame: bytes, buffers: list[Any]) -> tuple[Route, Any] | None:
        """What a request calls its route's function with; None if it is not just one value.

        Raises:
            Exception: The request is to be refused.
        """
        spec, path, query, headers, content_type, stream, body = _decode(frame)
        if stream is not None or spec.startswith(DESCRIBE):
            return None
        route = self._route(spec)
        body = route.body_of(body, buffers)
        args, named = route.binding.arguments(path, query, headers, content_type, body)
        values = [*args, *named.values()]
        return (route, values[0]) if len(values) == 1 else None

    def _route(self, spec: bytes) -> Route:
        route = self._routes.get(spec)
        if route is None:
            route = self._routes[spec] = Route(self._module, _decode_spec(spec))
        return route

    def _describe(self, spec: bytes) -> Frame:
        try:
            route = Route(self._module, _decode_spec(spec.removeprefix(DESCRIBE)))
        except RouteError as error:
            return frame_of(refused(error))
        return frame_of(described(route.function, route.spec, route.parameters, route.binding))


class Route:
    """One route: its function, and how requests are bound to it.

    Args:
        module: The name of the function's module.
        spec: What the plan says.

    Raises:
        RouteError: The function cannot be a route.
    """

    def __init__(self, module: str, spec: Spec) -> None:
        called = f"{module}.{spec.function}"
        function: Any = sys.modules[module]
        for name in spec.function.split("."):
            function = getattr(function, name, None)
        if function is None:
            there = vars(sys.modules[module])
            public = [name for name in there if callable(there[name]) and name[0] != "_"]
            own = [name for name in public if getattr(there[name], "__module__", "") == module]
            functions = own or public
            raise RouteError(
                f"{module} has no function {spec.function}",
                f"it has: {', '.join(sorted(functions)[:12]) or 'none'}",
            )
        self.spec = spec
        self.called = called
        self.function = function
        self.parameters = parameters_of(function, spec, called)
        self.binding = Binding(self.parameters, spec.names, list(spec.headers), called)
        raw = self.binding.raw
        self.wants_bytes = raw is not None and raw.hint is bytes

    def body_of(self, body: Any, buffers: list[Any]) -> Any:
        """A request's body: in its frame, or beside it."""
        if body is not None:
            return body
        body = buffers[0] if buffers else b""
        if buffers and type(body) is not bytes and self.wants_bytes:
            body = bytes(body)
        return body

    def answer(
        self,
        path: list[str],
        query: str,
        headers: list[str | None],
        content_type: str | None,
        body: Any,
    ) -> Frame:
        """Make the call of a request that nothing streams."""
        args, named = self.binding.arguments(path, query, headers, content_type, body)
        return self.frame(self.function(*args, **named))

    def answer_streaming(
        self,
        path: list[str],
        query: str,
        headers: list[str | None],
        content_type: str | None,
        at: tuple[str, int],
        body: Any,
    ) -> Frame:
        """Make the call of a request whose body, or whose answer's, goes bit by bit."""
        stream: Stream | None = None
        values: Any = None
        accepts = headers.pop() if headers else None  # the front end adds it for streams
        try:
            reads = self.binding.stream
            if reads is not None:
                stream = Stream(*at)
                pieces = Incoming(stream)
                body = pieces if reads.source == STREAM else reader(pieces)
            args, named = self.binding.arguments(path, query, headers, content_type, body)
            value = self.function(*args, **named)
            values = value.body if has_parts(value) else value
            if not isinstance(values, Iterator):
                return self.frame(value)
            is_events = accepts is not None and "text/event-stream" in accepts
            return self._send(value, values, stream or Stream(*at), is_events=is_events)
        except Gone:
            return problem(400, "The body has not come to its end.")
        finally:
            if stream is not None:
                stream.close()

    def _send(self, value: Any, values: Iterator[Any], stream: Stream, *, is_events: bool) -> Frame:
        """Send what a generator gives; what it raises before its first item is answered as ever."""
        nothing: list[Any] = []
        try:
            first = next(values, nothing)
            kind = kind_of("" if first is nothing else first, is_events=is_events)
            status, more = 200, []
            if value is not values:
                status, named = status_of(value), headers_of(value)
                given = [text for name, text in named if name.lower() == "content-type"]
                kind = given[0] if given else kind
                pairs = [pair for pair in named if pair[0].lower() != "content-type"]
                more = [part for pair in pairs for part in pair]
            if is_events:
                more += ["cache-control", "no-cache"]
            stream.begin(head(status, kind, more))
            if first is not nothing:
                stream.send(piece(first, is_event=is_events))
                for item in values:
                    stream.send(piece(item, is_event=is_events))
            stream.end()
        except Gone:
            pass  # nobody reads any more
        except BaseException as error:
            if not stream.has_begun:
                raise
            _tell(error)  # the client sees that the body breaks off
        finally:
            close = getattr(values, "close", None)
            if close is not None:
                close()
            stream.close()
        return _STREAMED

    def frame(self, value: Any) -> Frame:
        """What the front end makes the response of, where nothing streams."""
        try:
            return frame_of(_joined(value) if isinstance(value, Iterator) else value)
        except Unsendable as error:
            sys.stderr.write(f"cord: the result of {self.called}() cannot be sent: {error}\n")
            return problem(500, "The function's result cannot be sent.")


def _joined(values: Iterator[Any]) -> Any:
    """All that a stream would send, where there is none."""
    first = next(values, "")
    kind = kind_of(first, is_events=False)
    body = b"".join(piece(item, is_event=False) for item in chain((first,), values))
    return SimpleNamespace(status=200, headers={"content-type": kind}, body=body)


def _failed(error: BaseException) -> Frame:
    """What the client is told of an exception: nothing of it, unless its class has a status."""
    status = getattr(type(error), "status", None)
    if isinstance(status, int) and not isinstance(status, bool) and 400 <= status <= 599:
        return problem(status, str(error) or type(error).__name__)
    _tell(error)
    return problem(500, "The function has raised an exception.")


def _tell(error: BaseException) -> None:
    """Write the traceback to stderr, without frames of Cord's own."""
    told = traceback.TracebackException.from_exception(error)
    links: TracebackException | None = told
    while links is not None:
        kept = [frame for frame in links.stack if not frame.filename.startswith(_OWN)]
        links.stack = traceback.StackSummary.from_list(kept)
        links = links.__cause__ or links.__context__
    sys.stderr.write("".join(told.format()))
