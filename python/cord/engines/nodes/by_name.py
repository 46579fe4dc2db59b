"""The name of a standing agent in a Ray cluster: an actor that says where it is, and gives the key.

Ray's library has threads, so neither the agent nor the gateway loads it, but a process beside each.
It is asked by a line of JSON, answers by one, and ends when its standard input does. So the name
goes when the agent does, however that ends.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from typing import TYPE_CHECKING

from cord.engines.nodes.launchers import ray_cluster
from cord.errors import CordError
from cord.ready import ready

if TYPE_CHECKING:
    from typing import Any

_NAMESPACE = "cord"
# Seconds in which the name of an agent that has ended is free again, and those for an answer.
_FREE = 10.0
_PAUSE = 0.2
_PATIENCE = 60.0


def keep(address: str, name: str, where: str, key: bytes) -> subprocess.Popen[bytes]:
    """Give an agent a name in a cluster.

    Args:
        address: Where the cluster is.
        name: The name.
        where: The host and port at which the agent listens.
        key: Its clients'.

    Returns:
        What keeps the name until its standard input ends. Its output ends when the cluster does.

    Raises:
        CordError: There is no such cluster, or the name is taken.
    """
    process, _ = _ask({"address": address, "name": name, "where": where, "key": key.hex()}, [])
    return process


def find(
    address: str, name: str, seconds: float, ends: list[int]
) -> tuple[str, bytes, subprocess.Popen[bytes]]:
    """Find the agent of a name.

    Args:
        address: Where the cluster is.
        name: The name.
        seconds: How long that may take.
        ends: One of these can be read when nobody wants to know any more.

    Returns:
        Where it listens, its clients' key, and what has told it and is about to end.

    Raises:
        CordError: There is none.
    """
    process, answer = _ask({"address": address, "name": name, "seconds": seconds}, ends)
    return answer["where"], bytes.fromhex(answer["key"]), process


def _ask(
    request: dict[str, Any], ends: list[int]
) -> tuple[subprocess.Popen[bytes], dict[str, str]]:
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", __name__],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    assert process.stdin is not None and process.stdout is not None
    answer = {"problem": "what speaks with Ray has ended", "hint": ""}
    try:
        process.stdin.write(json.dumps(request).encode() + b"\n")
        process.stdin.flush()
        output = process.stdout.fileno()
        is_there = output in ready([output, *ends])
        answer = json.loads(process.stdout.readline()) if is_there else answer
    except (OSError, ValueError):
        pass  # it has ended
    if "problem" in answer:
        process.kill()
        process.communicate()
        raise CordError(answer["problem"], answer["hint"] or None)
    return process, answer


class Name:
    """An actor: who has its handle hears of the agent."""

    def __init__(self, where: str, key: str) -> None:
        self._told = {"where": where, "key": key}

    def tell(self) -> dict[str, str]:
        """Where it is, and the key."""
        return self._told


def _keep(ray: Any, name: str, where: str, key: str) -> Any:
    """The actor; it is there as long as its handle is."""
    host, _, port = where.rpartition(":")
    if host == "0.0.0.0":
        where = f"{ray.util.get_node_ip_address()}:{port}"
    here = ray.util.scheduling_strategies.NodeAffinitySchedulingStrategy(
        ray.get_runtime_context().get_node_id(), soft=False
    )
    actor = ray.remote(num_cpus=0, max_restarts=0)(Name).options(
        name=name, namespace=_NAMESPACE, scheduling_strategy=here
    )
    until = time.monotonic() + _FREE
    while True:
        try:
            kept = actor.remote(where, key)
            break
        except ValueError:
            if time.monotonic() >= until:
                raise CordError(
                    f'another agent serves under the name "{name}" in that Ray cluster'
                ) from None
            time.sleep(_PAUSE)
    ray.get(kept.tell.remote())
    return kept


def _find(ray: Any, name: str, seconds: float) -> dict[str, str]:
    hint = f"there, cord agent --serve --ray ADDRESS --name {name} is to run"
    try:
        agent = ray.get_actor(name, namespace=_NAMESPACE)
        told: dict[str, str] = ray.get(agent.tell.remote(), timeout=seconds)
    except (ValueError, ray.exceptions.RayError):
        raise CordError(
            f'no agent serves under the name "{name}" in that Ray cluster', hint
        ) from None
    return told


def _serve() -> None:
    request = json.loads(sys.stdin.buffer.readline())
    output = os.dup(1)
    os.dup2(2, 1)  # what libraries print is no answer

    def answer(told: dict[str, str]) -> None:
        os.write(output, json.dumps(told).encode() + b"\n")

    def cannot(error: CordError) -> None:
        answer({"problem": error.message, "hint": error.hint or ""})

    seconds = request.get("seconds", _PATIENCE)
    try:
        ray = ray_cluster.imported()
        ray_cluster.connect(ray, request["address"], seconds, cannot, None)
        if "where" in request:
            kept = _keep(ray, request["name"], request["where"], request["key"])
            answer({})
            sys.stdin.buffer.read()  # until the agent has ended
            del kept
        else:
            answer(_find(ray, request["name"], seconds))
    except CordError as error:
        cannot(error)


if __name__ == "__main__":
    _serve()
