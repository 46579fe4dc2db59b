"""Agents in pods. The cluster is a stand-in; a real kubectl reads what that is told."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from test_nodes_that_fail import (
    NAPPING,
    NAPS,
    SQUARES,
    agents_of,
    assert_all_gone,
    wait_for,
    wait_for_file,
)

from cord.engines.nodes.launchers import in_pod, kubernetes
from cord.plan.engine_plan import EnginePlan

KUBECTL = Path(__file__).parent / "beside" / "kubectl.py"
REAL = shutil.which("kubectl")


@pytest.fixture
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., dict[str, str]]:
    """Gives the variables by which a program finds a cluster."""
    folder = tmp_path_factory.mktemp("cluster")
    (folder / "pods").mkdir()
    (folder / "kubectl").write_text(f'#!/bin/sh\nexec {sys.executable} {KUBECTL} "$@"\n')
    (folder / "kubectl").chmod(0o755)
    path = f"{folder}{os.pathsep}{os.environ['PATH']}"
    return {"PATH": path, "PODS": str(folder / "pods")}


def engine(nodes: int = 2, image: str = "here", more: str = "") -> str:
    return (
        f'kind = "kubernetes"\nnodes = {nodes}\nimage = "{image}"\npython = "{sys.executable}"\n'
        f"wait = 20\n{more}"
    )


def is_clean(cluster: dict[str, str], folder: Path) -> bool:
    assert_all_gone(folder)
    return not os.listdir(cluster["PODS"])


def test_a_program_runs_in_pods_and_leaves_none(far, cluster):
    far.write(engine=engine(more="cores = 2\n"), work=NAPS, main=NAPPING)
    assert far.run(**cluster) == (0, SQUARES, "")
    assert is_clean(cluster, far.folder)


def test_why_pods_are_not_ready_is_said(far, cluster):
    far.write(engine=engine(image="empty"), work=NAPS, main=NAPPING)
    code, stdout, stderr = far.run(**cluster)
    assert (code, stdout) == (2, "")
    assert "-0: python3: not found\n" in stderr
    assert "cord: no agent has joined" in stderr
    assert is_clean(cluster, far.folder)
    far.write(engine=engine(image="absent").replace("20", "8"))
    code, stdout, stderr = far.run(**cluster)
    assert (code, stdout) == (2, "")
    assert "-0: no such image: absent\n" in stderr
    assert is_clean(cluster, far.folder)


def test_a_cluster_that_takes_no_jobs_is_an_error_at_once(far, cluster):
    far.write(engine=engine(), work=NAPS, main=NAPPING)
    code, stdout, stderr = far.run(**cluster, CLUSTER="down")
    assert (code, stdout) == (2, "")
    assert "kubectl create has failed: error: the server could not be reached" in stderr
    code, stdout, stderr = far.run(PATH="/nowhere")
    assert (code, stdout) == (2, "")
    assert "cannot run kubectl: No such file or directory" in stderr


def test_a_node_whose_agent_ends_is_lost_at_once(far, cluster):
    far.write(engine=engine(), work=NAPS, main=NAPPING)
    process = far.start(**cluster)
    agents = wait_for(far.folder, 2)
    wait_for_file(far.folder / "begun")
    os.kill(agents[0], signal.SIGKILL)
    stdout, stderr = process.communicate(timeout=60)
    assert (process.returncode, stdout) == (0, SQUARES), stderr
    assert "is lost: the other side has closed it" in stderr
    assert is_clean(cluster, far.folder)


def test_pods_go_where_the_program_is_killed(far, cluster):
    far.write(engine=engine(1), work=NAPS, main=NAPPING)
    process = far.start(**cluster)
    wait_for_file(far.folder / "begun")
    process.kill()
    process.communicate()
    assert is_clean(cluster, far.folder)
    assert agents_of(far.folder) == []


def test_a_pod_is_held_until_no_agent_is_to_come():
    holding = [sys.executable, "-P", "-m", "cord.engines.nodes.launchers.holding", "0.1"]
    assert subprocess.run(holding, timeout=30, check=False).returncode == 0
    held = subprocess.Popen([*holding[:-1], "600"])
    held.send_signal(signal.SIGTERM)
    assert held.wait(30) in (0, -signal.SIGTERM)  # the latter where it had only just begun


def test_reasons_are_those_that_the_cluster_gives():
    unschedulable = {"type": "PodScheduled", "message": "0/3 nodes are available"}
    pods = [{"status": {"conditions": [unschedulable, {"type": "Ready", "message": "no"}]}}] * 2
    assert in_pod.why(pods) == "0/3 nodes are available"
    pulling = {"state": {"waiting": {"reason": "ContainerCreating"}}}
    running = {"state": {"running": {"startedAt": "now"}}}
    assert (
        in_pod.why([{"status": {"containerStatuses": [pulling, running]}}]) == "ContainerCreating"
    )
    assert in_pod.why([{}]) == in_pod.why([]) == "its pod is not ready"


def made() -> dict:
    plan = EnginePlan(
        kind="kubernetes",
        nodes=2,
        cores=3,
        image="me/cord:1",
        python="python3",
        resources={"nvidia.com/gpu": 1},
    )
    return kubernetes.jobs(plan, "cord-run")


def test_each_agent_has_a_job_that_goes_by_itself():
    one, other = made()["items"]
    assert [job["metadata"]["name"] for job in (one, other)] == ["cord-run-0", "cord-run-1"]
    assert one["spec"]["ttlSecondsAfterFinished"] == 60 and one["spec"]["backoffLimit"] == 0
    (container,) = one["spec"]["template"]["spec"]["containers"]
    assert container["resources"] == {"limits": {"cpu": 3, "nvidia.com/gpu": 1}}
    assert container["env"] == [{"name": "CORD_AGENT_CORES", "value": "3"}]


@pytest.mark.skipif(REAL is None, reason="there is no kubectl")
def test_kubectl_knows_all_that_it_is_told():
    for job in made()["items"]:
        read = subprocess.run(
            [REAL, "set", "image", "--local", "--filename=-", "agent=other", "--output=json"],
            input=json.dumps(job),
            capture_output=True,
            text=True,
            check=True,
        )
        job["spec"]["template"]["spec"]["containers"][0]["image"] = "other"
        assert_holds(json.loads(read.stdout), job, "job")


def assert_holds(read, told, where: str) -> None:
    """All of what was told is there; kubectl drops what no such object has."""
    if isinstance(told, dict):
        for name, part in told.items():
            assert name in read, f"{where}.{name}"
            assert_holds(read[name], part, f"{where}.{name}")
    elif isinstance(told, list):
        assert len(read) == len(told), where
        for number, part in enumerate(told):
            assert_holds(read[number], part, f"{where}[{number}]")
    else:
        assert read in (told, str(told)), where
