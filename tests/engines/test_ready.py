"""Waiting for descriptors, whatever their numbers."""

from __future__ import annotations

import fcntl
import os
import resource
import socket
from collections.abc import Iterator

import pytest

from cord.ready import ready

HIGH = 2000  # beyond what `select.select` can wait for


@pytest.fixture
def many() -> Iterator[None]:
    """There may be descriptors with such numbers."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, 2 * HIGH)), hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_it_tells_what_can_be_read_and_what_has_ended(many: None) -> None:
    reading, writing = os.pipe()
    high = fcntl.fcntl(reading, fcntl.F_DUPFD_CLOEXEC, HIGH)
    ours, theirs = socket.socketpair()
    with ours, theirs:
        assert ready([high, ours], 0.0) == ready([high, ours], -1.0) == []
        os.write(writing, b"x")
        assert ready([high, ours]) == [high]
        os.read(reading, 1)
        theirs.close()
        assert ready([high, ours]) == [ours]
    for one in (reading, writing, high):
        os.close(one)
