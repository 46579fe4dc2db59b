"""Agents that Ray places, in clusters that are really started."""

from __future__ import annotations

import importlib.util
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any
from unittest.mock import MagicMock

import pytest
from clusters import (
    LASTING,
    LOSING,
    LOSING_PLACE,
    PROGRAM,
    SHOWN,
    agents,
    files,
    parent_of,
    until,
    without_waiting,
)

from cord.engines.nodes import by_name
from cord.engines.nodes.launchers import on_ray, ray_cluster
from cord.errors import CordError

needs_ray = pytest.mark.skipif(
    importlib.util.find_spec("ray") is None, reason="Ray is not installed: make test-engines"
)
CLUSTER = """\
import ray, sys
ray.init("local", num_cpus=2, num_gpus=2, resources={"tape": 1}, include_dashboard=False)
print(ray.get_runtime_context().gcs_address, flush=True)
sys.stdin.read()
"""


SEEING = """\
import os, work
look = lambda: print(*sorted({str(work.devices(number)) for number in range(8)}), sep="\\n")
look()
os.environ["CUDA_VISIBLE_DEVICES"] = "6"
os.environ["CUDA_VISIBLE_DEVICES"] = "7"
look()
print(os.environ["CUDA_VISIBLE_DEVICES"])
"""


