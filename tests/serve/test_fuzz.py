"""A moment of what `make fuzz` does for longer."""

from __future__ import annotations

from fuzz import fuzz


def test_random_bytes_do_no_harm() -> None:
    assert fuzz(2.0, 1) > 0
