"""Agents in pods of Kubernetes. The link is that of `kubectl exec`: no port, no key of Cord's.

For each agent there is a Job, whose pod holds the place (`holding.py`) until the agent that is
executed in it has come and gone. What a pod's own process writes is kept in logs of its node; what
an executed one does is not, so links are of these.
"""

from __future__ import annotations

import json
import secrets
import socket
import subprocess
import sys
from typing import TYPE_CHECKING, Any

from cord.engines.nodes.launchers import AGENT, CORES, CannotLaunch, Launched

if TYPE_CHECKING:
    from cord.plan.engine_plan import EnginePlan

KUBECTL = "kubectl"
# What tells the pods of a job.
LABEL = "cord-agent"
_HOLDING = "cord.engines.nodes.launchers.holding"
_IN_POD = "cord.engines.nodes.launchers.in_pod"
# The part of `engine.wait` in which pods must be ready; the rest is for the agents.
_FOR_PODS = 0.8
# Seconds after which what has ended is removed, where nobody is left to do so.
_KEPT = 60


def jobs(plan: EnginePlan, run: str) -> dict[str, Any]:
    """What is created.

    Args:
        plan: The engine's.
        run: The name of the run.
    """
    return {
        "apiVersion": "v1",
        "kind": "List",
        "items": [_job(plan, run, f"{run}-{number}") for number in range(plan.nodes)],
    }


def _job(plan: EnginePlan, run: str, name: str) -> dict[str, Any]:
    labels = {
        "app.kubernetes.io/name": "cord-agent",
        "app.kubernetes.io/instance": run,
        LABEL: name,
    }
    container = {
        "name": "agent",
        "image": plan.image,
        "command": [plan.python, "-P", "-m", _HOLDING, str(plan.wait)],
        "env": [{"name": CORES, "value": str(plan.cores)}],
        "resources": {"limits": {"cpu": plan.cores, **plan.resources}},
        "terminationMessagePolicy": "FallbackToLogsOnError",
    }
    pod = {
        "restartPolicy": "Never",
        "automountServiceAccountToken": False,
        "containers": [container],
    }
    return {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": {"name": name, "labels": labels},
        "spec": {
            "backoffLimit": 0,
            "ttlSecondsAfterFinished": _KEPT,
            "template": {"metadata": {"labels": labels}, "spec": pod},
        },
    }


def launch(plan: EnginePlan) -> Launched:
    """Have the jobs made, and an agent executed in the pod of each.

    Args:
        plan: The engine's.

    Raises:
        CannotLaunch: There is no kubectl, or the cluster does not take the jobs.
    """
    assert plan.python is not None
    run = f"cord-{secrets.token_hex(5)}"
    try:
        made = subprocess.run(
            [KUBECTL, "create", "--filename", "-"],
            input=json.dumps(jobs(plan, run)),
            capture_output=True,
            text=True,
            check=False,
        )
    except OSError as error:
        raise CannotLaunch(f"cannot run kubectl: {error.strerror}") from None
    launched = Launched()
    selector = f"--selector=app.kubernetes.io/instance={run}"
    launched.undo.append([KUBECTL, "delete", "jobs", selector, "--wait=false"])
    if made.returncode != 0:
        launched.end(0.0)  # some may have been made
        said = made.stderr.strip().splitlines()
        raise CannotLaunch(f"kubectl create has failed: {said[-1] if said else 'it says nothing'}")
    agent = [plan.python, *AGENT, "--stdio"]
    for number in range(plan.nodes):
        name = f"{run}-{number}"
        leads = [sys.executable, "-P", "-m", _IN_POD, name, str(plan.wait * _FOR_PODS), *agent]
        ours, theirs = socket.socketpair()
        with theirs:
            end = theirs.fileno()
            launched.processes.append(subprocess.Popen(leads, stdin=end, stdout=end))
        launched.pipes.append((name, ours.detach(), -1))
    return launched
