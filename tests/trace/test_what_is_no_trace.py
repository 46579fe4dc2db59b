"""`cord report` says of what it cannot read that it cannot, and why."""

from __future__ import annotations

from pathlib import Path

import pytest
from traced import cord


@pytest.mark.parametrize("content", [b"", b"print(1)\n", b"cordtrc\x63"])
def test_what_is_no_trace(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "other").write_bytes(content)
    done = cord(tmp_path, "report", "other")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("cord: other cannot be read as a trace: ")


def test_a_trace_that_is_not_there(tmp_path: Path) -> None:
    done = cord(tmp_path, "report", "nothing")
    assert done.returncode == 2
    said = "cord: the trace nothing cannot be read: No such file or directory\n\n"
    assert done.stderr == f"{said}hint: cord run --trace nothing PROGRAM writes it\n"
