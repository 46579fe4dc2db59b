"""Large arrays there and back."""

from benchmarks.contenders import MPI, RAY, cord, floor, peers
from benchmarks.model import CORD, Claim, Column, Row

ROW = Row(
    name="echo",
    title="Echo of an array of 64 MiB",
    notes=(
        "The bytes of both directions, divided by the time of a call. mpi4py sends buffers, and "
        "receives into memory that it has used before. Ray returns a read-only array. memcpy "
        "copies once in each direction. Cord copies in one direction only: the function returns "
        "its argument, and nobody has written to it, so the same memory comes back."
    ),
    columns=(Column("GB/s", "rate", 1e-9, ".2f"),),
    contenders=(
        floor("copy", name="memcpy in C"),
        cord("echo.py", "sync"),
        *peers(
            "mpi ray_tasks ray_actors zmq_sockets grpc_server pool executor dask_cluster",
            "echo",
            workers=1,
        ),
    ),
    claims=(
        Claim(
            "echo of 64 MiB: rate divided by Ray's",
            lambda m: m.of(CORD, "rate") / max(m.of(name, "rate") for name in RAY),
            3.0,
            at_most=False,
        ),
        Claim(
            "the same, divided by mpi4py's with buffers",
            lambda m: m.of(CORD, "rate") / m.of(MPI, "rate"),
            1.0,
            at_most=False,
        ),
    ),
)
