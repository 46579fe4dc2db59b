"""A Slurm cluster of two nodes that are both this machine, with all it keeps in one folder."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

NODES = ("one", "two")
PROGRAMS = ("munged", "slurmctld", "slurmd", "srun", "salloc", "sbatch")
PATIENCE = 30.0
# What some sites set is set here too: a task that fails, or ends first, takes the others along.
CONFIGURATION = """\
ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={port}
SlurmUser=root
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket={folder}/munge.socket
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool-%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
ReturnToService=2
KillWait=2
KillOnBadExit=1
WaitTime=2
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""
NODE = "NodeName={name} NodeHostname={host} NodeAddr=127.0.0.1 Port={port} CPUs=4\n"


def lacks() -> str | None:
    """What is missing for a cluster; None where nothing is."""
    missing = [name for name in PROGRAMS if shutil.which(name) is None]
    if missing:
        return f"there is no {missing[0]}: Slurm and munge are not installed"
    if os.geteuid() != 0:
        return "the daemons of Slurm are started by root"
    return None


@contextmanager
def cluster(folder: Path) -> Iterator[dict[str, str]]:
    """A cluster whose nodes are idle; gives the variables by which programs find it.

    Args:
        folder: For its configuration, keys, sockets, logs and state.
    """
    configuration = folder / "slurm.conf"
    configuration.write_text(_configuration(folder))
    variables = {"SLURM_CONF": str(configuration)}
    with ExitStack() as daemons:
        _start_munge(folder, daemons)
        _start(folder, daemons, "slurmctld", "-D", "-f", configuration)
        for name in NODES:
            _start(folder, daemons, "slurmd", "-D", "-N", name, "-f", configuration)
        _wait_until_idle(folder, variables)
        try:
            yield variables
        finally:  # what runs jobs would outlive the daemons
            scancel = ["scancel", "--user", "root"]
            subprocess.run(scancel, env={**os.environ, **variables}, check=False)
            _wait_until_idle(folder, variables)


@contextmanager
def allocated(variables: dict[str, str]) -> Iterator[dict[str, str]]:
    """A job on both nodes; gives what a program in it finds in its environment."""
    environment = {**os.environ, **variables}
    wanted = ["--no-shell", "-N", "2", "-n", "4"]
    salloc = ["salloc", *wanted]
    said = subprocess.run(salloc, env=environment, capture_output=True, text=True, check=True)
    job = said.stderr.split("Granted job allocation ")[1].split()[0]
    try:
        yield {**variables, "SLURM_JOB_ID": job, "SLURM_NNODES": "2"}
    finally:
        subprocess.run(["scancel", job], env=environment, check=True)


def _configuration(folder: Path) -> str:
    host = socket.gethostname()
    ports = _free_ports(1 + len(NODES))
    nodes = [
        NODE.format(name=name, host=host, port=port)
        for name, port in zip(NODES, ports[1:], strict=True)
    ]
    common = CONFIGURATION.format(folder=folder, host=host, port=ports[0])
    return "".join((*nodes, common))


def _free_ports(count: int) -> list[int]:
    with ExitStack() as opened:
        sockets = [opened.enter_context(socket.socket()) for _ in range(count)]
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in sockets]


def _start_munge(folder: Path, daemons: ExitStack) -> None:
    (folder / "state").mkdir()
    key = folder / "munge.key"
    key.write_bytes(os.urandom(128))
    key.chmod(0o600)
    files = [
        word
        for name, suffix in (("socket", "socket"), ("pid-file", "pid"), ("log-file", "log"))
        for word in (f"--{name}", folder / f"munge.{suffix}")
    ]
    seed = ["--seed-file", folder / "munge.seed"]
    _start(folder, daemons, "munged", "--foreground", "--force", "--key-file", key, *files, *seed)
    until = time.monotonic() + PATIENCE
    while not (folder / "munge.socket").exists():
        assert time.monotonic() < until, (folder / "daemons.log").read_text()
        time.sleep(0.02)


def _start(folder: Path, daemons: ExitStack, *command: str | Path) -> None:
    """Start a daemon, which ends when the stack is left."""
    with (folder / "daemons.log").open("a") as log:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
    daemons.callback(_end, process)


def _end(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _wait_until_idle(folder: Path, variables: dict[str, str]) -> None:
    sinfo = ["sinfo", "--noheader", "--Node", "--format", "%t"]
    until = time.monotonic() + PATIENCE
    while True:
        environment = {**os.environ, **variables}
        said = subprocess.run(sinfo, env=environment, capture_output=True, text=True, check=False)
        if said.stdout.split() == ["idle"] * len(NODES):
            return
        assert time.monotonic() < until, (folder / "daemons.log").read_text()
        time.sleep(0.1)
