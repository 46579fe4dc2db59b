"""How long it takes until there is something."""

from benchmarks.contenders import DASK, PLAIN, RAY, cord, peers, python
from benchmarks.model import CORD, Claim, Column, Medians, Row


def _beyond(medians: Medians, name: str) -> float:
    return medians.of(name, "seconds") - medians.of(PLAIN, "seconds")


ROW = Row(
    name="start",
    title="From the command to the first result, two replicas",
    notes="Caches are warm. Plain Python runs the same program as Cord.",
    columns=(Column("first result, s", "seconds", 1, ".3f"),),
    contenders=(
        python("start.py"),
        cord("start.py"),
        *peers(
            "executor pool loky mpire_pool ray_tasks ray_actors dask_cluster parsl_htex mpi "
            "mpi_futures",
            "start",
        ),
    ),
    claims=(
        Claim(
            "start: seconds until the first result, beyond those of plain Python",
            lambda m: _beyond(m, CORD),
            0.2,
            at_most=True,
            form=".3f",
        ),
        Claim(
            "the same, divided by Dask's",
            lambda m: _beyond(m, CORD) / _beyond(m, DASK),
            1 / 3,
            at_most=True,
        ),
        Claim(
            "the same seconds, divided by Ray's",
            lambda m: _beyond(m, CORD) / min(_beyond(m, name) for name in RAY),
            0.1,
            at_most=True,
        ),
    ),
)
