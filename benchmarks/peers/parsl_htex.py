"""Parsl, HighThroughputExecutor."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import parsl
from parsl.config import Config
from parsl.executors import HighThroughputExecutor
from parsl.providers import LocalProvider
from peers.peer import Peer


class _Parsl(Peer):
    def __init__(self) -> None:
        self._app = parsl.python_app(_run)

    def call(self, function: Callable[..., Any], *arguments: Any) -> Any:
        return self._app(function, *arguments).result()

    def stream(self, function: Callable[..., Any], items: Iterable[Any]) -> Iterator[Any]:
        for future in [self._app(function, item) for item in items]:
            yield future.result()


def _run(function: Callable[..., Any], *arguments: Any) -> Any:
    return function(*arguments)


@contextmanager
def opened(workers: int) -> Iterator[Peer]:
    """One block on this machine."""
    executor = HighThroughputExecutor(
        address="127.0.0.1",
        loopback_address="127.0.0.1",
        max_workers_per_node=workers,
        cores_per_worker=0.1,
        provider=LocalProvider(init_blocks=1, max_blocks=1),
    )
    with tempfile.TemporaryDirectory(prefix="cord-bench-parsl-") as folder:
        config = Config(executors=[executor], run_dir=folder, strategy="none", usage_tracking=0)
        with parsl.load(config):
            yield _Parsl()
