"""One generation of what is served: replicas, and what they say of the routes."""

from __future__ import annotations

import json
import os
import traceback
from typing import TYPE_CHECKING, Any

import msgspec

from cord import _core
from cord._core import HTTP
from cord.engines import engine_of
from cord.errors import CordError
from cord.plan.http_plan import HttpPlan, RoutePlan
from cord.plan.model import Plan, RemotePlan
from cord.plan.words import AUTO
from cord.runtime.client.manners import Manners
from cord.runtime.io.output import replay
from cord.runtime.travel.interrupts import Sent
from cord.runtime.travel.raised import decode_exception
from cord.tools.serve.openapi import document
from cord.tools.serve.page import page
from cord.tools.serve.unused import notes
from cord.web.described import DESCRIBE
from cord.web.streams import Gone

if TYPE_CHECKING:
    from collections.abc import Sequence

_LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
_encode = msgspec.msgpack.encode


class Service:
    """Replicas that serve, until it is closed.

    Args:
        plan: The plan, with a section [http].

    Attributes:
        plan: The plan, for the cores that there are.
        end: A descriptor that can be read when what makes replicas has ended.

    Raises:
        CordError: A function cannot be a route, or its module cannot be imported.
        OSError: The system has no room for the replicas.
    """

    def __init__(self, plan: Plan) -> None:
        engine = engine_of(plan)
        modules = [remote.served() for remote in plan.remote.values()]
        self._replicas = engine.join(modules)
        self.end = os.pidfd_open(self._replicas.pid)
        self.plan = plan.on_cores(engine.cores())
        is_far = not plan.engine.is_local
        if is_far:
            from cord.runtime.travel.losses import replicas_are_far

            replicas_are_far()
        self._remotes = [remote.served() for remote in self.plan.remote.values()]
        self._plain: dict[str, int] = {}
        self._manners = {remote.module: Manners(remote) for remote in self._remotes}
        for route in self.http.routes:  # before the session knows of all manners
            manners = self._manners[route.module]
            self._plain[route.module] = manners.plain()
            manners.unhedged(route.function)
        native = [
            self._manners[remote.module].module(remote.replicas, is_far=is_far)
            for remote in self._remotes
        ]
        self._session = _core.Session(native, self._replicas.control, is_far)
        try:
            world = self._session.world()
            for index in range(len(self._remotes)):
                self._session.load(index, world, False)
            self._told = self._ask(self.http.routes)
        except BaseException:
            self.close()
            raise

    @property
    def http(self) -> HttpPlan:
        """What the plan says of HTTP."""
        assert self.plan.http is not None
        return self.plan.http

    @property
    def size(self) -> int:
        """How many calls all replicas serve at once."""
        return sum(_capacity(remote) for remote in self._remotes)

    def notes(self) -> list[str]:
        """What the plan says that holds for no request."""
        return notes(self.plan, self.http.routes, self._told)

    def close(self) -> None:
        """End the replicas."""
        self._session.close()
        self._replicas.close()
        os.close(self.end)

    def goes_on(self) -> bool:
        """Whether something else makes replicas, now that what did has ended."""
        if not self._replicas.has_heir():
            return False
        os.close(self.end)
        self.end = os.pidfd_open(self._replicas.pid)
        return True

    def install(self, front: _core.HttpFront) -> int:
        """Let a front end serve this from now on; the number by which it tells of it.

        Raises:
            CordError: The front end cannot serve it.
        """
        late = Sent().encode(TimeoutError("the request was not served within its deadline"))
        gone = Sent().encode(Gone("the client has hung up"))
        pages = document(self.http, self._told), page()
        try:
            return front.serve(self._session, json.dumps(self._front_plan()), pages, (late, gone))
        except ValueError as error:
            raise CordError(str(error)) from None

    def _front_plan(self) -> dict[str, Any]:
        http = self.http
        host = http.bind.rpartition(":")[0]
        hosts = http.hosts
        if hosts is None and (host in _LOOPBACK or host.startswith("127.")):
            hosts = (*_LOOPBACK, host)
        return {
            "routes": [
                self._front_route(route, told)
                for route, told in zip(http.routes, self._told, strict=True)
            ],
            "pools": [
                {
                    "name": remote.module,
                    "capacity": _capacity(remote),
                    "resident_bytes": remote.resident_bytes,
                }
                for remote in self._remotes
            ],
            "queue": http.queue,
            "body": http.body,
            "connections": http.connections,
            "patience": http.patience,
            "idle": http.idle,
            "hosts": hosts,
            "origins": http.origins,
            "tls": http.tls,
            "log": http.log,
            "log_json": http.log_format == "json",
            "is_discreet": http.admin is not None,
        }

    def _front_route(self, route: RoutePlan, told: dict[str, Any]) -> dict[str, Any]:
        settings = self.plan.remote[route.module].function(route.function)
        streams = told["reads_stream"] or told["writes_stream"]
        manners = self._manners[route.module]
        number = manners.unhedged if streams else manners.number  # a stream is sent by one call
        priority = None if route.priority is None else {route.priority[0]: route.priority[1]}
        return {
            "method": route.method,
            "path": route.path,
            "module": self._index(route.module),
            "manner": number(route.function),
            "effects": settings.effects,
            "spec": self._spec(route).decode(),
            "headers": [*route.headers.values(), *(["accept"] if streams else [])],
            "deadline": route.deadline,
            "priority": priority,
            "reads_stream": told["reads_stream"],
            "writes_stream": told["writes_stream"],
            "has_body": told["has_body"],
            "body": route.body,
            "resident": _resident(settings.resident, told["whole"]),
        }

    def _index(self, module: str) -> int:
        return list(self.plan.remote).index(module)

    def _spec(self, route: RoutePlan) -> bytes:
        """What replicas are told of a route, with each of its requests."""
        return msgspec.json.encode(
            {
                "function": route.function,
                "method": route.method,
                "path": route.path,
                "names": route.names,
                "headers": route.headers,
                "streams": self.plan.engine.is_local,
            }
        )

    def _ask(self, routes: Sequence[RoutePlan]) -> list[dict[str, Any]]:
        """What replicas say of the routes' functions."""
        tickets = []
        for route in routes:
            request: tuple[Any, ...] = (DESCRIBE + self._spec(route), [], "", [], None, None, None)
            index = self._index(route.module)
            head, manner = _encode(request), self._plain[route.module]
            issued = self._session.issue(index, True, head, [], codec=HTTP, manner=manner)
            tickets.append(issued)
        told = []
        refused: list[tuple[str, str]] = []
        for route, ticket in zip(routes, tickets, strict=True):
            ticket.wait()
            answer = _answer(route, ticket.take())
            if "refused" in answer:
                why = f"{route.place}: {route.key}: {answer['refused']}"
                refused.append((why, answer["hint"]))
            told.append(answer)
        if refused:
            raise _refusal(self.plan.path, refused)
        return told


