"""Which functions a run without a plan has found to be worth being remote, for the next one."""

from __future__ import annotations

import os

from cord.kept import Kept

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from cord.plan.program import Program
    from cord.tools.unplanned.choice import Taken

    Stamp = tuple[str, int, int]

_QUESTION = ("functions",)
_FORM = 1  # of the answer


def recall(kept: Kept) -> dict[str, tuple[bool, bool]]:
    """Those functions, by their full names; none if a file of the project has changed since.

    Returns:
        For each, whether it waits, and whether its own module's calls count.
    """
    if _QUESTION not in kept:
        return {}
    functions, stamps = kept[_QUESTION]
    is_so = all(_stamp(stamp[0]) == stamp for stamp in stamps)
    return {name: (waits, inside) for name, waits, inside in functions} if is_so else {}


def remember(kept: Kept, chosen: Iterable[Taken], files: Iterable[str]) -> None:
    """Keep them.

    Args:
        kept: Where.
        chosen: The functions.
        files: The files that what is known of them depends on.
    """
    functions = sorted((one.function.full, one.waits, one.function.is_inside) for one in chosen)
    answer = tuple(functions), tuple(_stamp(file) for file in sorted(files))
    if _QUESTION not in kept or kept[_QUESTION] != answer:
        kept[_QUESTION] = answer
        kept.save()


def kept_of(program: Program) -> Kept:
    """What is kept of a program."""
    return Kept(
        program.kept_beside, "found", (_FORM, os.path.abspath(program.path), program.folder)
    )


def _stamp(file: str) -> Stamp:
    try:
        about = os.stat(file)
    except OSError:
        return file, 0, 0
    return file, about.st_size, about.st_mtime_ns
