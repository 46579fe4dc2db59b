"""Which of the systems are there; what is missing is named with Debian's packages."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Need:
    """Something that a program of the lab needs.

    Attributes:
        name: What it is called in tables.
        found: Whether it is there.
        packages: Debian's packages that bring it; none if it is no matter of packages.
        otherwise: What is missing then.
    """

    name: str
    found: Callable[[], bool]
    packages: tuple[str, ...] = ()
    otherwise: str = ""

    def missing(self) -> str | None:
        """Why what needs it is skipped; None if it is there."""
        if _found(self):
            return None
        return self.otherwise or f"{self.name} is not installed ({' '.join(self.packages)})"


@cache
def _found(need: Need) -> bool:
    return need.found()


def _commands(*names: str) -> Callable[[], bool]:
    return lambda: all(shutil.which(name) for name in names)


def _files(*paths: str) -> Callable[[], bool]:
    return lambda: all(Path(path).exists() for path in paths)


def _with_files(commands: Callable[[], bool], *paths: str) -> Callable[[], bool]:
    return lambda: commands() and _files(*paths)()


def _network_permitted() -> bool:
    """Whether network namespaces with a token-bucket filter can be made."""
    if os.geteuid() != 0 or not _commands("ip", "tc", "unshare")():
        return False
    tried = (
        "ip link add cordlabt0 type veth peer name cordlabt1 && "
        "tc qdisc add dev cordlabt0 root tbf rate 10mbit burst 16kb latency 50ms"
    )
    command = ["unshare", "--net", "sh", "-c", tried]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def cpu_group() -> Path | None:
    """The folder of control groups with CPU quotas of the first version, if it can be written."""
    folder = Path("/sys/fs/cgroup/cpu")
    quota = folder / "cpu.cfs_quota_us"
    return folder if os.access(folder, os.W_OK) and (quota.exists() or _has_quota(folder)) else None


def _has_quota(folder: Path) -> bool:
    trial = folder / "cordlab-trial"
    try:
        trial.mkdir(exist_ok=True)
        there = (trial / "cpu.cfs_quota_us").exists()
        trial.rmdir()
    except OSError:
        return False
    return there


COMPILER = Need("a C compiler", _commands("cc", "c++"), ("build-essential",))
MPI = Need(
    "Open MPI", _commands("mpicc.openmpi", "mpirun.openmpi"), ("openmpi-bin", "libopenmpi-dev")
)
PVM = Need("PVM", _files("/usr/lib/pvm3/lib/pvmd", "/usr/include/pvm3.h"), ("pvm", "pvm-dev"))
RPC = Need(
    "ONC RPC",
    _with_files(_commands("rpcgen"), "/usr/include/tirpc/rpc/rpc.h"),
    ("libtirpc-dev", "rpcsvc-proto", "rpcbind"),
)
OMNIORB = Need(
    "omniORB",
    _with_files(_commands("omniidl", "omniNames"), "/usr/include/omniORB4/CORBA.h"),
    ("omniorb", "omniidl", "libomniorb4-dev", "omniorb-nameserver"),
)
JAVA = Need("a JDK", _commands("java", "javac"), ("default-jdk-headless",))
RACKET = Need("Racket", _commands("racket", "raco"), ("racket",))
ERLANG = Need("Erlang", _commands("erl", "erlc"), ("erlang-base",))
AB = Need("ab", _commands("ab"), ("apache2-utils",))
WRK = Need("wrk", _commands("wrk"), ("wrk",))
RAY = Need(
    "Ray",
    lambda: importlib.util.find_spec("ray") is not None,
    otherwise="Ray is not installed (pip install cord-run[ray])",
)
NETWORK = Need(
    "a network of namespaces",
    _network_permitted,
    otherwise="network namespaces with a token-bucket filter need root (ip, tc)",
)
GROUPS = Need(
    "CPU quotas",
    lambda: cpu_group() is not None,
    otherwise="/sys/fs/cgroup/cpu cannot be written: no CPU quotas",
)

INSTALLABLE = (COMPILER, MPI, PVM, RPC, OMNIORB, JAVA, RACKET, ERLANG, AB, WRK)
