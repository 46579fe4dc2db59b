"""Whatever the program: where no argument depends on a result, the scout foresees every call."""

from __future__ import annotations

import tempfile
import textwrap
from pathlib import Path

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from random_programs import programs
from translator_lab import run

HEAD = "from work import f, g\n"
few = settings(
    max_examples=60,
    phases=[Phase.generate, Phase.shrink],
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
)


@few
@given(programs)
def test_a_scout_of_the_modules_own_code(program: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        lab = run(Path(folder), HEAD + program)
    assert lab.issued == lab.afterwards


@few
@given(programs, st.integers(1, 8))
def test_a_scout_that_starts_anywhere_in_a_function(program: str, start: int) -> None:
    text = f"{HEAD}def main():\n{textwrap.indent(program, '    ')}\nmain()\n"
    with tempfile.TemporaryDirectory() as folder:
        lab = run(Path(folder), text, start=start)
    assert lab.issued == lab.afterwards
