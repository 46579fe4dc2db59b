"""A signal to end that comes while the zygote forks finds what was forked."""

from __future__ import annotations

import os
import signal
import threading
from types import SimpleNamespace

import pytest

from cord.engines.local import server


@pytest.fixture
def ended(monkeypatch):
    """A zygote that gets a signal to end as each fork of its returns, and what it knows then."""
    known: list[tuple[int | None, dict[int, int | None]]] = []
    zygote = SimpleNamespace(_heir=None, _heir_at=0.0, _children={}, _serves={}, _beside=None)
    zygote._send = lambda _message: None

    def fork():
        signal.pthread_kill(threading.get_ident(), signal.SIGTERM)  # the zygote has one thread
        return 4242

    def handle(_number, _frame):
        known.append((zygote._heir, dict(zygote._children)))

    monkeypatch.setattr(server.os, "fork", fork)
    before = signal.signal(signal.SIGTERM, handle)
    yield zygote, known
    signal.signal(signal.SIGTERM, before)


def test_it_ends_its_heir(ended):
    zygote, known = ended
    server.Server._have_an_heir(zygote)
    assert known == [(4242, {})]


def test_it_ends_a_new_replica(ended):
    zygote, known = ended
    server.Server._launch(zygote, 0, 7, 0, os.open(os.devnull, os.O_RDONLY))
    assert known == [(None, {4242: 7})]


def test_it_ends_what_is_done_beside(ended):
    zygote, known = ended
    server.Server._do_beside(zygote, b"")
    assert known == [(None, {4242: None})]
