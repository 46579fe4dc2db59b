"""What starts agents by a command: what it tells, and how it is told that it has failed."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Callable, Iterator

import pytest

from cord.engines.nodes.joining import Joining, wait_for_agents
from cord.engines.nodes.launchers.watching import tell, watch
from cord.errors import CordError

PROGRAM = "import work\nprint([work.square(number) for number in range(9)])\n"
WORK = "def square(number):\n    return number * number\n"
PLAN = """
[engine]
kind = "command"
nodes = {nodes}
launch = '''{launch}'''
[remote.work]
replicas = 2
repeatable = true
callstyle = "async"
"""


@pytest.fixture
def program(project) -> Callable[[str, int], subprocess.CompletedProcess[str]]:
    """Runs a program whose agents a command starts."""

    def run(launch: str, nodes: int = 1) -> subprocess.CompletedProcess[str]:
        plan = PLAN.format(launch=launch, nodes=nodes)
        made = project({"main.py": PROGRAM, "work.py": WORK, "cord.toml": plan})
        result = made.run("main.py")
        assert made.left_behind() == []
        return result

    return run


def test_what_a_command_writes_appears(program):
    result = program("sh -c 'echo on its way; exec \"$@\"' - {agent}")
    assert result.stdout == f"{[number * number for number in range(9)]}\n"
    assert result.stderr == "on its way\n"


def test_a_command_that_fails_is_an_error_at_once(program):
    began = time.monotonic()
    result = program("sh -c 'echo no nodes are free >&2; exit 3' - {agent}")
    assert result.returncode == 2
    assert "no agent has joined" in result.stderr
    assert "sh has ended with exit code 3: no nodes are free\n" in result.stderr
    assert time.monotonic() - began < 30  # and does not wait for agents


def test_a_command_may_end_before_its_agents(program):
    result = program("sh -c '\"$@\" & sleep 0.01' - {agent}")
    assert (result.returncode, result.stderr) == (0, "")


def test_those_that_have_joined_serve_where_a_command_fails(program):
    result = program("sh -c '\"$@\" & sleep 5; echo not so many; exit 1' - {agent}", nodes=2)
    assert result.stdout == f"{[number * number for number in range(9)]}\n"
    assert "1 of 2 agents did not join: sh has ended with exit code 1: not so many" in result.stderr


@pytest.fixture
def status() -> Iterator[tuple[int, int]]:
    """The pipe by which a client is told of agents."""
    ends = os.pipe()
    yield ends
    os.close(ends[0])


def told(status: tuple[int, int], *lines: tuple[str, str], expected: int) -> Joining:
    for what, text in lines:
        tell(status[1], what, text)
    os.close(status[1])
    return wait_for_agents(status[0], expected, 5.0, None)


def test_how_many_agents_there_are_to_be_may_be_told_later(status):
    joining = told(status, ("expect", "2"), ("joined", "4 a"), ("joined", "2 b"), expected=1)
    assert joining.expected == 2
    assert joining.joined == [("a", 4), ("b", 2)]
    assert joining.cores == 6


def test_what_starts_agents_can_say_what_to_do(status):
    problem = str(CordError("there is no room", "ask for less"))
    with pytest.raises(CordError, match="nowhere to run replicas: there is no room") as caught:
        told(status, ("over", problem), expected=3)
    assert caught.value.hint == "ask for less"


@pytest.mark.parametrize(
    ("script", "line"),
    [
        ("exit 0", ""),
        (
            "echo a; echo; echo b; echo; echo hint: c; exit 4",
            "over it has ended with exit code 4: b\n",
        ),
        ("exit 5", "over it has ended with exit code 5\n"),
        (
            "echo ---; echo c; echo ---; echo; echo -----; echo d; echo e; echo -----; exit 6",
            "over it has ended with exit code 6: d\n",
        ),
        ("echo -----; exit 7", "over it has ended with exit code 7\n"),
        ("kill -9 $$", "over it has ended by signal 9\n"),
        ("sleep 60 & echo $!; exit 6", "over it has ended with exit code 6: "),
    ],
)
def test_the_end_of_a_process_is_told(status, script: str, line: str):
    process = subprocess.Popen(["sh", "-c", script], stdout=subprocess.PIPE)
    watch(process, process.stdout, "it", status[1], shows=False)
    heard = os.read(status[0], 4096).decode()
    assert heard.startswith(line) if line else heard == ""
    if "sleep" in script:
        os.kill(int(heard.split()[-1]), 9)
