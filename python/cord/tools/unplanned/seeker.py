"""Looks for functions that are worth being remote while the program runs, and makes them remote."""

from __future__ import annotations

import gc
import os
import sys
from contextlib import contextmanager, suppress
from signal import SIG_BLOCK, pthread_sigmask
from time import monotonic, perf_counter

from cord import _core
from cord.plan.modules import stem_of
from cord.runtime.client.session import identity_of_stderr
from cord.runtime.travel.failures import tell
from cord.tools.run import without_collections
from cord.tools.unplanned import choice, opening, verdicts
from cord.tools.unplanned.remembered import recall, remember
from cord.tools.unplanned.said import line
from cord.tools.unplanned.timing import Timing
from cord.tools.unplanned.watch import Watch, is_own_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType
    from typing import Final

    from cord.kept import Kept
    from cord.plan.model import Plan
    from cord.plan.program import Program
    from cord.tools.explain.told import Report
    from cord.tools.unplanned.choice import Taken
    from cord.tools.unplanned.opening import Opened
    from cord.tools.unplanned.verdicts import Verdicts

# Seconds between two looks: before functions are remote, and after that.
_USUAL: Final = 0.005
_LATER: Final = 0.5
# A look takes one part in so many of the time to the next.
_COST: Final = 50
# So often functions become remote, or that is tried in vain; and seconds after the first time.
_MOST: Final = 16
_FIRST_WAIT: Final = 0.05


