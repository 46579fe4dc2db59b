"""A remote module with real replicas, and calls of its functions without the translator."""

from __future__ import annotations

import atexit
import itertools
import sys
from _pickle import dumps, loads
from collections.abc import Callable, Iterator
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from cord import _core
from cord.engines.local import zygote
from cord.plan.model import RemotePlan
from cord.runtime.io import output
from cord.runtime.travel import raised

PATIENCE = 30.0  # seconds in which any call of these tests has long ended

_number = itertools.count()


def without_reads(written: bytes) -> bytes:
    """What a call has written, without what it has read of files (`cord-wire/src/reads.rs`)."""
    if written[:1] != b"\0":
        return written
    return written[5 + int.from_bytes(written[1:5], "little") :]


class Remote:
    """One remote module and its replicas."""

    def __init__(self, module: str, replicas: int, **plan: Any) -> None:
        self.zygote = zygote.start([RemotePlan(module, replicas=replicas, **plan)])
        self.session = _core.Session([_core.Module(module, replicas)], self.zygote.control)
        self.session.load(0, self.session.world(), False)

    def outcome(self, name: str, *args: Any, pure: bool = True, **kwargs: Any) -> Any:
        """Make a call and return its outcome as the native module gives it."""
        buffers: list[Any] = []
        head = dumps((name, args, kwargs), 5, buffer_callback=buffers.append)
        ticket = self.session.issue(0, pure, head, buffers)
        ticket.demand()
        assert ticket.wait(PATIENCE)
        return ticket.take()

    def call(self, name: str, *args: Any, **kwargs: Any) -> Any:
        """Make a call as a client sees it: it returns, or raises, and its output appears."""
        outcome = self.outcome(name, *args, **kwargs)
        assert outcome[0] == "reply", outcome
        _, kind, head, buffers, written = outcome
        if printed := without_reads(written):
            output.replay(printed)
        if kind != _core.VALUE:
            raise raised.decode_exception(head)
        return loads(head, buffers=buffers)

    def close(self) -> None:
        """End the replicas, and wait until they are gone."""
        self.session.close()
        self.zygote.close()
        atexit.unregister(self.zygote.close)


@pytest.fixture
def remote(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Remote]]:
    """Makes a remote module of its source text and starts replicas of it."""
    started: list[Remote] = []
    monkeypatch.syspath_prepend(str(tmp_path))

    def make(source: str, replicas: int = 1, **plan: Any) -> Remote:
        name = f"remote_{next(_number)}"
        (tmp_path / f"{name}.py").write_text(dedent(source))
        started.append(Remote(name, replicas, **plan))
        return started[-1]

    yield make
    for each in started:
        each.close()
    for name in [name for name in sys.modules if name.startswith("remote_")]:
        del sys.modules[name]
