"""The calls of the programs in ``parallel/`` run beside each other, though no slice sees them.

Judged as in ``tests/semantics/test_overlap.py``: by how many calls ran at one time.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from program_case import Case, read_cases, run_cord, run_plain, run_script
from spans import lay_out, most_at_once, read_spans

HERE = Path(__file__).parent
CASES = read_cases(HERE / "parallel")
PLANNED = [str(HERE / "told_run.py"), "planned"]
PLAN = """\
[remote.work]
replicas = 8
callstyle = "async"
pure = true
"""
COPIES = """
[run]
copies = true
"""


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_calls_overlap(case: Case, tmp_path: Path) -> None:
    program, environment = lay_out(case, tmp_path / "cord", PLAN + COPIES, nap=0.03)
    told = tmp_path / "told.json"
    cord = run_script(case, program, [*PLANNED, str(told)], environment)
    spans, about = read_spans(tmp_path / "cord" / "spans"), told.read_text()
    program, environment = lay_out(case, tmp_path / "plain", PLAN, nap=0.0)
    plain = run_plain(case, program, environment)
    asked_for = len(read_spans(tmp_path / "plain" / "spans"))

    assert (cord.stdout, cord.code, cord.stderr) == (plain.stdout, plain.code, plain.stderr)
    assert cord.written == plain.written
    assert most_at_once(spans) >= int(case.options["overlap"]), about
    assert asked_for <= len(spans) <= asked_for * 1.2, about


def test_none_run_ahead_without_the_plan(tmp_path: Path) -> None:
    [case] = [case for case in CASES if case.name == "map_of_a_library"]
    program, environment = lay_out(case, tmp_path, PLAN, nap=0.005)
    run_cord(case, program, environment)
    assert most_at_once(read_spans(tmp_path / "spans")) == 1
