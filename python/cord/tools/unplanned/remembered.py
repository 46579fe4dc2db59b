"""Which functions a run without a plan has found to be worth being remote, for the next one."""

from __future__ import annotations

import os

from cord.kept import Kept

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from cord.plan.program import Program

    Stamp = tuple[str, int, int]

_QUESTION = ("functions",)


def recall(kept: Kept) -> frozenset[str]:
    """The full names of those functions; none if a file of the project has changed since."""
    if _QUESTION not in kept:
        return frozenset()
    names, stamps = kept[_QUESTION]
    return frozenset(names) if all(_stamp(stamp[0]) == stamp for stamp in stamps) else frozenset()


def remember(kept: Kept, names: Iterable[str], files: Iterable[str]) -> None:
    """Keep them.

    Args:
        kept: Where.
        names: Their full names.
        files: The files that what is known of them depends on.
    """
    answer = sorted(names), tuple(_stamp(file) for file in sorted(files))
    if _QUESTION not in kept or kept[_QUESTION] != answer:
        kept[_QUESTION] = answer
        kept.save()


def kept_of(program: Program) -> Kept:
    """What is kept of a program."""
    return Kept(program.kept_beside, "found", (os.path.abspath(program.path), program.folder))


def _stamp(file: str) -> Stamp:
    try:
        about = os.stat(file)
    except OSError:
        return file, 0, 0
    return file, about.st_size, about.st_mtime_ns
