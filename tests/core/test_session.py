"""Calls travel to replicas and back."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest
from small_world import World, answer

from cord import _core

LONG = 30.0


def call(session: _core.Session, head: bytes, *buffers: Any, pure: bool = True) -> _core.Ticket:
    """Issues a call of module 0."""
    return session.issue(0, pure, head, list(buffers))


def outcome(ticket: _core.Ticket) -> Any:
    """Waits for what came of a call."""
    assert ticket.wait(LONG), "no outcome"
    return ticket.take()


def head(ticket: _core.Ticket) -> bytes:
    """The head of a call's reply."""
    kind, *rest = outcome(ticket)
    assert kind == "reply", (kind, rest)
    return rest[1]


def until(condition: Callable[[], bool]) -> None:
    """Waits for a condition."""
    end = time.monotonic() + LONG
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.005)


def gone(pid: int) -> bool:
    """Whether a process has ended, whether or not its parent has asked for its status."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8") as stat:
            return stat.read().rpartition(") ")[2][0] in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return True


def test_a_call_comes_back(world: World) -> None:
    session = world.session({"m": 1})
    ticket = call(session, b"hello", b"one", bytearray(b"two"))
    assert outcome(ticket) == ("reply", 0, b"hello", [b"one", b"two"], b"")
    assert ticket.take() is None


def test_thousands_of_calls(world: World) -> None:
    session = world.session({"m": 2})
    tickets = [call(session, b"%d" % n) for n in range(20_000)]
    assert [head(ticket) for ticket in tickets] == [b"%d" % n for n in range(20_000)]


def test_large_buffers_both_ways(world: World) -> None:
    session = world.session({"m": 2})
    sizes = [0, 1, 65_535, 65_536, 1_000_003, 10 * 2**20]
    data = [random.Random(size).randbytes(size) for size in sizes]
    tickets = [call(session, b"x", *data) for _ in range(8)]
    for ticket in tickets:
        _, _, _, buffers, _ = outcome(ticket)
        assert [bytes(buffer) for buffer in buffers] == data


def test_a_large_head(world: World) -> None:
    session = world.session({"m": 1})
    large = random.Random(1).randbytes(5 * 2**20)
    assert head(call(session, large)) == large


def test_both_directions_full_at_once(world: World) -> None:
    """Large inline requests and replies at the same time cannot lock up."""
    session = world.session({"m": 2})
    large = bytes(500_000)
    tickets = [call(session, large) for _ in range(200)]
    assert all(head(ticket) == large for ticket in tickets)


def test_more_shared_buffers_than_one_message_carries(world: World) -> None:
    session = world.session({"m": 1})
    data = [bytes([n % 256]) * 65_536 for n in range(300)]
    _, _, _, buffers, _ = outcome(call(session, b"x", *data))
    assert [bytes(buffer) for buffer in buffers] == data


def test_received_buffers_are_private_and_writable(world: World) -> None:
    session = world.session({"m": 1})
    mine = bytearray(100_000)
    _, _, _, buffers, _ = outcome(call(session, b"scribble", mine))
    assert mine[0] == 0
    view = memoryview(buffers[0])
    assert (view[0], view[1], view.readonly) == (255, 0, False)
    view[1] = 7
    assert view[1] == 7


def test_memory_that_is_not_contiguous_is_refused(world: World) -> None:
    session = world.session({"m": 1})
    with pytest.raises(BufferError):
        call(session, b"x", memoryview(bytes(10))[::2])


def test_calls_run_on_all_replicas(world: World) -> None:
    session = world.session({"m": 3})
    tickets = [call(session, b"sleep 0.05") for _ in range(6)]
    pids = {head(call(session, b"pid")) for _ in range(6)}
    assert all(head(ticket) == b"sleep 0.05" for ticket in tickets)
    assert 1 <= len(pids) <= 3


def test_modules_have_their_own_replicas(world: World) -> None:
    def serve(module: int, endpoint: Any) -> None:
        answer(endpoint, lambda _head, _buffers: (b"module %d" % module, []))

    session = world.session({"a": 1, "b": 1}, serve)
    assert head(session.issue(0, True, b"", [])) == b"module 0"
    assert head(session.issue(1, True, b"", [])) == b"module 1"


def test_a_call_behind_a_long_one_moves_to_an_idle_replica(world: World) -> None:
    session = world.session({"m": 2})
    long = call(session, b"sleep 20")
    short = [call(session, b"sleep 0.01") for _ in range(20)]
    for ticket in short:
        head(ticket)
    assert not long.is_settled()


def test_calls_from_many_threads(world: World) -> None:
    session = world.session({"m": 2})
    results: list[bool] = []

    def work(name: int) -> None:
        good = all(head(call(session, b"%d %d" % (name, n))) for n in range(200))
        results.append(good)

    threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [True] * 8


def test_a_pure_call_is_repeated_when_its_replica_is_killed(world: World) -> None:
    session = world.session({"m": 2})
    pid = int(head(call(session, b"pid")))
    tickets = [call(session, b"sleep 0.2") for _ in range(4)]
    time.sleep(0.05)
    os.kill(pid, signal.SIGKILL)
    assert [head(ticket) for ticket in tickets] == [b"sleep 0.2"] * 4


def test_a_call_that_kills_three_replicas_is_lost(world: World, tmp_path: Any) -> None:
    session = world.session({"m": 2})
    log = tmp_path / "log"
    others = [call(session, b"fine") for _ in range(10)]
    killer = call(session, b"log %s" % bytes(log))
    others += [call(session, b"fine") for _ in range(10)]
    lost = outcome(killer)
    pids = log.read_text().split()
    assert lost == ("lost", int(pids[-1]), signal.SIGKILL, 3, True)
    assert len(pids) == len(set(pids)) == 3
    assert [head(ticket) for ticket in others] == [b"fine"] * 20


def test_an_impure_call_never_runs_twice(world: World, tmp_path: Any) -> None:
    session = world.session({"m": 1})
    log = tmp_path / "log"
    lost = outcome(call(session, b"log %s" % bytes(log), pure=False))
    pids = log.read_text().split()
    assert len(pids) == 1
    assert lost == ("lost", int(pids[0]), signal.SIGKILL, 1, True)
    assert head(call(session, b"next", pure=False)) == b"next"


def test_the_exit_status_of_a_lost_replica_is_told(world: World) -> None:
    session = world.session({"m": 1})
    kind, pid, status, tries, may_have_run = outcome(call(session, b"exit 7", pure=False))
    assert (kind, os.waitstatus_to_exitcode(status), tries, may_have_run) == ("lost", 7, 1, True)
    until(lambda: gone(pid))


def test_a_module_that_cannot_be_loaded(world: World) -> None:
    def serve(_module: int, endpoint: Any) -> None:
        endpoint.init_failed(b"no such module")

    session = world.session({"m": 2}, serve)
    early = [call(session, b"x") for _ in range(3)]
    assert [outcome(ticket) for ticket in early] == [("unavailable", b"no such module")] * 3
    assert outcome(call(session, b"late")) == ("unavailable", b"no such module")


def test_a_replica_that_dies_at_its_start_is_given_up(world: World) -> None:
    def serve(_module: int, _endpoint: Any) -> None:
        os._exit(3)

    session = world.session({"m": 1}, serve)
    kind, _pid, status, tries, may_have_run = outcome(call(session, b"x"))
    assert (kind, os.waitstatus_to_exitcode(status), tries, may_have_run) == ("lost", 3, 0, False)
    assert outcome(call(session, b"x", pure=False))[0] == "lost"


def test_a_dropped_call_frees_its_replica_for_one_that_is_demanded(world: World) -> None:
    session = world.session({"m": 1})
    endless = call(session, b"sleep 600")
    time.sleep(0.05)
    endless.drop_call()
    needed = call(session, b"needed")
    needed.demand()
    assert head(needed) == b"needed"


def test_letting_the_ticket_go_drops_the_call(world: World) -> None:
    session = world.session({"m": 1})
    call(session, b"sleep 600")
    assert head(call(session, b"needed")) == b"needed"


def test_closing_ends_replicas_and_open_calls_at_once(world: World) -> None:
    session = world.session({"m": 2})
    pid = int(head(call(session, b"pid")))
    tickets = [call(session, b"sleep 600") for _ in range(10)]
    session.close()
    session.close()
    assert [outcome(ticket) for ticket in tickets] == [("closed",)] * 10
    assert outcome(call(session, b"late")) == ("closed",)
    until(lambda: gone(pid))


def test_a_dead_zygote_does_not_leave_calls_waiting(world: World) -> None:
    session = world.session({"m": 2})
    head(call(session, b"x"))
    tickets = [call(session, b"sleep 600") for _ in range(6)]
    os.killpg(world.zygotes[0], signal.SIGKILL)
    assert {outcome(ticket)[0] for ticket in tickets} == {"lost"}


def test_a_forked_child_abandons_the_session(world: World) -> None:
    session = world.session({"m": 1})
    ticket = call(session, b"sleep 0.2")
    pid = os.fork()
    if pid == 0:
        session.abandon()
        good = ticket.wait() and ticket.take() == ("closed",)
        good = good and outcome(call(session, b"x")) == ("closed",)
        del ticket, session
        os._exit(0 if good else 1)
    assert os.waitpid(pid, 0)[1] == 0
    assert head(ticket) == b"sleep 0.2"
    assert head(call(session, b"still here")) == b"still here"


def test_a_child_forked_by_a_call_may_use_and_drop_what_it_inherits(world: World) -> None:
    def serve(_module: int, endpoint: Any) -> None:
        def fork(_head: bytes, _buffers: list[Any]) -> tuple[bytes, list[Any]]:
            pid = os.fork()
            if pid == 0:
                os._exit(9)
            return b"%d" % os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), []

        answer(endpoint, fork)

    session = world.session({"m": 1}, serve)
    assert [head(call(session, b"")) for _ in range(5)] == [b"9"] * 5


def test_garbage_from_a_replica_closes_its_link_with_one_line(
    world: World, capfd: pytest.CaptureFixture[str]
) -> None:
    def serve(_module: int, endpoint: Any) -> None:
        endpoint.ready()
        endpoint.next()
        for fd in os.listdir("/proc/self/fd"):
            if os.path.exists(f"/proc/self/fd/{fd}"):
                target = os.readlink(f"/proc/self/fd/{fd}")
                if target.startswith("socket:"):
                    os.write(int(fd), b"GET / HTTP/1.1\r\n\r\n")
        time.sleep(60)

    session = world.session({"m": 1}, serve)
    assert outcome(call(session, b"x", pure=False))[0] == "lost"
    err = capfd.readouterr().err
    assert err.count("\n") == 1
    assert err.startswith("cord: a frame from replica 1 of module m is malformed")


def test_waiting_can_be_interrupted(world: World) -> None:
    session = world.session({"m": 1})
    ticket = call(session, b"sleep 600")
    timer = threading.Timer(0.1, signal.raise_signal, [signal.SIGINT])
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        ticket.wait()
    timer.join()


def test_buffers_travel_inline_when_descriptors_are_few() -> None:
    """A quarter of the descriptors is all that shared memory may take from the program."""
    code = """
import os, resource, sys
sys.path.insert(0, os.path.dirname(sys.argv[1]))
resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))
from small_world import World
world = World()
session = world.session({"m": 2})
tickets = [session.issue(0, True, b"x", [bytes([n % 256]) * 100_000]) for n in range(300)]
open(os.devnull).close()
assert len(os.listdir("/proc/self/fd")) < 40
for n, ticket in enumerate(tickets):
    assert ticket.wait(30)
    assert bytes(ticket.take()[3][0]) == bytes([n % 256]) * 100_000
world.close()
"""
    here = os.path.abspath(__file__)
    subprocess.run([sys.executable, "-c", code, here], check=True, timeout=LONG)
