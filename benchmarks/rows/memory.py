"""What is taken while nothing is done."""

from benchmarks.contenders import PLAIN, cord, peers, python
from benchmarks.model import CORD, Claim, Column, Row

ROW = Row(
    name="memory",
    title="Memory of all processes while they are idle, two replicas",
    notes="Measured after 100 small calls, as PSS: memory that processes share counts once.",
    columns=(Column("MB", "bytes", 1e-6, ",.1f"),),
    contenders=(
        python("memory.py"),
        cord("memory.py"),
        *peers(
            "executor pool loky mpire_pool ray_tasks ray_actors dask_cluster parsl_htex mpi",
            "memory",
        ),
    ),
    claims=(
        Claim(
            "idle memory of client and two replicas, beyond plain Python's, MB",
            lambda m: (m.of(CORD, "bytes") - m.of(PLAIN, "bytes")) / 1e6,
            60.0,
            at_most=True,
            form=".1f",
        ),
    ),
)