def _refusal(path: str, refused: list[tuple[str, str]]) -> CordError:
    """All that is refused, with what to do about each."""
    if len(refused) == 1:
        return CordError(*refused[0])
    blocks = [f"{path} has {len(refused)} errors"]
    blocks += [f"{message}\n    hint: {hint}" for message, hint in refused]
    return CordError("\n\n".join(blocks))


def _resident(named: tuple[str, ...] | str, whole: str | None) -> str | None:
    """Which bodies of a route replicas keep."""
    if whole is None:
        return None
    if named == AUTO:
        return "again"
    return "all" if whole in named else None


def _capacity(remote: RemotePlan) -> int:
    """How many calls the replicas of a module serve at once."""
    return max(remote.places, 1)


def _answer(route: RoutePlan, outcome: Any) -> dict[str, Any]:
    """What a replica has said of a route."""
    kind = outcome[0]
    if kind == "reply" and outcome[1] == _core.VALUE:
        _, _, frame, buffers, output = outcome
        if output:
            replay(output)
        body = buffers[0] if buffers else frame[_head_length(frame) :]
        answer: dict[str, Any] = msgspec.json.decode(bytes(body))
        if "status" in answer and "title" in answer:
            raise CordError(f"{route.module}.{route.function}() cannot be looked at in its replica")
        return answer
    if kind == "unavailable" or (kind == "reply" and outcome[1] == _core.ERROR):
        error = decode_exception(outcome[1] if kind == "unavailable" else outcome[2])
        text = "".join(traceback.format_exception(error)).rstrip()
        raise CordError(f"the remote module {route.module} cannot be imported:\n{text}")
    if kind == "lost":
        raise CordError(f"a replica of {route.module} has ended while it imported the module")
    raise CordError("the replicas have ended before they could serve")


def _head_length(frame: bytes) -> int:
    """Where the body begins behind a head."""
    for end in range(3, len(frame) + 1):
        try:
            msgspec.msgpack.decode(frame[:end])
        except msgspec.DecodeError:
            continue
        return end
    raise CordError("a replica has answered in a way that this version does not know")
