"""The calls of the programs in ``parallel/`` really run beside each other.

Every call of ``napping_work`` records when it ran. Counted is how many ran at one time, which does
not depend on how fast the machine is, as the calls sleep: longer, where others keep it busy.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from program_case import Case, read_cases, run_cord, run_plain
from spans import alone, lay_out, most_at_once, read_spans

from sampling import sample

HERE = Path(__file__).parent
CASES = read_cases(HERE / "parallel")
REPLICAS = 4
NAPS = (0.03, 0.1, 0.3)  # seconds
PLAN = f"""\
[remote.work]
replicas = {REPLICAS}
callstyle = "async"
repeatable = true
"""


@pytest.mark.parametrize("case", sample(CASES, 4, of="overlap"), ids=lambda case: case.name)
def test_calls_overlap(case: Case, tmp_path: Path) -> None:
    program, environment = lay_out(case, tmp_path / "plain", PLAN, nap=0.0)
    plain = run_plain(case, program, environment)
    asked_for = len(read_spans(tmp_path / "plain" / "spans"))
    for nap in NAPS:
        program, environment = lay_out(case, tmp_path / f"cord-{nap}", PLAN, nap=nap)
        cord = run_cord(case, program, environment)
        spans = read_spans(tmp_path / f"cord-{nap}" / "spans")

        assert (cord.stdout, cord.code, cord.stderr) == (plain.stdout, plain.code, plain.stderr)
        assert len(spans) >= asked_for
        if do_overlap(spans, case):
            return
    assert most_at_once(spans) >= int(case.options["overlap"]), case.about
    assert alone(spans) <= len(spans) // 2, f"most calls ran alone ({case.about})"


def do_overlap(spans: list[tuple[float, float]], case: Case) -> bool:
    """Whether as many calls ran at once as the case says, and few of them alone."""
    enough = most_at_once(spans) >= int(case.options["overlap"])
    return enough and alone(spans) <= len(spans) // 2


def test_a_long_call_keeps_no_replica_idle(tmp_path: Path) -> None:
    files = {"main.py": "import work\n\nfor i in range(40):\n    work.nap_long(1 if i else 200)\n"}
    case = Case("long", "The program waits for its first call, the others run.", {}, files)
    program, environment = lay_out(case, tmp_path, PLAN, nap=0.01)
    run_cord(case, program, environment)
    long, *short = sorted(read_spans(tmp_path / "spans"), key=lambda span: span[0] - span[1])
    assert len([start for start, _ in short if start < long[1]]) == 39
