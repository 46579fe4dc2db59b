"""A whole program."""

import os
import sys

from benchmarks.contenders import PLAIN, peers, python
from benchmarks.model import CORD, Claim, Column, Contender, Row
from benchmarks.places import BIN

SECONDS, WHOLE = "seconds", "process"
CORD_WHOLE = "Cord, whole program"
PROGRAM = ("main.py", "--output", os.devnull)
EXAMPLE = "../examples/mandelbrot"

ROW = Row(
    name="mandelbrot",
    title="Mandelbrot set, 200 x 200, one row per call, two replicas",
    notes=(
        "The program is [examples/mandelbrot](../examples/mandelbrot), unchanged. For the time "
        "of the rows alone, its function `draw` is called in a `cord.session` that is already "
        "open. The peers' versions are written by hand, with one task for each row. The whole "
        "time is that of the command, including the start and the end of all processes."
    ),
    columns=(Column("rows, s", SECONDS, 1, ".3f"), Column("whole, s", WHOLE, 1, ".3f")),
    contenders=(
        *peers("plain", "mandelbrot"),
        python("mandelbrot.py", CORD),
        Contender(CORD_WHOLE, (str(BIN / "cord"), "run", *PROGRAM), EXAMPLE, silent=True),
        Contender("plain, whole program", (sys.executable, *PROGRAM), EXAMPLE, silent=True),
        *peers(
            "pool executor loky mpire_pool ray_tasks ray_actors mpi mpi_futures dask_cluster "
            "parsl_htex zmq_sockets",
            "mandelbrot",
        ),
    ),
    claims=(
        Claim(
            "Mandelbrot: speed-up on two cores, without start",
            lambda m: m.of(PLAIN, SECONDS) / m.of(CORD, SECONDS),
            1.9,
            at_most=False,
        ),
        Claim(
            "the same, whole program: time divided by that of the fastest peer",
            lambda m: (
                m.of(CORD_WHOLE, WHOLE)
                / min(m.others(WHOLE, but=(CORD_WHOLE, PLAIN, "plain, whole program")))
            ),
            1.0,
            at_most=True,
        ),
    ),
)