@pytest.fixture(scope="module")
def cluster() -> Iterator[str]:
    """The address of a cluster that somebody else has started, with two processors."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_AUTH_MODE", "disabled")  # its token would be the user's who starts it
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        started = subprocess.Popen(
            [sys.executable, "-c", CLUSTER],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        with started:
            assert started.stdout is not None
            address = started.stdout.readline().strip()
            if address:
                yield f'address = "{address}"'
            assert started.stdin is not None
            started.stdin.close()
    if not address:
        pytest.skip("Ray is installed, but starts no cluster here")


@needs_ray
def test_a_program_runs_on_a_cluster_that_is_there(project, cluster):
    before = agents()
    made = project(files(PROGRAM, "ray", cluster, "nodes = 2"))
    result = made.run("main.py")
    assert (result.stdout, without_waiting(result.stderr)) == (SHOWN, "")
    assert made.left_behind() == []
    until(lambda: agents() <= before)


@pytest.mark.full
@needs_ray
def test_local_starts_a_cluster_for_the_run_with_what_is_asked_for(project, monkeypatch):
    monkeypatch.setenv("RAY_TMPDIR", "/tmp")  # names of sockets are short
    asked = "resources = { tape = 0.75, disk = 2 }"
    made = project(files(PROGRAM, "ray", 'address = "local"', "nodes = 2", asked))
    result = made.run("main.py")
    assert (result.stdout, without_waiting(result.stderr)) == (SHOWN, "")
    assert until(lambda: not made.processes())


@pytest.mark.full
@needs_ray
def test_where_there_is_no_room_ray_says_what_there_is(project, cluster):
    made = project(files(PROGRAM, "ray", cluster, "nodes = 2", "cores = 2", "wait = 5"))
    result = made.run("main.py")
    assert (result.returncode, result.stdout) == (2, "")
    assert "no room for 2 x 2 CPU in 4 s: free are 2 of 2 CPU, on 1 nodes" in result.stderr
    assert "hint: engine.nodes and engine.cores say how much is asked for" in result.stderr


@pytest.mark.full
@needs_ray
def test_all_that_is_asked_for_is_named_where_there_is_no_room(project, cluster):
    asked = "resources = { GPU = 1, tape = 1 }"
    made = project(files(PROGRAM, "ray", cluster, "nodes = 2", asked, "wait = 5"))
    result = made.run("main.py")
    assert (result.returncode, result.stdout) == (2, "")
    said = "2 x 1 CPU + 1 GPU + 1 tape in 4 s: free are 2 of 2 CPU, 2 of 2 GPU, 1 of 1 tape, on"
    assert said in result.stderr
    assert "hint: engine.nodes, engine.cores and engine.resources say" in result.stderr


@pytest.mark.full
@needs_ray
def test_each_node_sees_the_devices_that_are_its_own(project, cluster, monkeypatch):
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "7")  # the program's own is not the nodes'
    monkeypatch.setenv("HIP_VISIBLE_DEVICES", "7")
    made = project(files(SEEING, "ray", cluster, "nodes = 2", "resources = { GPU = 1 }"))
    result = made.run("main.py")
    seen = "".join(f"[('{one}', b'{one}'), (None, None)]\n" for one in (0, 1))
    assert (result.stdout, without_waiting(result.stderr)) == (f"{seen}{seen}7\n", "")


@pytest.mark.full
@needs_ray
def test_an_interpreter_that_nodes_do_not_have_is_named(project, cluster):
    result = project(files(PROGRAM, "ray", cluster, 'python = "/no/python"')).run("main.py")
    assert result.returncode == 2
    assert "cannot run /no/python: No such file or directory" in result.stderr


@pytest.mark.full
@needs_ray
def test_calls_of_an_agent_that_dies_are_made_elsewhere(project, cluster):
    made = project(files(LOSING, "ray", cluster, "nodes = 2", "reconnect = 600"))
    result = made.run("main.py")
    assert result.stdout == f"{list(range(6))}\n"
    assert "the agent has ended by signal 9" in result.stderr


@pytest.mark.full
@needs_ray
def test_an_actor_that_dies_takes_its_node_with_it_at_once(project, cluster):
    made = project(files(LOSING_PLACE, "ray", cluster, "nodes = 2", "reconnect = 600"))
    result = made.run("main.py")
    assert result.stdout == f"{list(range(6))}\n"
    assert "is lost: Ray has lost an agent: The actor" in result.stderr


LOST = """\
The actor died unexpectedly before finishing this task.
\tclass_name: Place
\tactor_id: 0123456789abcdef
\tpid: 71
\tnamespace: 0123-4567
\tip: 10.0.0.2
The actor is dead because all references to the actor were removed.
\tThe actor never ran - it was cancelled before it started running.
"""
ASKS_FOR_TOKEN = """\
Failed to connect to GCS. Last connection error: Traceback (most recent call last):
  File "/ray/_private/node.py", line 996, in _init_gcs_client
    client = GcsClient(
             ^^^^^^^^^^
  File "python/ray/includes/common.pxi", line 119, in ray._raylet.check_status
ray.exceptions.AuthenticationError: RPC error: InvalidAuthToken: Authentication token is missing \
or incorrect. Note: RAY_AUTH_MODE is currently 'disabled' (not 'token'). Ensure that it is not.
"""


@pytest.mark.parametrize(
    ("text", "reason", "hint"),
    [
        (
            ASKS_FOR_TOKEN,
            "Failed to connect to GCS. Last connection error: ray.exceptions.AuthenticationError: "
            "RPC error: InvalidAuthToken: Authentication token is missing or incorrect.",
            "the cluster asks for a token: set RAY_AUTH_MODE=token, and give the cluster's own in "
            "RAY_AUTH_TOKEN, or in ~/.ray/auth_token",
        ),
        ("It is too old.\n", "It is too old.", "start one"),
    ],
)
def test_why_there_is_no_cluster_is_told_in_the_words_of_ray(text, reason, hint):
    def init(_where: str, **_options: object) -> None:
        raise ConnectionError("no cluster") from RuntimeError(text)

    ray: Any = SimpleNamespace(init=init, exceptions=SimpleNamespace(RayError=KeyError))
    with pytest.raises(CordError) as caught:
        ray_cluster.connect(ray, "10.0.0.1:6379", 60.0, MagicMock(), "start one")
    assert caught.value.message == f"there is no Ray cluster at 10.0.0.1:6379: {reason}"
    assert caught.value.hint == hint


def test_the_gateway_is_told_of_an_end_in_the_words_of_ray():
    class Lost(Exception):
        pass

    def get(call: str) -> str | None:
        if call == "lost":
            raise Lost(LOST)
        return call or None

    ray: Any = SimpleNamespace(get=get, exceptions=SimpleNamespace(RayError=Lost))
    assert on_ray._why(ray, "lost") == (
        "Ray has lost an agent: The actor died unexpectedly before finishing this task. "
        "The actor is dead because all references to the actor were removed. "
        "The actor never ran - it was cancelled before it started running."
    )
    assert on_ray._why(ray, "node1: no room") == "node1: no room"
    assert on_ray._why(ray, "") is None


@pytest.mark.full
@needs_ray
def test_an_agent_ends_with_its_actor(project, cluster):
    before = agents()
    process = project(files(LASTING, "ray", cluster, "reconnect = 1")).start("main.py")
    agent = until(lambda: agents() - before).pop()
    os.kill(parent_of(agent), signal.SIGKILL)
    until(lambda: agent not in agents())
    process.kill()
    process.communicate()


@pytest.mark.full
@needs_ray
def test_agents_end_with_a_program_that_is_killed(project, cluster):
    before = agents()
    made = project(files(LASTING, "ray", cluster, "nodes = 2"))
    process = made.start("main.py")
    until((made.folder / "begun").exists)
    process.kill()
    process.communicate()
    assert made.left_behind() == []
    until(lambda: agents() <= before)


STORE = "seen = []\ndef add(item):\n    seen.append(item)\n    return seen[:]\n"
ADDING = "import store\nprint(store.add(1))\n"


@pytest.fixture
def named(project, cluster) -> Iterator[Any]:
    """Starts an agent that the cluster knows by a name; gives a program that is its client."""
    started: list[subprocess.Popen[str]] = []

    def start(name: str) -> Any:
        plan = f'[engine]\nkind = "standing"\n{cluster}\nname = "{name}"\n[remote.store]\n'
        kept = "[remote.store]\n"
        made = project(
            {"main.py": ADDING, "store.py": STORE, "cord.toml": plan, "service.toml": kept}
        )
        command = [sys.executable, "-m", "cord", "agent", "--serve", "--listen", "127.0.0.1:0"]
        address = cluster.partition('"')[2].rstrip('"')
        made.agent = subprocess.Popen(
            [*command, "--ray", address, "--name", name, "-c", "service.toml"],
            cwd=made.folder,
            env={**os.environ, "PYTHONHASHSEED": "0"},  # as programs of tests have it
            stderr=subprocess.PIPE,
            text=True,
        )
        started.append(made.agent)
        made.said = made.agent.stderr.readline()
        return made

    yield start
    for process in started:
        process.kill()
        process.communicate()


@pytest.mark.full
@needs_ray
def test_an_agent_that_stands_is_found_by_its_name(named):
    made = named("lab")
    assert "serves under the name lab at 127.0.0.1:" in made.said
    for seen in ("[1]\n", "[1, 1]\n"):
        result = made.run("main.py")
        assert (result.stdout, without_waiting(result.stderr)) == (seen, "")
    made.agent.terminate()
    assert made.agent.wait(30) == 0
    until(lambda: not made.processes())


def test_a_name_that_is_taken_is_no_other_agents(monkeypatch):
    class Taken:
        def options(self, **_: object) -> Taken:
            return self

        def remote(self, *_: str) -> None:
            raise ValueError("Actor with name 'lab' already exists in the namespace cord")

    ray: Any = MagicMock()
    ray.remote.return_value.return_value = Taken()
    monkeypatch.setattr(by_name, "_FREE", 0.0)
    with pytest.raises(CordError, match='another agent serves under the name "lab"'):
        by_name._keep(ray, "lab", "127.0.0.1:7420", "")


@pytest.mark.full
@needs_ray
def test_its_name_goes_with_it(named):
    made = named("short")
    made.agent.kill()
    made.agent.wait()
    until(lambda: not made.processes())
    result = made.run("main.py")
    assert (result.returncode, result.stdout) == (2, "")
    assert 'no agent serves under the name "short" in that Ray cluster' in result.stderr
    assert "hint: there, cord agent --serve --ray ADDRESS --name short is to run" in result.stderr


def test_what_to_install_is_said_where_ray_is_not_there(monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(CordError, match="Ray cannot be imported") as caught:
        on_ray.start(SimpleNamespace())
    assert caught.value.hint == "pip install 'cord-run[ray]'"
