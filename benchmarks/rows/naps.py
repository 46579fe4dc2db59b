"""Whether many replicas are fed."""

from benchmarks.contenders import PAIRS, cord, floor, peers
from benchmarks.model import CORD, Claim, Column, Row

ROW = Row(
    name="naps",
    title="2,000 calls of 1 ms of sleep, eight replicas",
    notes=(
        "Bare socket pairs carry eight bytes in each direction to forked Python processes that "
        "call the same function; each process has two calls at a time. In the C version, the "
        "processes sleep without Python."
    ),
    columns=(Column("calls/s", "rate", 1, ",.0f"),),
    contenders=(
        floor("naps", "8", "2000", name="bare socket pairs in C"),
        *peers("socket_pairs", "naps", workers=8, count=2000),
        cord("naps.py", "eight", words=("2000",)),
        *peers(
            "pool executor loky mpire_pool ray_actors zmq_sockets dask_cluster",
            "naps",
            workers=8,
            count=2000,
        ),
    ),
    claims=(
        Claim(
            "1 ms of sleep, eight replicas: rate divided by that of bare socket pairs",
            lambda m: m.of(CORD, "rate") / m.of(PAIRS, "rate"),
            0.99,
            at_most=False,
            form=".3f",
        ),
    ),
)
