"""The example of docs/purity.md: `cord check` says what the page says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cord.cli.main import run_command

PAGE = Path(__file__).resolve().parents[2] / "docs" / "purity.md"
BLOCK = re.compile(r"^```\w+ (\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def test_check_says_what_the_page_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    blocks = dict(BLOCK.findall(PAGE.read_text()))
    for name, text in blocks.items():
        if name.startswith("file="):
            (tmp_path / name.removeprefix("file=")).write_text(text)
    monkeypatch.chdir(tmp_path)
    assert run_command(["check", "main.py"]) == 0
    assert capsys.readouterr().out == blocks["check"]
