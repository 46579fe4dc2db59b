"""Where agents elsewhere reach this machine, if the plan does not say."""

from __future__ import annotations

import os
import socket
import subprocess
from contextlib import suppress
from typing import TYPE_CHECKING

from cord.engines.nodes.addresses import LOOPBACK

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cord.plan.engine_plan import EnginePlan

# The variables that name a file with the nodes of an allocation: of PBS, LSF, OAR and Grid Engine.
_NODE_FILES = ("PBS_NODEFILE", "LSB_DJOB_HOSTFILE", "OAR_NODEFILE", "PE_HOSTFILE")
# The kinds whose agents come to the nodes of an allocation, where there is one.
_IN_ALLOCATIONS = ("command", "mpi", "slurm")
_ANY_PORT = 9
_PATIENCE = 10.0


def address(plan: EnginePlan) -> str:
    """An address of this machine: that of the way to where agents are to be.

    Args:
        plan: The engine's.

    Returns:
        The loopback's, where all seem to be on this machine, or nothing is known of others.
    """
    for host in _elsewhere(plan):
        with suppress(OSError, UnicodeError):
            return _way_to(host)
    return LOOPBACK


def _way_to(host: str) -> str:
    """The local address of the route to a host; nothing is sent there."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as way:
        way.connect((host, _ANY_PORT))
        local: str = way.getsockname()[0]
    return local


def _elsewhere(plan: EnginePlan) -> Iterable[str]:
    """Hosts that see this machine as agents do."""
    if plan.kind in _IN_ALLOCATIONS:
        return _other_nodes()
    where = plan.address
    if plan.kind == "ray" and where != "local":
        where = os.environ.get("RAY_ADDRESS") or where
        where = _known_to_ray() if where in (None, "auto") else where
    return [_host_of(where)] if where not in (None, "", "local") else []


def _known_to_ray() -> str | None:
    """The cluster that `ray start` has last started or joined on this machine."""
    folder = os.environ.get("RAY_TMPDIR") or os.environ.get("TMPDIR") or "/tmp"
    with suppress(OSError), open(os.path.join(folder, "ray", "ray_current_cluster")) as file:
        return file.read().strip()
    return None


def _host_of(where: str) -> str:
    """The host in an address such as `tcp://HOST:PORT`."""
    rest = where.rpartition("://")[2].partition("/")[0]
    host, colon, _ = rest.rpartition(":")
    return (host if colon else rest).strip("[]")


def _other_nodes() -> list[str]:
    """The nodes of the allocation that this process runs in; this one left out."""
    own = socket.gethostname().partition(".")[0]
    return [name for name in _allocated() if name.partition(".")[0] != own]


def _allocated() -> list[str]:
    nodes = os.environ.get("SLURM_JOB_NODELIST")
    with suppress(OSError, subprocess.SubprocessError):
        if nodes is not None:
            listed = subprocess.run(
                ["scontrol", "show", "hostnames", nodes],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=_PATIENCE,
                check=True,
            )
            return listed.stdout.decode().split()
        for name in _NODE_FILES:
            if name in os.environ:
                with open(os.environ[name]) as file:
                    return list(dict.fromkeys(line.split()[0] for line in file if line.strip()))
    return []
