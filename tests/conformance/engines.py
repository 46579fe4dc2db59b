"""The engines that the suite is run on: what of a plan names each, and what must run for it."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import hq_cluster
import slurm_cluster

NAMES = ("local", "command", "ssh", "mpi", "slurm", "hq", "ray", "dask", "kubernetes")
QUICK = ("local", "command")
BIN = str(Path(sys.executable).parent)
TWO_AGENTS = "sh -c '{agent} & {agent} & wait'"
# What ssh does where a host is this machine.
SSH = """\
#!/bin/sh
while [ "$1" != "--" ]; do shift; done
shift 2
exec sh -c "$*"
"""
# The stand-in's pods are processes of this machine.
KUBECTL = Path(__file__).resolve().parents[1] / "nodes" / "beside" / "kubectl.py"
RAY = """\
import ray, sys
ray.init("local", num_cpus=4, include_dashboard=False)
print(ray.get_runtime_context().gcs_address, flush=True)
sys.stdin.read()
"""
DASK = """\
import sys
from distributed import LocalCluster
if __name__ == "__main__":
    with LocalCluster(n_workers=2, threads_per_worker=2, dashboard_address=None) as cluster:
        print(cluster.scheduler_address, flush=True)
        sys.stdin.read()
"""


@dataclass(frozen=True)
class Engine:
    """An engine under test.

    Attributes:
        name: What the tests call it.
        table: The plan's `[engine]`; empty for the local one.
        environment: What programs find in their environment besides.
    """

    name: str
    table: dict[str, object] = field(default_factory=dict)
    environment: dict[str, str] = field(default_factory=dict)

    @property
    def settings(self) -> list[str]:
        """The words of a command line that lay the table over a plan."""
        pairs = [f"engine.{key}={json.dumps(value)}" for key, value in self.table.items()]
        return [word for pair in pairs for word in ("--set", pair)]


def chosen(option: str | None) -> list[str]:
    """The engines that the suite is run on, for what `--engine` says."""
    if not option:
        return list(QUICK)
    return list(NAMES) if option == "all" else option.split(",")


def lacks(name: str) -> str | None:
    """What is missing for an engine; None where nothing is."""
    if name in ("ray", "dask"):
        library = {"ray": "ray", "dask": "distributed"}[name]
        if importlib.util.find_spec(library) is None:
            return f"{library} is not installed: make test-engines"
    if name == "mpi" and shutil.which("mpiexec", path=_path()) is None:
        return "there is no mpiexec: make test-engines"
    if name == "slurm":
        return slurm_cluster.lacks()
    if name == "hq":
        return hq_cluster.lacks()
    return None


@contextmanager
def started(name: str, folder: Path) -> Iterator[Engine]:
    """An engine that is ready for programs.

    Args:
        name: One of `NAMES`, or the path of a TOML file with an `[engine]` table.
        folder: For what it needs.
    """
    if name == "local":
        yield Engine(name)
    elif name == "command":
        yield Engine(name, {"kind": name, "nodes": 2, "launch": TWO_AGENTS})
    elif name == "ssh":
        ssh = folder / "ssh"
        ssh.write_text(SSH)
        ssh.chmod(0o755)
        path = f"{folder}{os.pathsep}{os.environ['PATH']}"
        yield Engine(name, {"kind": name, "hosts": ["one", "two"]}, {"PATH": path})
    elif name == "mpi":
        yield Engine(name, {"kind": name, "nodes": 2}, {"PATH": _path()})
    elif name == "slurm":
        with slurm_cluster.cluster(folder) as found, slurm_cluster.allocated(found) as job:
            yield Engine(name, {"kind": name, "nodes": 2}, job)
    elif name == "hq":
        with hq_cluster.cluster(folder) as variables:
            yield Engine(name, {"kind": name, "nodes": 2}, variables)
    elif name == "kubernetes":
        kubectl = folder / "kubectl"
        kubectl.write_text(f'#!/bin/sh\nexec {sys.executable} {KUBECTL} "$@"\n')
        kubectl.chmod(0o755)
        (folder / "pods").mkdir()
        path = f"{folder}{os.pathsep}{os.environ['PATH']}"
        table = {"kind": name, "nodes": 2, "image": "here", "python": sys.executable}
        yield Engine(name, table, {"PATH": path, "PODS": str(folder / "pods")})
    elif name in ("ray", "dask"):
        with _cluster(RAY if name == "ray" else DASK, folder / "cluster.py") as address:
            yield Engine(name, {"kind": name, "nodes": 2, "address": address})
    else:
        with Path(name).open("rb") as file:
            yield Engine(Path(name).stem, tomllib.load(file)["engine"])


@contextmanager
def _cluster(text: str, script: Path) -> Iterator[str]:
    """A cluster that is there before programs are; gives its address."""
    script.write_text(text)
    # Ray's token would be that of the user who starts it
    quiet = {"RAY_AUTH_MODE": "disabled", "RAY_USAGE_STATS_ENABLED": "0"}
    process = subprocess.Popen(
        [sys.executable, script],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, **quiet},
        text=True,
    )
    with process:
        assert process.stdin is not None and process.stdout is not None
        os.environ.update(quiet)
        yield process.stdout.readline().strip()
        process.stdin.close()


def _path() -> str:
    return f"{BIN}{os.pathsep}{os.environ['PATH']}"
