"""The README's first program: `cord explain` says of it what the page says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cord.cli.main import run_command

PAGE = (Path(__file__).resolve().parents[2] / "README.md").read_text()
FILE = re.compile(r"^```\w+\n(# (\S+\.(?:py|toml))\n.*?)^```$", re.MULTILINE | re.DOTALL)
SHOWN = re.compile(r"^\$ cord explain search\.py\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def test_explain_says_what_the_page_says(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for text, name in FILE.findall(PAGE):
        (tmp_path / name).write_text(text)
    assert run_command(["explain", str(tmp_path / "search.py")]) == 0
    shown = SHOWN.findall(PAGE)
    assert len(shown) == 1
    assert capsys.readouterr().out.startswith(shown[0] + "\n")
