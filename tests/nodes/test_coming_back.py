"""Links to agents that stand: cut, silent, gone for good; and who else comes by an agent's name."""

from __future__ import annotations

import os
import re
import signal
import socket
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from textwrap import dedent

import pytest
from beside.passing import Passing
from clusters import until
from standing_agents import Agent
from test_nodes_that_fail import (
    NAPPING,
    NAPS,
    NOTING,
    SQUARES,
    assert_all_gone,
    wait_for_file,
    wait_for_replicas,
)

IN_ORDER = '[remote.work]\ncallstyle = "async"\n'
NOTES = """
    import work
    print(sum(work.note(n) for n in range(150)))
"""
NOTED = f"{sum(range(150))}\n"
COUNTING = """
    import os, time
    count = 0
    def add(n):
        global count
        with open("begun", "a") as file:
            file.write(f"{os.getpid()}\\n")
        time.sleep(0.01)
        count += n
        return count
"""
ADDING = """
    import work
    print([work.add(1) for n in range(100)][-1])
"""


@pytest.fixture
def between() -> Iterator[Callable[[Agent], Passing]]:
    """Gives what lies between an agent and its clients, and can be cut."""
    made: list[Passing] = []

    def lie(agent: Agent) -> Passing:
        made.append(Passing((agent.host, agent.port)))
        return made[-1]

    yield lie
    for passing in made:
        passing.close()


def ended(program) -> tuple[int, str, str]:
    stdout, stderr = program.communicate(timeout=60)
    return program.returncode, stdout, stderr


def agents_below(process: int) -> list[int]:
    """The agents of the clients of a standing one."""
    return [
        int(pid) for pid in Path(f"/proc/{process}/task/{process}/children").read_text().split()
    ]


def state_of(process: int) -> str:
    """How the system has it: R, S, T where it is stopped."""
    return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]


def test_a_link_that_is_cut_costs_no_call_and_no_word(far, stand, between):
    agent = stand()
    passing = between(agent)
    far.write(IN_ORDER, engine=agent.engine(port=passing.port), work=NOTING, main=NOTES)
    program = far.start()
    wait_for_file(far.folder / "begun")
    for _ in range(5):
        time.sleep(0.2)
        passing.cut()
    assert ended(program) == (0, NOTED, "")
    noted = [int(line) for line in (far.folder / "noted").read_text().split()]
    assert noted == list(range(150))  # each once, and in order
    assert_all_gone(far.folder)
    assert len(passing.said) > 1
    assert agent.stop() == (0, "")


def test_pure_calls_of_many_replicas_survive_it_too(far, stand, between):
    agent = stand()
    passing = between(agent)
    far.write(engine=agent.engine(port=passing.port), work=NAPS, main=NAPPING)
    program = far.start()
    wait_for_file(far.folder / "begun")
    passing.cut()
    assert ended(program) == (0, SQUARES, "")
    begun = (far.folder / "begun").read_text().split()
    assert len(begun) == 150  # none was made again
    assert_all_gone(far.folder)


@pytest.mark.parametrize("kept", [False, True], ids=["for the program", "for all"])
def test_a_module_keeps_its_state_over_a_cut(far, stand, between, kept):
    plan = "[remote.work]\n"
    files = {"work.py": dedent(COUNTING), "cord.toml": plan}
    agent = stand("-c", "cord.toml", files=files) if kept else stand()
    passing = between(agent)
    far.write(plan, engine=agent.engine(port=passing.port), work=COUNTING, main=ADDING)
    for total in (100, 200 if kept else 100):
        program = far.start()
        wait_for_file(far.folder / "begun")
        for _ in range(3):
            time.sleep(0.1)
            passing.cut()
        assert ended(program) == (0, f"{total}\n", "")
        (far.folder / "begun").unlink()
    assert agent.stop() == (0, "")


def test_programs_at_once_each_find_their_own_agent_again(far, stand, between):
    agent = stand()
    passing = between(agent)
    far.write("[remote.work]\n", engine=agent.engine(port=passing.port), work=COUNTING, main=ADDING)
    programs = [far.start() for _ in range(3)]
    wait_for_file(far.folder / "begun")
    wait_for_replicas(far.folder / "begun", 3)
    for _ in range(3):
        time.sleep(0.3)
        passing.cut()
    assert [ended(program) for program in programs] == [(0, "100\n", "")] * 3
    assert_all_gone(far.folder)


