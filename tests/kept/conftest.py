"""What the tests of kept results share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from kept_lab import Program


@pytest.fixture
def program(tmp_path: Path) -> Callable[..., Program]:
    """``program(main=..., work=..., plan=...)``: a program of these files."""

    def make(**files: str) -> Program:
        folder = tmp_path / "program"
        folder.mkdir()
        made = Program(folder)
        made.write(**files)
        return made

    return make
