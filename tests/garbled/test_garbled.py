"""A moment of what `make fuzz` does for longer."""

from __future__ import annotations

from garbled import fuzz


def test_garbled_texts_and_pickles_do_no_harm() -> None:
    assert fuzz(5.0, 1) > 0