def test_a_link_that_is_silent_counts_as_cut(far, stand, between):
    agent = stand()
    passing = between(agent)
    far.write(IN_ORDER, engine=agent.engine(port=passing.port), work=NOTING, main=NOTES)
    program = far.start()
    wait_for_file(far.folder / "begun")
    passing.silence()
    assert ended(program) == (0, NOTED, "")
    noted = [int(line) for line in (far.folder / "noted").read_text().split()]
    assert noted == list(range(150))
    assert_all_gone(far.folder)


def test_who_comes_by_an_agents_name_does_not_come_between(far, stand, between):
    agent = stand()
    passing = between(agent)
    far.write(IN_ORDER, engine=agent.engine(port=passing.port), work=NOTING, main=NOTES)
    program = far.start()
    wait_for_file(far.folder / "begun")
    passing.cut()
    while len(passing.said) < 2:
        time.sleep(0.01)
    name = passing.said[1][:16]
    assert passing.said[0][:16] == bytes(16) != name
    strangers = [socket.create_connection((agent.host, agent.port)) for _ in range(20)]
    for number, stranger in enumerate(strangers):
        stranger.sendall(name + (b"GET / HTTP/1.1\r\n\r\n" if number % 2 else b""))
    passing.cut()
    assert ended(program) == (0, NOTED, "")
    for stranger in strangers:
        stranger.close()
    assert_all_gone(far.folder)


def test_a_client_that_never_comes_back_leaves_nothing_and_hears_why(far, stand, between):
    agent = stand()
    passing = between(agent)
    engine = agent.engine(port=passing.port, reconnect=1)
    far.write("[remote.work]\n", engine=engine, work=COUNTING, main=ADDING)
    program = far.start()
    wait_for_file(far.folder / "begun")
    passing.close()
    code, _, stderr = ended(program)
    # a call is lost that was under way; or, between two of them, what they have left
    assert code == 1 and re.search("cord.errors.(CallMayHaveRun|StateLost)", stderr)
    assert "is lost: " in stderr
    assert_all_gone(far.folder)
    until(lambda: not agents_below(agent.process.pid))
    far.write("[remote.work]\n", engine=agent.engine())
    assert far.run() == (0, "100\n", "")


def test_a_client_whose_machine_is_gone_leaves_nothing(far, stand):
    agent = stand()
    far.write("[remote.work]\n", engine=agent.engine(reconnect=1), work=COUNTING, main=ADDING)
    program = far.start()
    wait_for_file(far.folder / "begun")
    below = agents_below(program.pid)  # what leads to agents among them
    for process in (program.pid, *below):
        os.kill(process, signal.SIGKILL)
    program.communicate()
    assert_all_gone(far.folder)
    until(lambda: not agents_below(agent.process.pid))
    assert agent.stop() == (0, "")


def test_where_the_clients_agent_is_gone_that_is_noticed_at_once(far, stand):
    agent = stand()
    far.write(engine=agent.engine(reconnect=300), work=NAPS, main=NAPPING)
    program = far.start()
    wait_for_file(far.folder / "begun")
    (own,) = agents_below(agent.process.pid)
    os.kill(own, signal.SIGKILL)
    code, stdout, stderr = ended(program)
    assert (code, stdout) == (0, SQUARES)
    assert "is lost: its agent has ended\n" in stderr
    assert_all_gone(far.folder)
    code, said = agent.stop()
    assert (code, said.count("\n")) == (0, 1)
    assert said.endswith("it asks for an agent that has ended\n")


def test_where_the_standing_agent_is_gone_too_that_is_noticed_soon(far, stand):
    agent = stand()
    far.write(engine=agent.engine(reconnect=300), work=NAPS, main=NAPPING)
    program = far.start()
    wait_for_file(far.folder / "begun")
    (own,) = agents_below(agent.process.pid)
    os.kill(own, signal.SIGSTOP)  # or it tells that it is alone, before it is killed
    until(lambda: state_of(own) == "T")
    for process in (agent.process.pid, own):
        os.kill(process, signal.SIGKILL)
    code, stdout, stderr = ended(program)
    assert (code, stdout) == (0, SQUARES)
    assert "is lost: nobody listens there any more\n" in stderr
    assert_all_gone(far.folder)


def test_a_run_that_is_over_is_not_waited_for(far, stand):
    agent = stand()
    far.write(engine=agent.engine(reconnect=300), work=NAPS, main=NAPPING)
    assert far.run() == (0, SQUARES, "")
    assert_all_gone(far.folder)
    until(lambda: not agents_below(agent.process.pid))
