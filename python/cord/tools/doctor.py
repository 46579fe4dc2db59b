"""`cord doctor`: what this machine lets Cord do, and what that means for programs."""

from __future__ import annotations

import json
import os
import resource
import shutil
import sys
import tempfile
from importlib.util import find_spec
from typing import TYPE_CHECKING, NamedTuple

from cord import _core
from cord.tools.colours import show

if TYPE_CHECKING:
    from collections.abc import Callable

WIDTH = 16
# A load of so much of the cores leaves little for replicas.
BUSY = 0.7
# Less memory than this is soon used up by replicas.
LITTLE = 1 << 30
# Fewer processes or open files than these are soon used up.
FEW_PROCESSES = 64
FEW_FILES = 256
# What Cord itself imports, besides the library.
NEEDED = ("cloudpickle", "rich")
# What starts replicas on other machines: by the kind of engine, a command or a library, and the
# extra that installs it.
ENGINES = (
    ("ssh", "ssh", ""),
    ("slurm", "srun", ""),
    ("mpi", "mpiexec", ""),
    ("ray", "ray", "cord-run[ray]"),
    ("dask", "distributed", "cord-run[dask]"),
)


class Finding(NamedTuple):
    """What was found of one thing.

    Attributes:
        about: What it is about, in a word or two.
        text: What was found, and what it means.
        holds_up: Whether it holds Cord up.
        is_needed: Whether nothing can be run without it.
    """

    about: str
    text: str
    holds_up: bool = False
    is_needed: bool = False


def examine(*, as_data: bool = False) -> int:
    """Look at everything, and print what was found.

    Args:
        as_data: Whether to print JSON instead of lines.

    Returns:
        The exit code: 0 if programs can be run.
    """
    findings = [look() for look in LOOKS]
    works = not any(one.holds_up and one.is_needed for one in findings)
    if as_data:
        data = {"works": works, "findings": [one._asdict() for one in findings]}
        print(json.dumps(data, indent=2))
    else:
        show(f"{'!' if one.holds_up else ' '} {one.about:<{WIDTH}} {one.text}" for one in findings)
    return 0 if works else 1


def _python() -> Finding:
    version = ".".join(map(str, sys.version_info[:3]))
    name = sys.implementation.name
    found = f"{version} ({name}, {sys.executable})"
    return Finding("Python", f"{found}; replicas run the same")


def _libraries() -> Finding:
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        what = f"{' and '.join(missing)} cannot be imported, which some calls and commands need"
        return Finding("libraries", f"{what}: pip install {' '.join(missing)}", True)
    return Finding("libraries", f"{' and '.join(NEEDED)} are there: all that Cord itself needs")


def _cores() -> Finding:
    allowed, _, _ = _core.means()
    there = os.cpu_count() or 1
    by_affinity = len(os.sched_getaffinity(0))
    limits = []
    if by_affinity < there:
        limits.append(f"the affinity allows {by_affinity} of {there}")
    if allowed < by_affinity:
        limits.append(f"the control group allows the time of {allowed}")
    found = f"{allowed} may be used" + (f" ({', '.join(limits)})" if limits else "")
    if allowed < 2:
        return Finding(
            "cores", f"{found}: only calls that wait gain, and there are no copies", True
        )
    return Finding("cores", f"{found}: as many replicas can compute at one time")


def _load() -> Finding:
    allowed, _, _ = _core.means()
    load = os.getloadavg()[0]
    found = f"{load:.1f} in the last minute"
    if load > BUSY * allowed:
        return Finding(
            "load", f"{found}, on {allowed} cores: others use them, so less is gained", True
        )
    return Finding("load", f"{found}: the cores are free")


def _memory() -> Finding:
    _, left, most = _core.means()
    if left is None:
        return Finding("memory", "the system does not say how much is left", True)
    found = f"{_size(left)} left"
    if most is not None:
        found += f" (the control group may have {_size(most)})"
    if left < LITTLE:
        return Finding("memory", f"{found}: replicas, each a process, may not have enough", True)
    return Finding("memory", f"{found}; each replica is a process with the program's modules")


