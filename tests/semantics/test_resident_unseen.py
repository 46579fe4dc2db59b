"""Programs whose functions change what they are given: with resident arguments as without.

Such calls of pure functions are the program's to make, and it tells so. What replicas keep must
never be seen other than it was at the moment of the call.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from program_case import OWN_LINE, Case, read_cases, run_cord

CASES = read_cases(Path(__file__).parent / "resident" / "cases")


def not_resident(plan: str) -> str:
    """The plan without its lines about resident arguments."""
    return "".join(line for line in plan.splitlines(True) if not line.startswith("resident"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_what_replicas_keep_does_not_show(case: Case, tmp_path: Path) -> None:
    plan = case.files["cord.toml"]
    observed = []
    for name, text in (("kept", plan), ("sent", not_resident(plan))):
        assert ("resident" in text) == (name == "kept")
        folder = tmp_path / name
        case.write(folder)
        (folder / "cord.toml").write_text(text)
        observed.append(run_cord(case, folder))
    kept, sent = observed
    assert kept.stdout == sent.stdout
    assert kept.code == sent.code == 0
    assert OWN_LINE.sub("", kept.stderr) == OWN_LINE.sub("", sent.stderr) == ""
