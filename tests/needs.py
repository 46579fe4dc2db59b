"""What tests need and some machines lack: where it is missing they are skipped, which says what."""

from __future__ import annotations

import functools
import multiprocessing

import pytest


@functools.cache
def without_locks() -> str | None:
    """Why processes cannot share a lock of ``multiprocessing``; None where they can."""
    try:
        multiprocessing.get_context("fork").Lock()
    except OSError as error:
        return f"no semaphores in /dev/shm, which multiprocessing needs: {error.strerror}"
    return None


# By the names that programs of the corpus say them by.
LACKING = {"locks": without_locks}


def skip_without_what_it_uses(text: str) -> None:
    """Skip the test of a program with a pool of ``multiprocessing``, where there can be none."""
    if "multiprocessing" in text:
        skip_without("locks")


def skip_without(needed: str) -> None:
    """Skip the test that runs where one of these, with spaces between, is missing."""
    for name in needed.split():
        why = LACKING[name]()
        if why is not None:
            pytest.skip(why)
