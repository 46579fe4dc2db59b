"""Which of the systems work here; what is missing is named with Debian's packages.

A system may be there in part: its commands without its headers, a wrapper without what it wraps. So
each is tried: commands are started, and a program that does nothing is built.
"""

from __future__ import annotations

import importlib.util
import os
import shlex
import shutil
import subprocess
import tempfile
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


_NOTHING = "int main(void) { return 0; }\n"


def _commands(*names: str) -> Callable[[], bool]:
    return lambda: all(shutil.which(name) for name in names)


def _starts(*commands: str) -> Callable[[], bool]:
    """Whether each command line starts, and ends well."""
    return lambda: all(_ends_well(shlex.split(command)) for command in commands)


def _builds(compiler: str, *headers: str, language: str = "c") -> Callable[[], bool]:
    """Whether a program that does nothing can be built and linked with these headers."""
    text = "".join(f"#include <{header}>\n" for header in headers) + _NOTHING

    def found() -> bool:
        with tempfile.TemporaryDirectory() as folder:
            made = [*shlex.split(compiler), "-x", language, "-", "-o", f"{folder}/nothing"]
            return _ends_well(made, text)

    return found


def _all(*parts: Callable[[], bool]) -> Callable[[], bool]:
    return lambda: all(part() for part in parts)


def _ends_well(command: list[str], given: str = "") -> bool:
    if shutil.which(command[0]) is None:
        return False
    try:
        done = subprocess.run(
            command, input=given, text=True, capture_output=True, check=False, timeout=60
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


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


COMPILER = Need(
    "a C compiler", _all(_builds("cc"), _builds("c++", language="c++")), ("build-essential",)
)
MPI = Need(
    "Open MPI",
    _all(_builds("mpicc.openmpi", "mpi.h"), _starts("mpirun.openmpi --version")),
    ("openmpi-bin", "libopenmpi-dev"),
)
PVM = Need(
    "PVM",
    _all(lambda: Path("/usr/lib/pvm3/lib/pvmd").exists(), _builds("cc", "pvm3.h")),
    ("pvm", "pvm-dev"),
)
RPC = Need(
    "ONC RPC",
    _all(_commands("rpcgen"), _builds("cc -I/usr/include/tirpc", "rpc/rpc.h")),
    ("libtirpc-dev", "rpcsvc-proto", "rpcbind"),
)
OMNIORB = Need(
    "omniORB",
    _all(
        _starts("omniidl -V"),
        _commands("omniNames"),
        _builds("c++", "omniORB4/CORBA.h", language="c++"),
    ),
    ("omniorb", "omniidl", "libomniorb4-dev", "omniorb-nameserver"),
)
JAVA = Need("a JDK", _starts("java -version", "javac -version"), ("default-jdk-headless",))
RACKET = Need("Racket", _starts("racket --version", "raco make -h"), ("racket",))
ERLANG = Need(
    "Erlang", _all(_starts("erl -noshell -s init stop"), _commands("erlc")), ("erlang-base",)
)
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
