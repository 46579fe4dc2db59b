"""What a call costs in the dispatcher."""

import math
import sys

from benchmarks.model import CORD, Claim, Column, Contender, Medians, Row

REPLICAS = (1, 4, 16, 64, 256)
OUTSTANDING = (1_000, 10_000, 100_000, 1_000_000)


def _most(medians: Medians, group: str, numbers: tuple[int, ...]) -> float:
    """The largest cost of a call, of that with the smallest number."""
    costs = [medians.of(CORD, f"{group}-{number}") for number in numbers]
    return max(costs) / costs[0]


def _columns(title: str, group: str, numbers: tuple[int, ...]) -> tuple[Column, ...]:
    return tuple(
        Column(f"{number:,} {title}, ns", f"{group}-{number}", 1e9, ",.0f") for number in numbers
    )


ROW = Row(
    name="dispatcher",
    title="Cost of a call in the dispatcher",
    notes=(
        "Measured by `cargo bench`, with simulated replicas: one call is issued, "
        "sent and answered while the others wait. With priorities, each call has a different one."
    ),
    columns=(
        *_columns("replicas", "replicas", REPLICAS),
        *_columns("outstanding", "outstanding", OUTSTANDING),
        *_columns("with priorities", "outstanding-priority", OUTSTANDING),
    ),
    contenders=(Contender(CORD, (sys.executable, "../floors/dispatcher.py")),),
    claims=(
        Claim(
            "dispatcher's cost of a call, 1 to 256 replicas: the most, divided by that with one",
            lambda m: _most(m, "replicas", REPLICAS),
            1.2,
            at_most=True,
        ),
        Claim(
            "the same, 10³ to 10⁶ outstanding: the most, divided by that with 10³",
            lambda m: _most(m, "outstanding", OUTSTANDING),
            1.2,
            at_most=True,
        ),
        Claim(
            "the same with priorities (2 is logarithmic)",
            lambda m: _most(m, "outstanding-priority", OUTSTANDING),
            math.log(OUTSTANDING[-1]) / math.log(OUTSTANDING[0]),
            at_most=True,
        ),
    ),
    seconds=900.0,
    once=True,
)
