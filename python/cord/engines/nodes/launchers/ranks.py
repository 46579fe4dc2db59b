"""Agents that are there already: mpiexec or srun has started `cord run` itself, several times.

The first rank runs the program, the others serve it. What starts them gives them no channel but
that of its MPI, which differs from one to the next and needs its library. So the first rank leaves
the address and the key of the run in a file that only its user can read, in the folder that all of
them were started in, whose files nodes must see anyway. It has a name that no other job has, and is
gone again before the program's first line.
"""

from __future__ import annotations

import hashlib
import json
import os
import socket
import stat
import time
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING

from cord.engines.nodes.launchers import KEY, CannotLaunch, Launched, connecting_agent
from cord.engines.nodes.launchers.watching import tell
from cord.errors import CordError

if TYPE_CHECKING:
    from cord.plan.engine_plan import EnginePlan

_KINDS = ("mpi", "slurm")
# The variables that tell a rank and how many there are. Under an mpiexec that srun starts, those of
# srun are about mpiexec's own processes.
_RANKS = (
    ("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"),
    ("PMI_RANK", "PMI_SIZE"),
    ("SLURM_PROCID", "SLURM_STEP_NUM_TASKS"),
)
# Those that name the job, in the words of what has started it.
_JOBS = ("PMIX_NAMESPACE", "PMI_JOBID")
_STEPS = ("SLURM_JOB_ID", "SLURM_STEP_ID")
# What MPICH's mpiexec is asked, in the first version of PMI.
_QUESTIONS = ("init pmi_version=1 pmi_subversion=1", "get_my_kvsname", "finalize")
_PAUSE = 0.05
# Seconds in which MPICH's mpiexec answers.
_PATIENCE = 10.0


def count(plan: EnginePlan) -> int:
    """How many ranks there are; 1 where nothing has started this process as one of several."""
    return _rank_and_size(plan.kind)[1]


def is_above_first(kind: str) -> bool:
    """Whether this process is a rank that another one speaks for.

    Args:
        kind: The engine's.
    """
    return _rank_and_size(kind)[0] > 0


def _rank_and_size(kind: str) -> tuple[int, int]:
    if kind in _KINDS:
        for rank, size in _RANKS:
            if rank in os.environ and size in os.environ and not _is_below_a_rank():
                return int(os.environ[rank]), int(os.environ[size])
    return 0, 1


def _is_below_a_rank() -> bool:
    """Whether the program of a first rank has started this process, which has its variables."""
    process = os.getppid()
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as looks, suppress(FileNotFoundError):
        while process > 0:
            with suppress(ConnectionRefusedError):
                looks.connect(_mark(process))
                return True
            with open(f"/proc/{process}/stat") as status:
                process = int(status.read().rpartition(")")[2].split()[1])
    return False


def _mark(process: int) -> str:
    """The name of a socket that is there as long as the program of a first rank runs there."""
    return f"\0cord-first-rank-{process}"


def hold_mark(process: int) -> socket.socket:
    """Mark a process as one that runs the program of a first rank.

    Returns:
        The mark, which goes when this is closed.
    """
    mark = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    mark.bind(_mark(process))
    return mark


def serve_unless_first(plan: EnginePlan) -> None:
    """Return in the first rank, or where there are none; become an agent in the others.

    Args:
        plan: The engine's.

    Raises:
        CordError: The first rank is not to be found.
    """
    if not is_above_first(plan.kind):
        return
    until = time.monotonic() + plan.wait
    while (found := _read()) is None:
        if time.monotonic() >= until:
            raise CordError(
                f"the first rank has left no word in {os.getcwd()} in {plan.wait:g} s",
                "all ranks must be started in one folder, which all nodes share",
            )
        time.sleep(_PAUSE)
    address, key = found
    command = connecting_agent(plan, address)
    os.execve(command[0], command, {**os.environ, KEY: key})


def launch(plan: EnginePlan, address: str, key: bytes, status: int) -> Launched:
    """Tell the other ranks where the program waits for them.

    Args:
        plan: The engine's.
        address: Where they find the gateway.
        key: What they show it.
        status: Where the client is told how many they are.

    Raises:
        CannotLaunch: That cannot be written.
    """
    launched = Launched()
    others = count(plan) - 1
    path = place()
    draft = f"{path}.new"
    try:
        with suppress(FileNotFoundError):
            os.unlink(draft)
        file = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        with open(file, "w") as text:
            json.dump([address, key.hex()], text)
        os.rename(draft, path)
        launched.held = hold_mark(os.getppid())
    except OSError as error:
        raise CannotLaunch(f"{path} cannot be written for other ranks: {error.strerror}") from None
    launched.files.append(path)
    tell(status, "expect", str(others))
    os.close(status)
    return launched


def take_back() -> None:
    """Nobody else is to come: what was left is taken away."""
    with suppress(OSError):
        os.unlink(place())


def _read() -> tuple[str, str] | None:
    folder, name = os.path.split(place())
    if name not in os.listdir(folder):  # this has a network's file system look again
        return None
    try:
        file = os.open(place(), os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError:
        return None
    with open(file) as text:
        status = os.fstat(file)
        if status.st_uid != os.geteuid() or stat.S_IMODE(status.st_mode) & 0o077:
            raise CordError(f"{place()} is not this user's alone")
        address, key = json.load(text)
    return address, key


@cache
def place() -> str:
    """The file by which ranks find one another."""
    name = hashlib.sha256(_job().encode()).hexdigest()[:16]
    return os.path.join(os.getcwd(), f".cord-{name}")


def _job() -> str:
    for name in _JOBS:
        if name in os.environ:
            return os.environ[name]
    if "PMI_FD" in os.environ:
        return _ask(int(os.environ["PMI_FD"]))
    if all(name in os.environ for name in _STEPS):
        return ".".join(os.environ[name] for name in _STEPS)
    raise CordError("what has started these ranks does not say which job they are")


def _ask(descriptor: int) -> str:
    """The name that MPICH's mpiexec has for a job."""
    answers = []
    with socket.socket(fileno=os.dup(descriptor)) as manager:
        manager.settimeout(_PATIENCE)
        try:
            with manager.makefile("rw") as lines:
                for question in _QUESTIONS:
                    lines.write(f"cmd={question}\n")
                    lines.flush()
                    answers.append(lines.readline().rstrip())
        except OSError as error:
            raise CordError(f"mpiexec does not say which job this is: {error}") from None
        finally:
            manager.setblocking(True)  # whoever else has the descriptor expects that
    return answers[1]
