"""Where agents elsewhere find the program's machine, if the plan does not say."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from network import PROGRAMS_NODE, Network, are_permitted

from cord.engines.nodes import reachable
from cord.plan.engine_plan import EnginePlan

OTHER = "198.51.100.7"
HERE = "198.51.100.1"
OF_ALLOCATIONS = ("SLURM_JOB_NODELIST", *reachable._NODE_FILES)
PLAN = """
[engine]
kind = "command"
nodes = 2
wait = {wait}
launch = '''{launch}'''
[remote.work]
replicas = 2
pure = true
inline = false
"""
ASKS = """
from cord.engines.nodes import reachable
from cord.plan.engine_plan import EnginePlan
print(reachable.address(EnginePlan(kind="dask", address="tcp://10.77.0.2:8786")))
print(reachable.address(EnginePlan(kind="ray", address="ray://10.77.0.3:10001")))
print(reachable.address(EnginePlan(kind="dask", address="tcp://192.0.2.1:8786")))
"""


@pytest.fixture(autouse=True)
def ways(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """The hosts to which a way was asked for; nothing is known of any cluster."""
    asked = []

    def way_to(host: str) -> str:
        asked.append(host)
        if host == "unknown":
            raise OSError
        return HERE

    for name in (*OF_ALLOCATIONS, "RAY_ADDRESS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("RAY_TMPDIR", str(tmp_path))
    monkeypatch.setattr(reachable, "_way_to", way_to)
    return asked


@pytest.mark.parametrize(
    ("kind", "address"),
    [
        ("dask", f"tcp://{OTHER}:8786"),
        ("dask", f"tls://{OTHER}:8786"),
        ("dask", f"{OTHER}:8786"),
        ("ray", f"{OTHER}:6379"),
        ("ray", f"ray://{OTHER}:10001"),
        ("ray", OTHER),
    ],
)
def test_it_is_the_way_to_the_head(ways, kind, address):
    assert reachable.address(EnginePlan(kind=kind, address=address)) == HERE
    assert ways == [OTHER]


def test_ray_knows_the_head_by_its_variable_or_by_its_file(ways, monkeypatch, tmp_path):
    plans = [EnginePlan(kind="ray"), EnginePlan(kind="ray", address="auto")]
    assert [reachable.address(plan) for plan in plans] == ["127.0.0.1"] * 2
    (tmp_path / "ray").mkdir()
    (tmp_path / "ray/ray_current_cluster").write_text(f"{OTHER}:6379")
    assert [reachable.address(plan) for plan in plans] == [HERE] * 2
    monkeypatch.setenv("RAY_ADDRESS", "198.51.100.9:6379")
    assert [reachable.address(plan) for plan in plans] == [HERE] * 2
    assert ways == [OTHER] * 2 + ["198.51.100.9"] * 2


@pytest.mark.parametrize("kind", ["ray", "dask"])
def test_a_cluster_that_is_started_for_the_run_is_here(ways, kind):
    assert reachable.address(EnginePlan(kind=kind, address="local")) == "127.0.0.1"
    assert ways == []


@pytest.mark.parametrize("variable", reachable._NODE_FILES)
def test_in_an_allocation_it_is_the_way_to_another_node(ways, monkeypatch, tmp_path, variable):
    own = socket.gethostname()
    (tmp_path / "nodes").write_text(f"{own} 2\n{own}.site 2\n\nunknown 2\nnode8 2\nnode8 2\n")
    monkeypatch.setenv(variable, str(tmp_path / "nodes"))
    for kind in ("mpi", "slurm", "command"):
        ways.clear()
        assert reachable.address(EnginePlan(kind=kind)) == HERE
        assert ways == ["unknown", "node8"]
    (tmp_path / "nodes").write_text(f"{own}\n")
    assert reachable.address(EnginePlan(kind="mpi")) == "127.0.0.1"


def test_slurm_says_which_nodes_it_has_given(ways, monkeypatch, tmp_path):
    monkeypatch.setenv("SLURM_JOB_NODELIST", "n[7-8]")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert reachable.address(EnginePlan(kind="slurm")) == "127.0.0.1"
    (tmp_path / "scontrol").write_text('#!/bin/sh\n[ "$*" = "show hostnames n[7-8]" ] && echo n7\n')
    (tmp_path / "scontrol").chmod(0o755)
    assert reachable.address(EnginePlan(kind="slurm")) == HERE
    assert ways == ["n7"]


@pytest.mark.parametrize("kind", ["mpi", "slurm", "command", "hq"])
def test_where_nothing_is_known_it_is_this_machine_alone(ways, kind):
    assert reachable.address(EnginePlan(kind=kind)) == "127.0.0.1"
    assert ways == []


@pytest.fixture
def network() -> Iterator[Network]:
    """Two nodes, and the program's."""
    if not are_permitted():
        pytest.skip("namespaces are not permitted here")
    made = Network(nodes=2, loss=0.0)
    yield made
    made.close()


def inside(
    network: Network, *words: str, folder: Path, **more: str
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*network.inside(PROGRAMS_NODE), sys.executable, *words],
        cwd=folder,
        env={**os.environ, **more},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_agents_on_other_machines_join_without_an_address_in_the_plan(network, tmp_path):
    asked = inside(network, "-c", ASKS, folder=tmp_path)
    assert asked.stdout.split() == ["10.77.0.1", "10.77.0.1", "127.0.0.1"]
    (tmp_path / "work.py").write_text("def double(n):\n    return 2 * n\n")
    (tmp_path / "main.py").write_text("import work\nprint([work.double(n) for n in range(9)])\n")
    plan = tmp_path / "cord.toml"
    (tmp_path / "nodes").write_text("node1\n10.77.0.2\n10.77.0.3\n")
    plan.write_text(PLAN.format(wait=30, launch=network.launch()))
    run = ("-m", "cord", "run", "main.py")
    done = inside(network, *run, folder=tmp_path, PBS_NODEFILE=str(tmp_path / "nodes"))
    assert (done.returncode, done.stdout) == (0, f"{[2 * n for n in range(9)]}\n"), done.stderr
    plan.write_text(PLAN.format(wait=3, launch=network.launch()))
    done = inside(network, *run, folder=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert "cord: waiting for 2 of 2 agents to join at 127.0.0.1:" in done.stderr
    assert "replicas: nothing was heard of them at 127.0.0.1:" in done.stderr
    assert "hint: if nodes cannot reach 127.0.0.1:" in done.stderr
    network.said.seek(0)
    said = network.said.read().decode()
    assert "cannot connect to 127.0.0.1:" in said and "hint: engine.listen in the" in said
