"""Pyro5: a remote object."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import Pyro5.api
import work
from peers.peer import Peer
from peers.served import servers


class _Pyro(Peer):
    def __init__(self, proxy: Any) -> None:
        self._proxy = proxy

    def call(self, function: Callable[..., Any], *arguments: Any) -> Any:
        return getattr(self._proxy, function.__name__)(*arguments)

    def repeat(self, function: Callable[[], Any], count: int) -> None:
        method = getattr(self._proxy, function.__name__)
        for _ in range(count):
            method()


class Work:
    """The functions, as methods."""

    null = staticmethod(work.null)
    inc = staticmethod(work.inc)
    pin = staticmethod(work.pin)


def _serve(path: str) -> None:
    daemon = Pyro5.api.Daemon(unixsocket=path)
    daemon.register(Pyro5.api.expose(Work), "work")
    daemon.requestLoop()


@contextmanager
def opened(_: int) -> Iterator[Peer]:
    """One server."""
    with (
        servers(_serve, 1) as (path,),
        Pyro5.api.Proxy(f"PYRO:work@./u:{path}") as proxy,
    ):
        yield _Pyro(proxy)
