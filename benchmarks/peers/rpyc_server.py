"""rpyc: a service with exposed functions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import rpyc
import work
from peers.peer import Peer
from peers.served import servers
from rpyc.utils.server import OneShotServer


class _Rpyc(Peer):
    def __init__(self, root: Any) -> None:
        self._root = root

    def call(self, function: Callable[..., Any], *arguments: Any) -> Any:
        return getattr(self._root, function.__name__)(*arguments)

    def repeat(self, function: Callable[[], Any], count: int) -> None:
        method = getattr(self._root, function.__name__)
        for _ in range(count):
            method()


class Work(rpyc.Service):
    """The functions, as methods."""

    exposed_null = staticmethod(work.null)
    exposed_inc = staticmethod(work.inc)
    exposed_pin = staticmethod(work.pin)


def _serve(path: str) -> None:
    OneShotServer(Work, socket_path=path).start()


@contextmanager
def opened(_: int) -> Iterator[Peer]:
    """One server."""
    with servers(_serve, 1) as (path,):
        connection = rpyc.utils.factory.unix_connect(path)
        yield _Rpyc(connection.root)
        connection.close()
