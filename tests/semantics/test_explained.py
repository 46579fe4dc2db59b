"""``cord explain --source`` and ``cord check`` have an answer for every program of ``cases/``."""

from __future__ import annotations

from pathlib import Path

import pytest
from program_case import Case, read_cases

from cord.cli.main import run_command
from sampling import sample

CASES = read_cases(Path(__file__).parent / "cases")


@pytest.mark.parametrize("case", sample(CASES, 8, of="explained"), ids=lambda case: case.name)
def test_explained(
    case: Case,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    case.write(tmp_path)
    monkeypatch.chdir(tmp_path)
    assert run_command(["explain", "--source", "main.py"]) == 0
    assert run_command(["check", "main.py"]) == 0
    assert "Traceback" not in capsys.readouterr().err
