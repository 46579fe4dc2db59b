"""How much of two cores becomes work."""

from benchmarks.contenders import cord, peers, python
from benchmarks.model import CORD, Claim, Column, Row

ROW = Row(
    name="busy",
    title="2,000 calls of 1 ms of work, two replicas",
    notes=(
        "Efficiency is the processor time of the work, divided by the processor time that two "
        "cores have while all calls are made. Time that other programs take from the cores counts "
        "as lost. Two processes that do the same work without calls show what this machine gives."
    ),
    columns=(Column("efficiency", "efficiency", 1, ".3f"),),
    contenders=(
        python("alone.py", name="two processes without calls"),
        cord("busy.py"),
        *peers(
            "pool executor loky mpire_pool ray_tasks ray_actors zmq_sockets mpi mpi_futures "
            "dask_cluster parsl_htex",
            "busy",
            count=2000,
        ),
    ),
    claims=(
        Claim(
            "1 ms of work: efficiency on two cores",
            lambda m: m.of(CORD, "efficiency"),
            0.97,
            at_most=False,
            form=".3f",
        ),
    ),
)
