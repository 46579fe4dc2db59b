"""Runs that are killed lose nothing: a small part of the campaign of `kills.py`."""

from __future__ import annotations

from pathlib import Path

from keep.kills import campaign


def test_what_was_shown_is_kept(tmp_path: Path) -> None:
    """Also where two runs were killed that shared the store."""
    campaign(tmp_path, 8, 7)