class Seeker:
    """Looks for functions that are worth being remote, and makes them remote.

    Args:
        program: The program, as it runs.
        kept: What earlier runs have found out.
        stats: As for `Unplanned`.

    Attributes:
        has_succeeded: Whether the program has come to its end.
    """

    def __init__(self, program: Program, kept: Kept, stats: str | bool | None = None) -> None:
        self.has_succeeded = False
        self._program = program
        self._kept = kept
        self._known: dict[str, tuple[bool, bool]] = {}
        self._stats = stats
        self._watch = Watch(is_own_file)
        self._began = monotonic()
        self._ticks: _core.Ticks | None = None
        self._verdicts: Verdicts | None = None
        self._words: dict[str, str] = {}
        self._remote: list[Taken] = []
        self._next = 0.0
        self._openings = 0
        self._not_before = 0.0
        self._wait = _FIRST_WAIT
        self._opened: Opened | None = None
        self._timing: Timing | None = None
        self._process = os.getpid()
        self._stderr: object = None
        self._blocked: set[int] = set()

    def begin(self) -> None:
        """The program begins."""
        self._known = recall(self._kept)
        self._words.update(dict.fromkeys(self._known, verdicts.MAY))
        self._stderr = identity_of_stderr()
        self._blocked = {int(one) for one in pthread_sigmask(SIG_BLOCK, ())}
        self._ticks = _core.Ticks(self._look, _USUAL)

    def _look(self) -> float | None:
        """Look where the program is, and do what follows from it.

        Returns:
            The seconds to the next look; None for no more.
        """
        began, frame = perf_counter(), sys._getframe().f_back
        if _core.is_copy():
            return None
        if self._timing is not None and not self._timing.has_ended:
            return _USUAL
        self._timing = None
        if _core.is_looked_at():
            return None
        self._watch.look(frame)
        found = self._worth_it()
        may_open = began >= self._not_before and self._openings < _MOST
        if found and may_open and self._are_long(found, frame) and self._are_judged(found):
            self.open(found, frame)
            self._note_opening(found)
        self._look_back()
        return max(_USUAL, _COST * (perf_counter() - began))

    def _note_opening(self, found: list[Taken]) -> None:
        """They are remote now; or it is tried again, after a while that gets longer."""
        self._openings += 1
        if self._opened is None or found[0].function.full not in self._served:
            self._not_before = perf_counter() + self._wait
            self._wait *= 2

    @property
    def _served(self) -> set[str]:
        """The full names of the functions that are remote now."""
        return set() if self._opened is None else {one.function.full for one in self._remote}

    def _look_back(self) -> None:
        """When functions are remote: whether that is of any use."""
        now = perf_counter()
        if self._opened is None or now < self._next:
            return
        self._next = now + _LATER
        opened = self._opened
        if opening.handles_signals() or opened.is_idle() or opened.is_losing():
            opened.give_back()

    def _worth_it(self) -> list[Taken]:
        """The functions that seem to be worth being remote, and may be, as far as is known."""
        if self._known and not self._served:
            seen = [one for one in self._watch.functions if one.full in self._known]
            if seen:
                return [choice.known(one, *self._known[one.full]) for one in seen]
        passed = {name for name, word in self._words.items() if word != verdicts.MAY}
        passed.update(self._served)
        found = choice.candidates(self._watch.stacks, self._watch.total, passed)
        return [one for one in found if choice.lasts(one.function) is not False]

    def _are_long(self, found: list[Taken], frame: FrameType | None) -> bool:
        """Whether it is known that their calls are long enough; else some are timed."""
        short = [
            one.function
            for one in found
            if choice.lasts(one.function) is None and one.function.full not in self._known
        ]
        if short:
            self._timing = Timing(short, frame)
        return not short

    def _are_judged(self, found: list[Taken]) -> bool:
        """Whether it is known of all these what becomes of them; else it is asked for."""
        if self._verdicts is not None:
            come = self._verdicts.come()
            if come is None:
                return False
            self._verdicts = None
            self._words.update(come)
            for one in found:
                self._words.setdefault(one.function.full, verdicts.MAY_NOT)
            return False
        new = [one.function for one in found if one.function.full not in self._words]
        if not new:
            return True
        remote: dict[str, list[str]] = {}
        for function in new:
            remote.setdefault(function.module, []).append(function.name)
        with suppress(OSError), self._paused():
            self._verdicts = verdicts.Verdicts(self._program, remote)
        return False

    @contextmanager
    def _paused(self) -> Iterator[None]:
        """No thread of Cord's meanwhile: a process is forked."""
        if self._ticks is not None:
            self._ticks.end()
        try:
            yield
        finally:
            if self._ticks is not None:
                self._ticks = _core.Ticks(self._look, _USUAL)

    def open(self, found: list[Taken], frame: FrameType | None) -> None:
        """Make functions remote, if this can be done now.

        Args:
            found: Those that may be.
            frame: The innermost frame of the program's.
        """
        with self._paused(), without_collections(gc.isenabled()), suppress(Exception):
            if not opening.is_a_moment(frame) or opening.is_held(frame, found):
                return
            if opening.handles_signals():
                return
            earlier = {}
            if self._opened is not None:
                self._opened.leave()
                earlier = self._opened.session.tallies
                self._opened = None
            if not opening.can_fork():
                return
            fixed = opening.in_the_way([*found, *self._remote])
            self._words.update(dict.fromkeys(fixed, verdicts.HELD))
            free = [one for one in found if one.function.full not in fixed]
            chosen = choice.outermost(self._watch.stacks, free)
            chosen += [one for one in self._remote if one.function.full not in fixed]
            if chosen:
                tree = choice.plan_of(chosen, stem_of(self._program))
                report = self._report if self._stats else None
                self._opened = opening.Opened(self._program, chosen, tree, self._blocked, report)
                self._opened.session.tallies.update(earlier)
                self._remote = chosen

    def _report(self, plan: Plan) -> Report:
        from cord.tools.report.stats import Stats

        file = self._stats if isinstance(self._stats, str) else None
        return Stats(plan, self._program, file, self._began)

    def wait_for_threads(self) -> None:
        """Wait for threads of remote functions that the interpreter's end would wait for."""
        if self._opened is not None:
            self._opened.wait_for_threads()

    def close(self) -> None:
        """The program has ended."""
        if os.getpid() != self._process:
            return
        if self._ticks is not None:
            self._ticks.end()
        if self._verdicts is not None:
            self._verdicts.close()
        if self._opened is not None:
            learnt = self._opened.learnt()
            if self._opened.has_gained:
                remember(self._kept, self._remote, self._opened.files)
                self._words = {}  # of the others nothing is sure: these may have called them
            self._words.update(learnt)
            _core.program_ends()
            self._opened.close()
        if self.has_succeeded and identity_of_stderr() == self._stderr:
            self._say()
        self._forget()
        if self._stats and self._opened is None:
            tell(f"no function of {self._program.name} was found to be worth a replica")

    def _forget(self) -> None:
        """Hold nothing of the program's: its objects come to their ends now."""
        self._watch.forget()
        self._remote.clear()
        self._timing = None

    def _say(self) -> None:
        seconds = monotonic() - self._began
        program, functions = self._program, self._watch.functions
        said = line(program, sys.argv[1:], stem_of(program), seconds, functions, self._words)
        if said:
            tell(said)
