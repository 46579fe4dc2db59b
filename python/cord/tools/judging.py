"""What `cord check` has against functions that are declared pure, told by `cord run`.

It is found out beside the first run of each version of a program, by a process of low priority
that the zygote forks: a run does not come to its end later for it than by what is still to be done
then, and waits for no longer than `PATIENCE`. That process writes down what it has found, among
what is kept from run to run; a run that has told it, or has seen that there is nothing to tell,
keeps the number with its answers, and later ones tell it when they begin.
"""

from __future__ import annotations

import os
import time
from contextlib import suppress
from importlib.util import source_hash

from cord.engines.local.control import BESIDE
from cord.kept import Kept
from cord.runtime.client.session import identity_of_stderr

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from cord.plan.model import Plan
    from cord.plan.program import Program

PATIENCE = 1.0  # seconds that the end of a run waits
_STEP = 0.002

_TOLD = ("told of check, how many",)
_COUNT = ("count",)
_HASH = 8


class Judgement:
    """What there is to tell in a run.

    Args:
        plan: The plan.
        program: The program.
        kept: Its answers.
        part: Its plan, as part of the names of what is kept.
        version: What is checked: the plan, and the content of every file.
    """

    def __init__(
        self, plan: Plan, program: Program, kept: Kept, part: str, version: tuple[Any, ...]
    ) -> None:
        self._beside = program.kept_beside  # as it is before the program changes its folder
        self._kept = kept
        self._part = bytes.fromhex(part)
        self._version = version
        remote = plan.remote.values()
        is_any_pure = any(
            one.pure or any(own.pure for own in one.functions.values()) for one in remote
        )
        self._is_due = is_any_pure and _TOLD not in kept and kept.is_writable
        self._is_left = False
        self._about = b""
        self._stderr: tuple[int, int] | None = None
        self._words: list[str] = []

    def begin(self, zygote: int, words: list[str]) -> None:
        """Have it found out beside the run, if it is not known; tell it, if an earlier run did so.

        Args:
            zygote: A descriptor of the zygote's control socket.
            words: The arguments with which `cord check` shows it.
        """
        self._stderr = identity_of_stderr()
        self._words = words
        if _TOLD in self._kept:
            self._say(self._kept[_TOLD])
        if not self._is_due:
            return
        self._about = self._part + source_hash(repr(self._version).encode())
        if not self._tell():
            with suppress(OSError):  # the zygote has gone; the first call says so
                os.write(zygote, BESIDE + self._about)

    def end(self) -> None:
        """Tell it when the program has ended, if it is known by then, or will be in a moment."""
        if not self._is_due or not self._kept.is_writable:  # a child that the program has forked
            return
        until = time.monotonic() + PATIENCE
        with suppress(KeyboardInterrupt):  # the program has ended: nothing of it is interrupted
            while self._kept.has_room and self._count() is None and time.monotonic() < until:
                time.sleep(_STEP)
        if not self._is_left:
            self._tell()

    def leave(self, *, at_once: bool) -> None:
        """Leave it to a later run: the last line of stderr is the program's own.

        Args:
            at_once: Not to wait until it is known, either.
        """
        self._is_left = True
        self._is_due = self._is_due and not at_once

    @property
    def may_tell(self) -> bool:
        """Whether a run may say something of itself when it has ended.

        Not where nothing may be kept, as in a child that the program has forked; nor where the last
        line of stderr is the program's own.
        """
        return self._kept.is_writable and not self._is_left and self._is_heard()

    def _is_heard(self) -> bool:
        """Whether stderr is what it was: the program may have put something else in its place."""
        return self._stderr is not None and self._stderr == identity_of_stderr()

    def _count(self) -> int | None:
        found = _kept(self._beside, self._about)
        if _COUNT not in found:
            return None
        count: int = found[_COUNT]
        return count

    def _tell(self) -> bool:
        """Tell it, if it is known; whether it is."""
        count = self._count()
        if count is None:
            return False
        self._is_due = False
        self._kept[_TOLD] = count
        self._say(count)
        return True

    def _say(self, count: int) -> None:
        """Tell how many warnings there are, in a line; nothing if there is none."""
        if count > 0 and self._is_heard():
            from shlex import join

            many = "warning speaks" if count == 1 else "warnings speak"
            line = f"cord: {count} {many} against pure = true; to see: cord check"
            os.write(2, f"{line} {join(self._words)}\n".encode(errors="backslashreplace"))


def judge(plan: Plan, program: Program, about: bytes) -> None:
    """Find out how much `check` has against functions that are declared pure, and write it down.

    Args:
        plan: The plan.
        program: The program.
        about: What `Judgement` has asked for.
    """
    from cord.tools.check import count_against_purity
    from cord.tools.purity import QUICK

    found = _kept(program.kept_beside, about)
    try:
        found[_COUNT] = count_against_purity(plan, program, *QUICK)
    except Exception:  # it is no matter of the program's, and `check` itself will show it
        found[_COUNT] = 0
    found.save()


def _kept(beside: str, about: bytes) -> Kept:
    part = about[:-_HASH].hex()
    return Kept(beside, f"{part}.check", (about,))
