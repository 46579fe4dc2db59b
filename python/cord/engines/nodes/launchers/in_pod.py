"""Becomes what executes an agent in a job's pod, when that is ready; else says why it is not."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from typing import TYPE_CHECKING

from cord.engines.nodes.launchers.kubernetes import KUBECTL, LABEL

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

_PAUSE = 0.5


def why(pods: list[dict[str, Any]]) -> str:
    """Why pods are not ready.

    Args:
        pods: What the cluster says of them.
    """
    reasons = [reason for pod in pods for reason in _reasons(pod.get("status", {})) if reason]
    return "; ".join(dict.fromkeys(reasons)) or "its pod is not ready"


def _reasons(status: dict[str, Any]) -> Iterator[str]:
    for container in status.get("containerStatuses", []):
        for kind, state in container.get("state", {}).items():
            if kind != "running":
                yield (state.get("message") or state.get("reason", "")).strip()
    for condition in status.get("conditions", []):
        if condition.get("type") == "PodScheduled":
            yield condition.get("message", "")


def _pods(job: str) -> list[dict[str, Any]]:
    """What the cluster says of a job's; nothing where it does not answer: it is asked again."""
    done = subprocess.run(
        [KUBECTL, "get", "pods", f"--selector={LABEL}={job}", "--output=json"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    pods: list[dict[str, Any]] = json.loads(done.stdout)["items"] if done.returncode == 0 else []
    return pods


def _is_ready(pod: dict[str, Any]) -> bool:
    conditions = pod.get("status", {}).get("conditions", [])
    return any(one.get("type") == "Ready" and one.get("status") == "True" for one in conditions)


def _main(job: str, seconds: float, agent: list[str]) -> int:
    until = time.monotonic() + seconds
    while True:
        pods = _pods(job)
        for name in (pod["metadata"]["name"] for pod in pods if _is_ready(pod)):
            command = [KUBECTL, "exec", "--stdin", f"pod/{name}", "--", *agent]
            os.execvp(command[0], command)
        has_failed = any(pod.get("status", {}).get("phase") == "Failed" for pod in pods)
        if has_failed or time.monotonic() >= until:
            sys.stderr.write(f"cord: {job}: {why(pods)}\n")
            return 1
        time.sleep(_PAUSE)


if __name__ == "__main__":
    sys.exit(_main(sys.argv[1], float(sys.argv[2]), sys.argv[3:]))
