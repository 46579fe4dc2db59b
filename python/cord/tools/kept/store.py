"""The folder in which is what is kept of calls, and what is said where it is of no use."""

from __future__ import annotations

import os
import re
from contextlib import contextmanager
from typing import TYPE_CHECKING

from cord.errors import CordError
from cord.plan.problems import did_you_mean, listing

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_ANOTHER = "another folder is named by kept under [run], or --set run.kept=FOLDER"


@contextmanager
def usable(folder: str) -> Iterator[None]:
    """Where a folder is read or changed that is perhaps none, or somebody else's.

    Raises:
        CordError: It cannot be used.
    """
    if os.path.lexists(folder) and not os.path.isdir(folder):
        raise CordError(f"{folder} is not a folder, so no calls are kept in it", _ANOTHER)
    try:
        yield
    except BrokenPipeError:
        raise  # of stdout
    except OSError as exc:
        reason, _, hint = reason_of(exc).partition("; ")
        if hint:
            hint = f"if it is yours, chmod -R go-w {folder}; or name another by kept under [run]"
        raise CordError(f"{folder} cannot be used: {reason}", hint or _ANOTHER) from None


def reason_of(exc: OSError) -> str:
    """What the system says, without numbers and names."""
    return exc.strerror or re.sub(r" \(os error \d+\)$", "", str(exc))


def not_known(function: str, known: Iterable[str], what: str) -> CordError:
    """What is said where a function is named of which there is nothing.

    Args:
        function: As it was named.
        known: The functions of which there is something.
        what: What there is not.
    """
    names = sorted(known)
    if not names:
        return CordError(what, "a run keeps calls of functions with keep = true in the plan")
    short = [name.rpartition(".")[2] for name in names]
    hint = did_you_mean(function, [*names, *short]) or f"there are calls of {listing(names)}"
    return CordError(what, hint)
