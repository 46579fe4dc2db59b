"""Agents that stand: who may come, what comes of clients that end, and of the agent's own end."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from test_nodes_that_fail import assert_all_gone, everything_in, wait_for_file

from cord.engines.nodes import keys

SQUARE = """
    def square(n):
        return n * n
"""
SQUARING = """
    import work
    print([work.square(n) for n in range(20)])
"""
SQUARES = f"{[n * n for n in range(20)]}\n"
WAITING = """
    import os, time
    def wait(n):
        open("begun", "a").close()
        time.sleep(30)
"""
CALLS_WAITING = """
    import work
    work.wait(1)
"""


class Agent:
    """A standing agent, and what a plan says to be its client."""

    def __init__(self, folder: Path, *more: str, name: str = "lab") -> None:
        self.folder, self.name = folder, name
        if not (folder / "keys").exists():
            keys.make(str(folder / "keys"))
        command = [sys.executable, "-m", "cord", "agent", "--serve", "--name", name]
        command += ["--keys", "keys/agent.key", "--listen", "127.0.0.1:0", *more]
        self.process = subprocess.Popen(
            command, cwd=folder, stderr=subprocess.PIPE, text=True, start_new_session=True
        )
        assert self.process.stderr is not None
        self.said = self.process.stderr.readline()
        found = re.search(r"at (\S+):(\d+)$", self.said)
        assert found, self.said + self.process.stderr.read()
        self.host, self.port = found[1], int(found[2])

    def engine(self, **instead: str) -> str:
        said = {"key": self.folder / "keys" / "client.key", "name": self.name, **instead}
        return (
            f'kind = "standing"\nhosts = ["{self.host}:{self.port}"]\n'
            f'keys = "{said["key"]}"\nname = "{said["name"]}"\nwait = 10\n'
        )

    def stop(self) -> tuple[int, str]:
        """Have it end; its exit code and what it has said besides."""
        self.process.send_signal(signal.SIGTERM)
        _, stderr = self.process.communicate(timeout=30)
        return self.process.returncode, stderr


@pytest.fixture
def stand(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., Agent]]:
    """Starts standing agents, which end with the test."""
    folder = tmp_path_factory.mktemp("service")
    agents: list[Agent] = []

    def start(*more: str, name: str = "lab") -> Agent:
        agents.append(Agent(folder, *more, name=name))
        return agents[-1]

    yield start
    for agent in agents:
        if agent.process.poll() is None:
            agent.process.kill()
        agent.process.communicate()
    assert_all_gone(folder)


def test_programs_are_served_one_after_the_other(far, stand):
    agent = stand()
    far.write(engine=agent.engine(), work=SQUARE, main=SQUARING)
    assert far.run() == (0, SQUARES, "")
    assert far.run() == (0, SQUARES, "")
    assert_all_gone(far.folder)
    assert agent.stop() == (0, "")


def test_and_at_once(far, stand):
    far.write(engine=stand().engine(), work=SQUARE, main=SQUARING)
    programs = [far.start() for _ in range(3)]
    assert [program.communicate(timeout=60) for program in programs] == [(SQUARES, "")] * 3
    assert_all_gone(far.folder)


def test_it_listens_on_loopback_unless_told_otherwise(stand):
    assert stand().host == "127.0.0.1"
    from cord.engines.nodes import addresses

    assert addresses.address_of(addresses.LOOPBACK) == ("127.0.0.1", 7420)
    assert addresses.address_of("10.0.0.5:80") == ("10.0.0.5", 80)
    assert addresses.address_of("[::1]:80") == ("::1", 80)
    assert addresses.address_of("[::1]") == ("::1", 7420)
    with pytest.raises(ValueError, match="no port"):
        addresses.address_of("a:70000")


def test_who_has_another_key_is_not_served(far, stand, tmp_path):
    agent = stand()
    keys.make(str(tmp_path / "others"))
    engine = agent.engine(key=str(tmp_path / "others/client.key"))
    far.write(engine=engine, work=SQUARE, main=SQUARING)
    code, stdout, stderr = far.run()
    assert (code, stdout) == (2, "")
    assert "its link ended before it served: the other side has another key" in stderr
    code, said = agent.stop()
    assert code == 0
    assert said.startswith("cord: a client at 127.0.0.1 is not served: ")


def test_a_clients_key_is_none_for_agents_and_none_is_none(far, stand, tmp_path):
    agent = stand()
    for key, problem in (
        (agent.folder / "keys/agent.key", "another key"),
        (tmp_path / "nothing", "cannot read the key"),
        (agent.folder / "open", "can be read by others"),
        (agent.folder / "empty", "is no key"),
    ):
        (agent.folder / "empty").touch(0o600)
        (agent.folder / "open").touch(0o644)
        far.write(engine=agent.engine(key=str(key)), work=SQUARE, main=SQUARING)
        code, stdout, stderr = far.run()
        assert (code, stdout) == (2, "")
        assert problem in stderr


def test_who_speaks_no_tls_or_nothing_holds_nobody_up(far, stand):
    agent = stand()
    silent = socket.create_connection((agent.host, agent.port))
    with socket.create_connection((agent.host, agent.port)) as other:
        other.sendall(b"GET / HTTP/1.1\r\n\r\n" * 10)
        far.write(engine=agent.engine(), work=SQUARE, main=SQUARING)
        assert far.run() == (0, SQUARES, "")
    silent.close()


def test_who_looks_for_another_name_is_not_served(far, stand):
    far.write(engine=stand().engine(name="shop"), work=SQUARE, main=SQUARING)
    code, stdout, stderr = far.run()
    assert (code, stdout) == (2, "")
    assert 'serves under the name "lab", and engine.name is "shop"' in stderr


def test_where_no_agent_stands_that_is_said_at_once(far, stand):
    agent = stand()
    engine = agent.engine()
    agent.stop()
    far.write(engine=engine, work=SQUARE, main=SQUARING)
    code, stdout, stderr = far.run()
    assert (code, stdout) == (2, "")
    assert "cannot connect" in stderr and "cord agent --serve" in stderr


def test_a_client_that_is_killed_leaves_nothing_and_the_next_one_is_served(far, stand):
    agent = stand()
    far.write(engine=agent.engine(), work=WAITING, main=CALLS_WAITING)
    process = far.start()
    wait_for_file(far.folder / "begun")
    process.kill()
    process.communicate()
    assert_all_gone(far.folder)
    far.write(engine=agent.engine(), work=SQUARE, main=SQUARING)
    assert far.run() == (0, SQUARES, "")


def test_clients_of_an_agent_that_is_stopped_hear_why(far, stand):
    agent = stand()
    far.write("[remote.work]\n", engine=agent.engine(), work=WAITING, main=CALLS_WAITING)
    process = far.start()
    wait_for_file(far.folder / "begun")
    assert agent.stop() == (0, "")
    _, stderr = process.communicate(timeout=60)
    assert process.returncode == 1
    assert "is lost: its agent was told to stop" in stderr
    assert "cord.errors.ReplicaLost" in stderr
    assert_all_gone(far.folder)


def test_where_it_is_killed_nothing_is_left(far, stand):
    agent = stand()
    far.write("[remote.work]\n", engine=agent.engine(), work=WAITING, main=CALLS_WAITING)
    process = far.start()
    wait_for_file(far.folder / "begun")
    agent.process.kill()
    _, stderr = process.communicate(timeout=60)
    assert process.returncode == 1 and "is lost" in stderr
    assert_all_gone(far.folder)


def test_keys_are_for_their_owner_alone_and_never_overwritten(tmp_path):
    command = [sys.executable, "-m", "cord", "keys", "made"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    agent, client = done.stdout.splitlines()
    assert agent.startswith("made/agent.key: ") and client.startswith("made/client.key: ")
    before = [(tmp_path / "made" / name).read_bytes() for name in ("agent.key", "client.key")]
    for name in ("agent.key", "client.key"):
        assert os.stat(tmp_path / "made" / name).st_mode & 0o777 == 0o600
    again = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert again.returncode == 2
    assert "is there already, and keys are never overwritten" in again.stderr
    assert before == [
        (tmp_path / "made" / name).read_bytes() for name in ("agent.key", "client.key")
    ]
    assert not everything_in(tmp_path)
