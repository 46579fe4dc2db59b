"""What is kept depends on the files of Cord that make it."""

from __future__ import annotations

from pathlib import Path

import pytest

import cord
from cord import kept

FOLDER = Path(cord.__file__).parent


@pytest.mark.parametrize(
    "name",
    ["kept.py", "plan/read.py", "source/names.py", "translate/lower/lower.py", "effects/flow.py"],
)
def test_it_is_among_what_answers_depend_on(name: str) -> None:
    known = {entry[0] for entry in kept._cord()[1:]}
    assert (FOLDER / name).is_file()
    assert Path(name).name in known


def test_a_change_in_a_room_is_seen(tmp_path: Path) -> None:
    (tmp_path / "room").mkdir()
    (tmp_path / "room" / "one.py").write_text("1")
    known: list[tuple[str, int, int]] = []
    (room,) = kept._look(str(tmp_path), known)
    assert known == []
    assert kept._look(room, known) == []
    assert [entry[:2] for entry in known] == [("one.py", 1)]
