"""Calls really travel from one replica to another, and their replies straight to the client."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

import pytest
from small_world import World, answer

from cord import _core

LONG = 60.0
HALF = (1, 2)
IDLE = (0, 0)


def napping(head: bytes, buffers: list[Any]) -> tuple[bytes, list[Any]]:
    """Takes some time; gives back who it was, and what it got."""
    time.sleep(0.005)
    return str(os.getpid()).encode() + b" " + head, buffers


def napping_replica(_module: int, endpoint: Any) -> None:
    answer(endpoint, napping)


def line(replicas: int) -> _core.Module:
    """All calls go to the first replica; each asks the one before it when it is idle."""
    links = [(at, at + 1, False, IDLE, HALF) for at in range(replicas - 1)]
    manner = _core.Manner(shares=[1] + [0] * (replicas - 1))
    return _core.Module("m", replicas, [manner], _core.Migration(links))


def replies(tickets: list[_core.Ticket]) -> list[tuple[bytes, bytes, list[bytes]]]:
    """Who served each call, its head, and its buffers."""
    found = []
    for ticket in tickets:
        assert ticket.wait(LONG), "no outcome"
        outcome = ticket.take()
        assert outcome is not None and outcome[0] == "reply", outcome
        pid, _, head = outcome[2].partition(b" ")
        found.append((pid, head, [bytes(buffer) for buffer in outcome[3]]))
    return found


def test_replicas_at_the_end_of_a_line_get_their_part(world: World) -> None:
    session = world.session_of([line(3)], napping_replica)
    tickets = [session.issue(0, True, b"%d" % number, []) for number in range(300)]
    served = replies(tickets)
    assert [head for _, head, _ in served] == [b"%d" % number for number in range(300)]
    assert len({pid for pid, _, _ in served}) == 3


@pytest.mark.parametrize("size", [10, 70_000, 3_000_000])
def test_buffers_of_any_size_go_along(world: World, size: int) -> None:
    session = world.session_of([line(2)], napping_replica)
    sent = [bytes([number]) * size for number in range(30)]
    tickets = [session.issue(0, True, b"", [bytearray(one), one[:7]]) for one in sent]
    served = replies(tickets)
    assert [buffers for _, _, buffers in served] == [[one, one[:7]] for one in sent]
    assert len({pid for pid, _, _ in served}) == 2


def dying(head: bytes, buffers: list[Any]) -> tuple[bytes, list[Any]]:
    """As ``napping``; dies of some calls, the first time that any replica runs them."""
    if head.startswith(b"die "):
        try:
            os.close(os.open(head[4:], os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            pass
        else:
            os._exit(9)
    return napping(head, buffers)


def dying_replica(_module: int, endpoint: Any) -> None:
    answer(endpoint, dying)


def test_no_call_is_lost_with_replicas_that_die(world: World, tmp_path: Path) -> None:
    full = _core.Migration.full((4, None), IDLE, HALF)
    module = _core.Module("m", 3, [_core.Manner(shares=[1, 0, 0])], full)
    session = world.session_of([module], dying_replica)
    heads = [
        b"die " + bytes(tmp_path / str(number)) if number % 40 == 20 else b"%d" % number
        for number in range(200)
    ]
    served = replies([session.issue(0, True, head, []) for head in heads])
    assert [head for _, head, _ in served] == heads
    assert len(list(tmp_path.iterdir())) == 5