def _limits() -> Finding:
    files = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    told = [limit for limit in (_most_processes(), _group_limit()) if limit is not None]
    processes = min(told) if told else None
    many = "any number of" if processes is None else str(processes)
    found = f"{many} processes, {'any number of' if files < 0 else files} open files"
    if (processes is not None and processes < FEW_PROCESSES) or 0 <= files < FEW_FILES:
        return Finding("limits", f"{found}: few replicas can be started (ulimit, pids.max)", True)
    return Finding("limits", f"{found}: enough, as each replica takes one and a few")


def _most_processes() -> int | None:
    """How many processes this user may have; None for any number."""
    most = resource.getrlimit(resource.RLIMIT_NPROC)[0]
    return None if most < 0 or os.geteuid() == 0 else most


def _group_limit() -> int | None:
    """How many processes the control group may have; None if it does not say."""
    try:
        with open("/proc/self/cgroup") as file:
            inside = next((line[3:].strip() for line in file if line.startswith("0::")), "/")
    except OSError:
        return None
    for folder in (f"/sys/fs/cgroup{inside}", "/sys/fs/cgroup", "/sys/fs/cgroup/pids"):
        try:
            with open(os.path.join(folder, "pids.max")) as file:
                text = file.read().strip()
        except OSError:
            continue
        return int(text) if text.isdecimal() else None
    return None


def _shared_memory() -> Finding:
    about = "shared memory"
    try:
        os.close(os.memfd_create("cord-doctor"))
    except OSError as error:
        why = f"memfd_create: {error.strerror}; nothing can be sent to replicas"
        return Finding(about, why, True, True)
    return Finding(
        about, "works (memfd): calls and large arguments go through it; /dev/shm is not used"
    )


def _written_pages() -> Finding:
    if _core.writes_are_told():
        return Finding(
            "written pages", "told (userfaultfd): arguments that replicas keep are cheap"
        )
    text = "not told (userfaultfd): large arguments that replicas keep are compared at each call"
    return Finding("written pages", text, True)


def _copies() -> Finding:
    refused, took = _core.try_copy()
    if refused is not None:
        return Finding("copies", f"none can be made, for {refused}: only scouts run ahead", True)
    return Finding("copies", f"can be made (seccomp, {took * 1000:.1f} ms)")


def _cache() -> Finding:
    about = "kept from runs"
    if sys.dont_write_bytecode:
        text = "nothing, for PYTHONDONTWRITEBYTECODE is set: each run translates the program again"
        return Finding(about, text, True)
    folder = sys.pycache_prefix or os.getcwd()
    try:
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        text = f"nothing in {folder} ({error.strerror}): each run translates the program again"
        return Finding(about, text, True)
    return Finding(about, "translations, beside Python's bytecode: the second run starts sooner")


def _engines() -> Finding:
    there, lacking = ["local"], []
    for kind, needed, extra in ENGINES:
        if shutil.which(needed) if not extra else find_spec(needed):
            there.append(kind)
        else:
            lacking.append(f"{kind} ({extra})" if extra else kind)
    found = f"{', '.join(there)}: what [engine] may name as kind"
    return Finding("engines", f"{found}; not here: {', '.join(lacking)}" if lacking else found)


def _size(count: int) -> str:
    for unit, size in (("GiB", 1 << 30), ("MiB", 1 << 20)):
        if count >= size:
            return f"{count / size:.1f} {unit}"
    return f"{count >> 10} KiB"


LOOKS: tuple[Callable[[], Finding], ...] = (
    _python,
    _libraries,
    _cores,
    _load,
    _memory,
    _limits,
    _shared_memory,
    _written_pages,
    _copies,
    _cache,
    _engines,
)
