"""The rate of calls that do next to nothing."""

from benchmarks.contenders import MPI, POOL, RAY, cord, peers
from benchmarks.model import CORD, Claim, Column, Row

MANY, SOME, FEW = 100_000, 20_000, 2000

ROW = Row(
    name="calls",
    title="Calls of `inc(x)` in a plain loop, two replicas, results in order",
    notes=(
        f"{MANY:,} calls. Systems for which this would take minutes make fewer: Pool, executors, "
        f"mpire and gRPC make {SOME:,}, and Ray, Dask and Parsl {FEW:,}. There is one task for "
        "each call; only joblib groups them automatically, as Cord does."
    ),
    shown=True,
    columns=(Column("calls/s", "rate", 1, ",.0f"),),
    contenders=(
        cord("calls.py"),
        *peers("mpi zmq_sockets loky", "calls", count=MANY),
        *peers("pool executor mpire_pool mpi_futures grpc_server", "calls", count=SOME),
        *peers("ray_tasks ray_actors dask_cluster parsl_htex", "calls", count=FEW),
    ),
    claims=(
        Claim(
            "100,000 small calls: rate divided by mpi4py's",
            lambda m: m.of(CORD, "rate") / m.of(MPI, "rate"),
            1.0,
            at_most=False,
        ),
        Claim(
            "the same, divided by multiprocessing.Pool's without chunks",
            lambda m: m.of(CORD, "rate") / m.of(POOL, "rate"),
            8.0,
            at_most=False,
            form=".1f",
        ),
        Claim(
            "the same rate, divided by Ray's",
            lambda m: m.of(CORD, "rate") / max(m.of(name, "rate") for name in RAY),
            80.0,
            at_most=False,
            form=".1f",
        ),
    ),
)
