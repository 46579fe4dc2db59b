"""Who comes to a standing agent: brought to the agent that he names, or given a new one."""

from __future__ import annotations

import select
import socket
from collections.abc import Callable, Iterator

import pytest

from cord.engines.nodes import knocking
from cord.engines.nodes.knocking import Door, Entrance

OURS, OTHERS, NONE = b"o" * 16, b"p" * 16, bytes(16)


class House:
    """An entrance, and what has come through it."""

    def __init__(self) -> None:
        listener = socket.create_server(("127.0.0.1", 0))
        self.entrance = Entrance(listener)
        self._address = listener.getsockname()[:2]

    def comes(self, name: bytes) -> socket.socket:
        """Somebody comes, and says this."""
        connection = socket.create_connection(self._address)
        connection.sendall(name)
        connection.settimeout(30)
        return connection

    def agent(self, number: int, name: bytes) -> socket.socket:
        """There is an agent of that name; what it has of its door."""
        door, behind = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.entrance.add(number, Door(door))
        behind.send(name)
        behind.settimeout(30)
        return behind

    def settle(self) -> None:
        """All that is there is heard."""
        while ready := select.select(self.entrance.waits(), [], [], 0)[0]:
            self.entrance.hear(ready)

    def wait(self) -> None:
        """Nothing comes until somebody's time is over."""
        self.entrance.hear(select.select(self.entrance.waits(), [], [], self.entrance.seconds())[0])


@pytest.fixture
def house() -> Iterator[House]:
    made = House()
    yield made
    made.entrance.close()


@pytest.fixture
def handed() -> Callable[[socket.socket], socket.socket]:
    """What an agent is handed."""

    def receive(behind: socket.socket) -> socket.socket:
        message, files, _, _ = socket.recv_fds(behind, 16, 4)
        assert message == b"\0" and len(files) == 1
        return socket.socket(fileno=files[0])

    return receive


def test_who_names_an_agent_is_handed_to_it_and_to_no_other(house, handed):
    ours, others = house.agent(1, OURS), house.agent(2, OTHERS)
    visitor = house.comes(OURS + b"more")
    house.settle()
    assert house.entrance.next_for_an_agent() is None
    with handed(ours) as connection:
        assert connection.getpeername() == visitor.getsockname()
        assert connection.recv(16) == b"more"  # what follows the name is for the agent
    assert not select.select([others], [], [], 0)[0]


def test_who_names_none_is_for_a_new_agent(house):
    house.agent(1, OURS)
    house.comes(NONE)
    house.settle()
    knock = house.entrance.next_for_an_agent()
    assert knock is not None and knock.name == NONE
    assert house.entrance.next_for_an_agent() is None


def test_so_is_who_names_one_that_is_gone(house):
    house.agent(1, OURS).close()
    house.agent(2, OTHERS)
    house.settle()
    house.entrance.forget(2)
    for name in (OURS, OTHERS):
        house.comes(name)
        house.settle()
        knock = house.entrance.next_for_an_agent()
        assert knock is not None and knock.name == name


def test_a_name_may_come_in_pieces(house, handed):
    ours = house.agent(1, OURS)
    visitor = house.comes(OURS[:5])
    house.settle()
    assert house.entrance.next_for_an_agent() is None
    visitor.sendall(OURS[5:])
    house.settle()
    assert handed(ours).getpeername() == visitor.getsockname()


def test_who_says_nothing_holds_nobody_up_and_is_sent_away(house, monkeypatch):
    monkeypatch.setattr(knocking, "_PATIENCE", 0.3)
    silent = house.comes(b"")
    house.settle()
    house.comes(NONE)
    house.settle()
    assert house.entrance.next_for_an_agent() is not None
    house.wait()
    assert silent.recv(1) == b""


def test_however_many_say_nothing_who_says_a_name_is_heard(house, handed):
    ours = house.agent(1, OURS)
    silent = [house.comes(b"") for _ in range(100)]
    house.settle()
    visitor = house.comes(OURS)
    house.settle()
    assert handed(ours).getpeername() == visitor.getsockname()
    assert silent[0].recv(1) == b""  # the first of them went


def test_who_goes_again_is_forgotten(house):
    house.comes(b"abc").close()
    house.settle()
    assert len(house.entrance.waits()) == 1 and house.entrance.seconds() is None


def test_agents_are_found_however_many_wait_for_new_ones(house, handed):
    ours = house.agent(1, OURS)
    waiting = [house.comes(NONE) for _ in range(40)]
    house.settle()
    visitor = house.comes(OURS)
    house.settle()
    assert handed(ours).getpeername() == visitor.getsockname()
    assert len(waiting) == 40


def test_a_host_that_has_enough_agents_waits_and_holds_nobody_up(house, monkeypatch):
    monkeypatch.setattr(knocking, "_MOST", 2)
    house.entrance.full = {"127.0.0.1"}
    visitors = [house.comes(NONE) for _ in range(4)]
    house.settle()
    assert house.entrance.next_for_an_agent() is None
    assert visitors[-1].recv(1) == b""  # so many need not wait
    other = socket.create_connection(visitors[0].getpeername(), source_address=("127.0.0.2", 0))
    other.sendall(NONE)
    house.settle()
    knock = house.entrance.next_for_an_agent()
    assert knock is not None and knock.host == "127.0.0.2"
