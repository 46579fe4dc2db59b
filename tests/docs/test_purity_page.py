"""The example of docs/purity.md: `cord check` says what the page says."""

from __future__ import annotations

from pathlib import Path

import pytest
from pages import DOCS, read_examples

from cord.cli.main import run_command

[EXAMPLE] = read_examples(DOCS / "purity.md")


def test_check_says_what_the_page_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, text in EXAMPLE.files.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    assert run_command(["check", "main.py"]) == 0
    assert capsys.readouterr().out == EXAMPLE.shown["cord check main.py"]
