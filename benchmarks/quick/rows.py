"""What is compared: the path of a call, its start, the program's own code, a server."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass

from benchmarks.model import Contender
from benchmarks.quick.checkout import Checkout
from benchmarks.quick.requests import rate
from benchmarks.running import run
from benchmarks.serve.servers import cord as serving

SECONDS = 60.0  # how long one run may take
ASKED = 2.0  # seconds that a server is asked


@dataclass(frozen=True, slots=True)
class Compared:
    """One row.

    Attributes:
        name: As in the table.
        unit: Of its figure.
        measure: Makes the figure of a build; raises `Failed`.
        scale: What the figure is multiplied by for the table.
        is_rate: Whether more is better.
    """

    name: str
    unit: str
    measure: Callable[[Checkout], float]
    scale: float = 1.0
    is_rate: bool = False


def _program(program: str, figure: str, *variant: str) -> Callable[[Checkout], float]:
    words = (sys.executable, "-m", "cord", "run", *variant, program)

    def measure(checkout: Checkout) -> float:
        contender = Contender("Cord", words, str(checkout.programs))
        return run(contender, None, SECONDS, before=(checkout.python,))[figure]

    return measure


def _first_start(checkout: Checkout) -> float:
    """As on the day of its installation: nothing is kept of an earlier run."""
    shutil.rmtree(checkout.programs / "__pycache__", ignore_errors=True)
    return _start(checkout)


_start = _program("start.py", "seconds")


def _served(checkout: Checkout) -> float:
    with serving(2, before=(checkout.python,)) as (port, _pid):
        rate(port, ASKED / 4)
        return rate(port, ASKED)


ROWS = (
    Compared("null", "µs", _program("null.py", "seconds", "--variant", "sync"), 1e6),
    Compared("kept", "µs", _program("hits.py", "seconds", "--variant", "kept"), 1e6),
    Compared("calls", "1/s", _program("calls.py", "rate"), is_rate=True),
    Compared("busy", "of two cores", _program("busy.py", "efficiency"), is_rate=True),
    Compared("start, first run", "s", _first_start),
    Compared("start, later run", "s", _start),
    Compared("plain", "x", _program("plain.py", "ratio")),
    Compared("serve", "1/s", _served, is_rate=True),
)
