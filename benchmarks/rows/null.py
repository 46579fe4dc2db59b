"""The time of a call that does nothing."""

from benchmarks.contenders import MPI, cord, floor, peers
from benchmarks.model import CORD, Claim, Column, Row

TWO, ONE = "C socket pair, two cores", "C socket pair, one core"
SERVERS = "pyro rpyc_server grpc_server zmq_sockets"
COLUMNS = (Column("one call, µs", "seconds", 1e6, ",.2f"),)

ROW = Row(
    name="null",
    title="A call that does nothing, one at a time, one replica",
    notes="Client and worker each have a core of their own.",
    columns=COLUMNS,
    contenders=(
        floor("pair", "2", name=TWO),
        cord("null.py", "sync"),
        *peers(
            f"mpi {SERVERS} pool executor mpire_pool ray_actors ray_tasks dask_cluster "
            "parsl_htex mpi_futures",
            "null",
            workers=1,
        ),
    ),
    claims=(
        Claim(
            "null call: time divided by that of a C socket pair's round trip, two cores",
            lambda m: m.of(CORD, "seconds") / m.of(TWO, "seconds"),
            0.2,
            at_most=True,
        ),
        Claim(
            "the same, divided by that of the fastest peer but mpi4py",
            lambda m: m.of(CORD, "seconds") / min(m.others("seconds", but=(MPI, TWO))),
            1.0,
            at_most=True,
        ),
        Claim(
            "the same, divided by mpi4py's",
            lambda m: m.of(CORD, "seconds") / m.of(MPI, "seconds"),
            3.0,
            at_most=True,
        ),
    ),
)

PINNED = Row(
    name="null-pinned",
    title="A call that does nothing, all processes on one core",
    notes="",
    columns=COLUMNS,
    contenders=(
        floor("pair", "1", name=ONE),
        cord("null.py", "sync"),
        *peers(f"{SERVERS} pool executor", "null", workers=1),
    ),
    claims=(
        Claim(
            "null call on one core: time divided by that of a C socket pair's round trip there",
            lambda m: m.of(CORD, "seconds") / m.of(ONE, "seconds"),
            2.0,
            at_most=True,
        ),
    ),
    cores=1,
)
