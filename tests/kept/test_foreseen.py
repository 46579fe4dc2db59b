"""What questions were answered is kept from run to run, that of the last run first."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from cord.kept import Kept
from cord.runtime.client.foreseen import _MOST, Foreseen


class Session:
    """One whose copies find these answers."""

    def __init__(self, answers: dict[int, int], notes: dict[bytes, bytes] | None = None) -> None:
        self.answers = answers
        self.made = notes or {}
        self.known: dict[int, int] = {}
        self.known_notes: dict[bytes, bytes] = {}

    @property
    def notes(self) -> dict[bytes, bytes]:
        return {**self.known_notes, **self.made}

    def foresee(self, known: dict[int, int], notes: dict[bytes, bytes]) -> None:
        self.known, self.known_notes = known, notes


def ran(kept: Kept | None, answers: dict[int, int]) -> dict[int, int]:
    session: Any = Session(answers)
    foreseen = Foreseen(kept)
    foreseen.tell(session)
    foreseen.keep()
    known: dict[int, int] = session.known
    return known


@pytest.fixture
def kept(tmp_path: Path) -> Kept:
    (tmp_path / "main.py").touch()
    return Kept(str(tmp_path / "main.py"))


def test_a_run_is_told_what_others_found(kept: Kept) -> None:
    assert ran(kept, {1: 0, 2: 1}) == {}
    assert ran(kept, {2: 2, 3: 0}) == {1: 0, 2: 1}
    assert ran(kept, {}) == {1: 0, 2: 2, 3: 0}
    assert ran(None, {1: 1}) == {}


def test_what_is_not_new_is_not_written(kept: Kept) -> None:
    ran(kept, {1: 0})
    kept._grew = False
    ran(kept, {1: 0})
    assert not kept._grew


def test_there_are_not_too_many(kept: Kept) -> None:
    ran(kept, dict.fromkeys(range(_MOST), 0))
    ran(kept, {_MOST: 1})
    known = ran(kept, {})
    assert len(known) == _MOST and known[_MOST] == 1


def test_what_copies_have_made_is_kept(kept: Kept) -> None:
    for notes in ({b"a": b"1"}, {b"b": b"2"}, {}):
        session: Any = Session({}, notes)
        foreseen = Foreseen(kept)
        foreseen.tell(session)
        foreseen.keep()
    assert session.known_notes == {b"a": b"1", b"b": b"2"}
