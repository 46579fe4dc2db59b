"""Servers for tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("msgspec")

from web_lab import PLAN, WORK, Serve, Server, start


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Serve]:
    """Starts servers, and ends them."""
    servers: list[Server] = []

    def begin(work: str, plan: str, *words: str) -> Server:
        server = start(tmp_path, work, plan, *words)
        servers.append(server)
        return server

    yield begin
    for server in servers:
        server.process.kill()
        server.process.wait()


@pytest.fixture(scope="module")
def usual(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server for all tests of a file that leave it as it was."""
    server = start(tmp_path_factory.mktemp("usual"), WORK, PLAN)
    yield server
    assert server.end() == 0
