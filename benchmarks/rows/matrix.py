"""A large argument that comes again."""

from benchmarks.contenders import PLAIN, cord, peers
from benchmarks.model import CORD, Claim, Column, Row

ROW = Row(
    name="matrix",
    title="8 MiB matrix as an argument of 500 calls, two replicas",
    notes=(
        "Each call multiplies a row by the matrix, which is `resident` in Cord. The peers' "
        "versions are tuned by hand: Pool and mpire fork after the matrix was made, executors "
        "give it to their workers when these start, Ray puts it into its store, Dask scatters it, "
        "MPI sends it once to each rank, and joblib maps a file."
    ),
    columns=(Column("500 calls, ms", "seconds", 1e3, ",.0f"),),
    contenders=(
        *peers("plain", "matrix"),
        cord("matrix.py", "resident"),
        *peers("pool executor loky mpire_pool ray_tasks ray_actors mpi dask_cluster", "matrix"),
    ),
    claims=(
        Claim(
            "8 MiB matrix in 500 calls: time divided by that of the best peer by hand",
            lambda m: m.of(CORD, "seconds") / min(m.others("seconds", but=(PLAIN,))),
            1.15,
            at_most=True,
        ),
    ),
)
