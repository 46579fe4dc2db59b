"""Large arrays there and back."""

from benchmarks.contenders import MPI, RAY, cord, floor, peers
from benchmarks.model import CORD, Claim, Column, Row

ROW = Row(
    name="echo",
    title="Echo of an array of 64 MiB",
    notes=(
        "Bytes there and back, in the time of a call. mpi4py sends buffers, and receives into "
        "memory that it has used before. Ray gives back an array that cannot be written to. "
        "memcpy copies there and back once. Cord copies there: what the function gives back is "
        "what it was given, and nobody has written it, so that memory comes back as it is."
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
            "echo of 64 MiB: rate, of Ray's",
            lambda m: m.of(CORD, "rate") / max(m.of(name, "rate") for name in RAY),
            3.0,
            at_most=False,
        ),
        Claim(
            "the same, of mpi4py's with buffers",
            lambda m: m.of(CORD, "rate") / m.of(MPI, "rate"),
            1.0,
            at_most=False,
        ),
    ),
)
