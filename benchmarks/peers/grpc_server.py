"""grpcio: a service whose messages are pickled by Python."""

from __future__ import annotations

import pickle
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import cycle
from typing import Any

import grpc
import work
from peers.peer import Peer
from peers.served import servers

UNLIMITED = [("grpc.max_receive_message_length", -1), ("grpc.max_send_message_length", -1)]
WINDOW = 64


class _Grpc(Peer):
    def __init__(self, channels: list[Any]) -> None:
        self._channels = channels

    def _method(self, channel: Any, function: Callable[..., Any]) -> Any:
        path = f"/work/{function.__name__}"
        return channel.unary_unary(path, pickle.dumps, pickle.loads)

    def call(self, function: Callable[..., Any], *arguments: Any) -> Any:
        return self._method(self._channels[0], function)(arguments)[0]

    def repeat(self, function: Callable[[], Any], count: int) -> None:
        method = self._method(self._channels[0], function)
        for _ in range(count):
            method(())

    def stream(self, function: Callable[..., Any], items: Iterable[Any]) -> Iterator[Any]:
        methods = cycle([self._method(channel, function) for channel in self._channels])
        under_way: deque[Any] = deque()
        for method, item in zip(methods, items, strict=False):
            if len(under_way) == WINDOW * len(self._channels):
                yield under_way.popleft().result()[0]
            under_way.append(method.future((item,)))
        while under_way:
            yield under_way.popleft().result()[0]


def _serve(path: str) -> None:
    def handler(function: Callable[..., Any]) -> Any:
        # A value goes as a tuple of one: None would count as an error of the decoder.
        return grpc.unary_unary_rpc_method_handler(
            lambda arguments, _: (function(*arguments),), pickle.loads, pickle.dumps
        )

    functions = (work.null, work.inc, work.pin, work.busy, work.nap, work.echo)
    handlers = {function.__name__: handler(function) for function in functions}
    server = grpc.server(ThreadPoolExecutor(1), options=UNLIMITED)
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler("work", handlers),))
    server.add_insecure_port(f"unix:{path}")
    server.start()
    server.wait_for_termination()


@contextmanager
def opened(workers: int) -> Iterator[Peer]:
    """As many servers as workers."""
    with servers(_serve, workers) as paths:
        yield _Grpc([grpc.insecure_channel(f"unix:{path}", UNLIMITED) for path in paths])
