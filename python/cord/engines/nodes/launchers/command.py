"""Agents that a command starts: srun, mpiexec, kubectl, or whatever a cluster has."""

from __future__ import annotations

import os
import shlex
import subprocess
from typing import TYPE_CHECKING

from cord.engines.nodes.launchers import KEY, CannotLaunch, Launched, connecting_agent
from cord.engines.nodes.launchers.watching import watch
from cord.plan.engine import PRESETS

if TYPE_CHECKING:
    from cord.plan.engine_plan import EnginePlan


def launch(plan: EnginePlan, address: str, key: bytes, status: int) -> Launched:
    """Run the command.

    Args:
        plan: The engine's.
        address: Where agents find the gateway.
        key: What they show it; in the environment of the command.
        status: Where the client is told that the command has failed.

    Raises:
        CannotLaunch: It cannot be run.
    """
    assert plan.launch is not None
    agent = connecting_agent(plan, address)
    try:
        words = shlex.split(plan.launch)
    except ValueError as error:
        raise CannotLaunch(f"engine.launch cannot be read: {error}") from None
    command: list[str] = []
    for word in words:
        if word == "{agent}":
            command += agent
        else:
            command.append(
                word.replace("{n}", str(plan.nodes)).replace("{agent}", shlex.join(agent))
            )
    environment = {**os.environ, KEY: key.hex()}
    if plan.kind == "mpi" and _is_open_mpi(command[0]):
        if plan.launch == PRESETS["mpi"]:
            command[1:1] = ["-x", KEY]  # it passes on no variables of others by itself
        environment = {name: text for name, text in environment.items() if not _is_ranks(name)}
    launched = Launched()
    try:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=environment,
            start_new_session=True,
        )
    except OSError as error:
        raise CannotLaunch(f"cannot run {command[0]}: {error.strerror}") from None
    launched.processes.append(process)
    assert process.stdout is not None
    watch(process, process.stdout, command[0], status, shows=True)
    return launched


def _is_open_mpi(mpiexec: str) -> bool:
    try:
        said = subprocess.run(
            [mpiexec, "--version"], stdin=subprocess.DEVNULL, capture_output=True, check=False
        )
    except OSError:
        return False  # that it cannot be run is said when it is
    return b"Open MPI" in said.stdout or b"OpenRTE" in said.stdout


def _is_ranks(name: str) -> bool:
    """Whether Open MPI has told it to a rank: an mpiexec which that starts takes it for its own."""
    is_told = name.startswith(("OMPI_", "PMIX_"))
    return is_told and not name.startswith("OMPI_ALLOW_") and "OMPI_COMM_WORLD_RANK" in os.environ
