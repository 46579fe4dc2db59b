"""Whether replicas are fed while the client computes."""

from benchmarks.contenders import cord, peers
from benchmarks.model import CORD, Claim, Column, Row

ROW = Row(
    name="starve",
    title="2,000 calls of 1 ms of sleep, two replicas, while the client computes",
    notes=(
        "After each result, the client computes in pure Python for 0.4 ms. Two replicas give a "
        "result every 0.5 ms, so they need never wait. The rate is compared with that while the "
        "client is idle, and the time of the client's own code with its time without calls. Both "
        "take turns in one process."
    ),
    columns=(
        Column("rate kept", "kept", 1, ".3f"),
        Column("client's time, divided by its time alone", "slowed", 1, ".3f"),
    ),
    contenders=(
        cord("starve.py"),
        *peers("pool executor ray_tasks ray_actors dask_cluster", "starve", count=2000),
    ),
    claims=(
        Claim(
            "1 ms of sleep: rate while the client computes, divided by that while it is idle",
            lambda m: m.of(CORD, "kept"),
            0.97,
            at_most=False,
            form=".3f",
        ),
        Claim(
            "the same: time of the client's own code, divided by that without calls",
            lambda m: m.of(CORD, "slowed"),
            1.03,
            at_most=True,
            form=".3f",
        ),
    ),
)
