"""How each contender is started."""

from __future__ import annotations

import sys

from benchmarks.model import CORD, Contender
from benchmarks.places import BIN, BUILD, OPEN_MPI

# Titles of the peers, by their modules.
PEERS = {
    "pool": "multiprocessing.Pool",
    "executor": "ProcessPoolExecutor",
    "loky": "joblib (loky)",
    "mpire_pool": "mpire",
    "ray_tasks": "Ray tasks",
    "ray_actors": "Ray actors",
    "dask_cluster": "Dask distributed",
    "parsl_htex": "Parsl HTEX",
    "mpi": "mpi4py",
    "mpi_futures": "mpi4py.futures",
    "pyro": "Pyro5",
    "rpyc_server": "rpyc",
    "grpc_server": "gRPC",
    "zmq_sockets": "pyzmq",
    "plain": "plain Python",
    "socket_pairs": "bare socket pairs",
}
RAY = (PEERS["ray_tasks"], PEERS["ray_actors"])
DASK, POOL, MPI = PEERS["dask_cluster"], PEERS["pool"], PEERS["mpi"]
PLAIN, PAIRS = PEERS["plain"], PEERS["socket_pairs"]


def cord(
    program: str, variant: str | None = None, name: str = CORD, words: tuple[str, ...] = ()
) -> Contender:
    """A program in `programs/` under `cord run`, with its arguments."""
    choice = () if variant is None else ("--variant", variant)
    return Contender(name, (str(BIN / "cord"), "run", *choice, program, *words))


def python(program: str, name: str = PLAIN) -> Contender:
    """A program in `programs/` in plain Python."""
    return Contender(name, (sys.executable, program))


def peer(module: str, job: str, workers: int = 2, count: int = 0) -> Contender:
    """A job on a peer with so many workers."""
    words = ("-m", "peers", module, job, "--workers", str(workers), "--count", str(count))
    command: tuple[str, ...] = (sys.executable, *words)
    if module in ("mpi", "mpi_futures"):
        command = ("mpiexec", "-n", str(workers + 1), *command)
    return Contender(PEERS[module], command)


def chunked(module: str, size: int, workers: int, count: int) -> Contender:
    """So many naps on a peer that is given them by hand in chunks of a size."""
    named = f"{PEERS[module]}, {size} a chunk"
    one = peer(module, "naps_chunked", workers, count)
    return Contender(named, (*one.command, "--chunk", str(size)))


def on_open_mpi(one: Contender) -> Contender:
    """The same under Open MPI's mpiexec, which has an environment of its own."""
    start = ("env", "OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1")
    _, *words = (str(OPEN_MPI / "python") if w == sys.executable else w for w in one.command)
    command = (*start, str(OPEN_MPI / "mpiexec"), "--oversubscribe", *words)
    return Contender(f"{one.name}, Open MPI", command)


def peers(modules: str, job: str, workers: int = 2, count: int = 0) -> tuple[Contender, ...]:
    """The same of several peers; their names in one text."""
    return tuple(peer(module, job, workers, count) for module in modules.split())


def floor(program: str, *words: str, name: str) -> Contender:
    """A C program of `floors/`."""
    return Contender(name, (str(BUILD / program), *words))
