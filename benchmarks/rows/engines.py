"""Cord on engines, beside what their users write by hand for the same work."""

from functools import partial

from benchmarks.contenders import PEERS, chunked, cord, floor, on_open_mpi, peer
from benchmarks.model import CORD, Claim, Column, Contender, Medians, Row

COUNT, FEW, WORKERS = 10_000, 2000, 4
# Chunks that are shared out well, and one for each worker, which costs the least.
SIZES = (50, COUNT // WORKERS)
TCP = {"2": "C over TCP, two cores", "1": "C over TCP, one core"}
RATE = (Column("calls/s", "rate", 1, ",.0f"),)


def _naps(variant: str) -> Contender:
    return cord("naps.py", variant, words=(str(COUNT),))


def _chunked(modules: str) -> tuple[Contender, ...]:
    return tuple(
        chunked(module, size, WORKERS, COUNT) for module in modules.split() for size in SIZES
    )


def _one_by_one(module: str) -> Contender:
    made = peer(module, "naps_in_turn", WORKERS, FEW)
    return Contender(f"{PEERS[module]}, each waited for", made.command)


def _time_of_best(m: Medians) -> float:
    """Cord's time as a part of the best peer's."""
    return max(m.others("rate")) / m.of(CORD, "rate")


def _of(name: str, m: Medians) -> float:
    """Cord's time as a part of another's."""
    return m.of(CORD, "seconds") / m.of(name, "seconds")


def _each(where: str, name: str) -> Claim:
    """Beside a task of this peer for each call."""
    return Claim(
        f"the same on {where}, divided by that of a task for each call",
        lambda m: m.of(PEERS[name], "rate") / m.of(CORD, "rate"),
        1 / 3,
        at_most=True,
    )


def _best(text: str, wanted: float) -> Claim:
    return Claim(f"10,000 calls of 1 ms {text}", _time_of_best, wanted, at_most=True)


RAY = Row(
    name="engine-ray",
    title="10,000 calls of 1 ms of sleep on Ray, four workers",
    notes=(
        "Cord runs on two bundles of two CPU. It is compared with tasks, and with a pool of "
        f"actors, that get 50 calls at a time, or {COUNT // WORKERS:,} for each worker; with a "
        f"task for each call; and with {FEW:,} calls in a loop that waits for each."
    ),
    columns=RATE,
    contenders=(
        _naps("ray"),
        *_chunked("ray_tasks ray_actors"),
        peer("ray_tasks", "naps", WORKERS, COUNT),
        _one_by_one("ray_tasks"),
    ),
    claims=(
        _best("on Ray: time divided by that of the best version by hand", 1.0),
        _each("Ray", "ray_tasks"),
        Claim(
            "the same, divided by that of a loop that waits for each call",
            lambda m: m.of(f"{PEERS['ray_tasks']}, each waited for", "rate") / m.of(CORD, "rate"),
            1 / 3,
            at_most=True,
        ),
    ),
)
DASK = Row(
    name="engine-dask",
    title="10,000 calls of 1 ms of sleep on Dask, four workers",
    notes="Cord runs on two workers with two threads each. The chunks are the same as above.",
    columns=RATE,
    contenders=(
        _naps("dask"),
        *_chunked("dask_cluster"),
        peer("dask_cluster", "naps", WORKERS, COUNT),
    ),
    claims=(
        _best("on Dask: time divided by that of the best version by hand", 1.0),
        _each("Dask", "dask_cluster"),
    ),
)
MPI = Row(
    name="engine-mpi",
    title="10,000 calls of 1 ms of sleep under MPI, four workers",
    notes=(
        "Cord runs on two agents that MPICH's mpiexec starts. `mpi4py.futures` has five ranks and "
        "uses its `chunksize`, on MPICH and on Open MPI with `--oversubscribe`."
    ),
    columns=RATE,
    contenders=(
        _naps("mpi"),
        *_chunked("mpi_futures"),
        *map(on_open_mpi, _chunked("mpi_futures")),
    ),
    claims=(_best("under MPI: time divided by that of mpi4py.futures at its best", 1.1),),
)
AGENT = Row(
    name="agent-null",
    title="A call that does nothing, one at a time, through an agent",
    notes=(
        "The system decides how client, gateway, agent and replica share the cores of this "
        "machine. For comparison, a C program sends one byte there and back over TCP. Between two "
        "cores, a process must be woken at each end, as between two machines. Both ends on one "
        "core are a case that nodes never have."
    ),
    columns=(Column("one call, µs", "seconds", 1e6, ",.2f"),),
    contenders=(
        cord("far_null.py", "agent"),
        *(floor("pair", cores, "tcp", name=name) for cores, name in TCP.items()),
    ),
    claims=tuple(
        Claim(text, partial(_of, name), 1.5, at_most=True)
        for text, name in (
            (
                "null call through an agent: time divided by that of a TCP round trip, two cores",
                TCP["2"],
            ),
            ("the same, divided by that of a TCP round trip on one core", TCP["1"]),
        )
    ),
)
LINK = Row(
    name="agent-link",
    title="8 MiB matrix as an argument of 500 calls, two replicas behind an agent",
    notes=(
        "The bytes that are sent to the agent, counted by a process through which its link goes. "
        "They are compared with one matrix and 500 rows, which is the least possible."
    ),
    columns=(
        Column("MiB sent", "bytes", 2**-20, ",.1f"),
        Column("of the least", "part", 1, ".3f"),
        Column("500 calls, ms", "seconds", 1e3, ",.0f"),
    ),
    contenders=(cord("far_matrix.py", "counted"),),
    claims=(
        Claim(
            "8 MiB matrix in 500 calls through an agent: bytes divided by the least possible",
            lambda m: m.of(CORD, "part"),
            1.05,
            at_most=True,
        ),
    ),
)
ROWS = (RAY, DASK, MPI, AGENT, LINK)
