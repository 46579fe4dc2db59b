"""A session: the replicas of one run, and the remote functions that lead to them."""

from __future__ import annotations

import os
import sys
from _weakref import ref
from contextlib import contextmanager
from types import ModuleType

from cord import _core
from cord.plan.words import LAYER, MAX_AT_ONCE
from cord.runtime.client import modules
from cord.runtime.client.facade import has_facade, is_own_function
from cord.runtime.client.manners import Manners
from cord.runtime.client.remotes import make_remote, remote_function
from cord.runtime.objects.sources import serve, served
from cord.runtime.travel import loaded, within

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import Any

    from cord.plan.model import Plan, RemotePlan
    from cord.runtime.client.inlined import Inlined
    from cord.runtime.client.tended import Tended

    Tally = tuple[int, int, int, int, int, int]
    Sums = tuple[int, int, int, int, int, int]


class Session:
    """Ties remote modules, once the client has imported them, to their replicas.

    Args:
        plan: The plan.
        control: File descriptor of the control socket of the process that starts replicas;
            the session takes it over.
        had: How many replicas of a module there were calls for at once in an earlier run.
        trace: Where the run is written down, if it is.

    Attributes:
        had: The same of this run, once it has ended; empty if it has lost replicas: how long calls
            took, and who made them, is then no guide to another run.
    """

    def __init__(
        self,
        plan: Plan,
        control: int,
        had: Mapping[str, int] | None = None,
        trace: _core.Trace | None = None,
    ) -> None:
        self.plan = plan
        self.had: dict[str, int] = {}
        self._stderr = identity_of_stderr()
        self._manners = {
            remote.module: Manners(remote, plan.audit) for remote in plan.remote.values()
        }
        is_far = not plan.engine.is_local
        if is_far:
            from cord.runtime.travel.losses import replicas_are_far

            replicas_are_far()
        served_modules = [
            manners.module(_at_start(manners.plan, had or {}), is_far=is_far)
            for manners in self._manners.values()
        ]
        self._native = _core.Session(served_modules, control, is_far, trace)
        self._keeping = None
        if any(one.keeps_any for one in plan.remote.values()):
            from cord.runtime.client.kept import Keeping  # few plans want it

            self._keeping = Keeping(plan, self._native)
        self._index = {remote.module: index for index, remote in enumerate(plan.remote.values())}
        self._program = next((one for one in plan.remote.values() if one.is_program), None)
        if self._program is not None:  # nothing imports it
            self._native.load(self._index[self._program.module], self._native.world(), False)
        # by id of what they stand for
        self.functions: dict[int, _core.RemoteFunction] = {}
        # how calls of functions were answered that no site tells apart, once the session has ended
        self._keeps_tallies = False
        self.tallies: dict[str, tuple[Tally, list[Any], Sums]] = {}
        # what speaks against functions, once the session has ended
        self.against: list[dict[str, Any]] = []
        self.places: dict[str, int] = {}  # their numbers in what is written down of the run
        self.inlined: Inlined | None = None  # tells where calls of functions begin to be made
        _core.warn_of_own_threads_only()
        _heed_forks(self)
        if plan.copies and plan.speculate != "off":
            self._copy_ahead()

    def _copy_ahead(self, eager: bool = False) -> None:
        """Let copies of the program run ahead; `eager`: at every call, however short."""
        hooks = _hooks[-1] if _hooks else _hooks_with(_abandon)
        is_layered = any(one.is_layered for one in self.plan.remote.values())
        if is_layered:
            self._native.see_far()
        if hooks is not None:
            guesses = self.plan.speculate == "likely"
            places = LAYER if is_layered else self.plan.places
            self._native.copy_ahead(hooks, eager, places if guesses else None)

    def keep_tallies(self) -> None:
        """Count from now on what is told of a run: how calls were answered, and why."""
        self._keeps_tallies = True
        _core.tell_reasons()

    def look_on(self, program: str, folder: str) -> _core.Live:
        """Tell on stderr how far a run is while it runs, until that is closed.

        Args:
            program: What the program is called.
            folder: Where its files are.
        """
        inside = folder.rstrip(os.sep) + os.sep
        return _core.Live(self._native, program, inside, os.environ.get("TERM"))

    def foresee(self, answers: dict[int, int], notes: dict[bytes, bytes]) -> None:
        """Tell copies what questions about values were answered in an earlier run.

        Args:
            answers: The answers, by what tells questions apart.
            notes: What copies had made of the program's text for one another.
        """
        self._native.know(list(answers.items()), notes)

    @property
    def notes(self) -> dict[bytes, bytes]:
        """What copies have made of the program's text, in an earlier run too."""
        return self._native.notes

    @property
    def answers(self) -> dict[int, int]:
        """What such questions were answered in this run, as far as copies came to them."""
        return self._native.answers

    @property
    def copies_told(self) -> dict[str, Any] | None:
        """What copies have done, by name; None if the plan wants none.

        `made`, `issued`, `taken`, `ends` (by their reasons), `waits` (for how many copies a value
        was not there that the program asks for, by the line), `wrong` (what they guessed wrong, and
        what it was), `refused`, and `too_costly`: how often the program could not bear what another
        one would cost. Calls at which none was made: `on_threads`, that were waited for on other
        threads than the first while not all waited, or where copies may not guess, and
        `behind_slices`, where slices seemed to see what comes. In
        seconds: `cost` of making the last one, `service` of a call, `lost` by all copies, and
        `saved` by calls that were ahead.
        """
        return self._native.copies_told

    @contextmanager
    def serving(self, module: ModuleType) -> Iterator[None]:
        """The client executes a remote module: its replicas do so too, in its world.

        They do it at the same time, if all functions are pure. What a module with other functions
        does when it is executed may get in the way of another process that does it too. At the end
        its public functions are made remote.

        Args:
            module: The module that is executed; or has been, where nothing is done meanwhile.
        """
        modules.prepare_import(module)
        loaded.add(module.__name__, vars(module).get("__file__"))
        order = (self._index[module.__name__], self._native.world(), has_facade(module))
        at_once = self.plan.remote[module.__name__].is_pure
        if at_once:
            self._native.load(*order)
        try:
            yield
        except BaseException:
            if order[2] and not at_once:  # a reloaded module stays, as far as it came
                self._native.load(*order)
            raise
        if not at_once:
            self._native.load(*order)
        self._make_remote(module)
        modules.note(module)

    def adopt(self, module: ModuleType) -> None:
        """Make a remote module remote that its replicas have as the program has it."""
        self._native.load(self._index[module.__name__], self._native.world(), False)
        self._make_remote(module)

    def _make_remote(self, module: ModuleType) -> None:
        index = self._index[module.__name__]
        manners = self._manners[module.__name__]
        modules.is_served(module.__name__, self.plan.remote)
        within.served.add(module.__name__)
        made = make_remote(module, manners, index, self._native)
        for function in made:
            self.functions[id(_core.original_of(function))] = function
            self._follow(module.__name__, function)
        self._keep_exposed(module.__name__, made)

    def _keep_exposed(self, module: str, functions: list[_core.RemoteFunction]) -> None:
        """Let the program make the calls of functions whose state its own text reads."""
        plan = self.plan.remote[module]
        names = [(one, plan.function(_core.name_of(one)).effects) for one in functions]
        stateful = [one for one, effects in names if effects == "stateful"]
        independent = [one for one, effects in names if effects == "independent"]
        if not (stateful or independent):
            return
        from cord.runtime.client import exposed

        if not exposed.may_stay(plan):
            return
        kept = [one for one in independent if exposed.is_seen(one, module, functions)]
        if stateful and exposed.is_exposed(stateful, module, self.plan.remote):
            kept += stateful if self._take_over_callers(module) else []
        for one in kept:
            _core.keep_here(one)
        for one in stateful if not kept else ():
            _core.ask_before_state(one, exposed.Keeper(one, module, self.plan.remote))

    def _take_over_callers(self, module: str) -> bool:
        """Let the program make the calls of what may call a module, which is to be the program's.

        Returns:
            Whether all of them could be had: else they are to find one state in its replicas.
        """
        from cord.runtime.client import exposed

        callers = exposed.callers(module, self.plan.remote)
        plans = [self.plan.remote[name] for name in callers or ()]
        return callers is not None and all(
            exposed.may_stay(plan) and self._native.take_over(self._index[plan.module])
            for plan in plans
        )

    def _follow(self, module: str, function: _core.RemoteFunction) -> None:
        if self.inlined is not None:
            name = _core.name_of(function)
            self.inlined.follow(("function", module, name), function)

    def issue_preload(self, head: bytes) -> object:
        """Send a call that imports something in a replica of the main script's."""
        assert self._program is not None
        return self._native.issue(self._index[self._program.module], True, head, [], beside=True)

    def own(self, name: str) -> Callable[[Any], Any]:
        """A decorator that makes a function of the main script remote, if it can be."""

        def decorate(original: Any) -> Any:
            if self._program is None or not is_own_function(original, "__main__"):
                return original
            known_as = f":{len(served)}:{name}"
            index = self._index[self._program.module]
            manners = self._manners[self._program.module]
            function = remote_function(manners, index, self._native, name, original, known_as)
            serve(known_as, function)
            settings = self._program.function(name)
            if settings.effects == "stateful" and self.plan.engine.is_local:
                _core.keep_here(function)  # all that it may change is the program's
            elif settings.effects == "independent":
                from cord.runtime.client import exposed

                if exposed.is_the_scripts(original):
                    _core.keep_here(function)
            self._follow(self._program.module, function)
            modules.is_served("__main__", self.plan.remote)
            within.served.add("__main__")
            return function

        return decorate

    @property
    def traffic(self) -> tuple[int, int]:
        """Bytes of results that have come to the client, and that have stayed at replicas."""
        return self._native.traffic

    @property
    def at_end(self) -> tuple[dict[str, list[float]], list[tuple[str, int, int | None]]]:
        """What has become of replicas, once the session has ended.

        For each module, for how many seconds each of its replicas was busy; and those that died by
        themselves: module, process id and wait status.
        """
        names = list(self._index)
        busy, fallen = self._native.at_end
        lost = [(names[module], pid, status) for module, pid, status in fallen]
        return dict(zip(names, busy, strict=False)), lost

    @property
    def kept(self) -> dict[str, tuple[int, float, int]]:
        """By function, calls answered by earlier ones, the seconds of these, and calls kept."""
        told = self._native.kept
        return {name: (hits, saved, kept) for name, (hits, saved, _, kept, *_) in told.items()}

    @property
    def tended(self) -> dict[str, Tended]:
        """By module, what has become of calls that wait, once the session has ended."""
        from cord.runtime.client.tended import Tended  # nobody asks on the way to a first call

        told = zip(self._index, self._native.tended, strict=False)
        return {name: Tended(*one[:4], *one[4], *one[5], *one[6:]) for name, one in told}

    def close(self) -> None:
        """End the replicas, once they have done what was issued with effects."""
        _core.end_copy()
        try:
            self._settle()
        finally:
            self._end()
            if self._keeps_tallies:
                self._keep_tallies()
            self.functions.clear()
            _forget()

    def _keep_tallies(self) -> None:
        from cord.runtime.client.disowned import against

        self.against = against(self.remote_functions())
        for function in self.remote_functions():
            name = _name_of(function)
            tally, reasons, sums = _core.tally_of(function)
            before = self.tallies.get(name)
            if before is not None:  # an earlier session of the same run
                tally, sums = _sums(before[0], tally), _sums(before[2], sums)
                reasons = before[1] + reasons
            self.tallies[name] = tally, reasons, sums
            self.places[name] = _core.place_of(function)

    def leave(self) -> None:
        """End the replicas of a program that goes on: remote functions run locally from now on."""
        _core.end_copy()
        try:
            self._settle()
        finally:
            _core.fetch_passed()
            self._native.run_locally()
            self._end()
            if self._keeps_tallies:
                self._keep_tallies()

    def _settle(self) -> None:
        """Wait for calls with effects; tell of those that failed and that the program left."""
        for function, error in self._native.settle():
            from cord.runtime.travel.failures import tell_of_untaken

            tell_of_untaken(function, error)

    def _end(self) -> None:
        """End the replicas; tell of state that was lost before, which no call has found."""
        names = list(self._index)
        if self._keeping is not None:
            self._keeping.tell_worlds()
        untold = self._native.close()
        if not self._native.at_end[1]:
            self.had.update(zip(names, self._native.calls_at_once, strict=True))
        kept = [] if self._keeping is None else list(self._keeping.end())
        if self.plan.warn and self._stderr == identity_of_stderr():  # else it is another
            self._tell_of_disowned()
            for line in kept:
                from cord.runtime.travel.failures import tell

                tell(line)
        for module, fallen in untold:
            from cord.runtime.travel.losses import tell_of_lost_state

            tell_of_lost_state(names[module], fallen)
        for function in self.remote_functions():
            _core.forget_reached(function)

    def remote_functions(self) -> list[Any]:
        """Those of modules, and of the main script."""
        return [*self.functions.values(), *served.values()]

    def _tell_of_disowned(self) -> None:
        functions = self.remote_functions()
        if any(_core.stayed(function) for function in functions):
            from cord.runtime.client.disowned import lines
            from cord.runtime.travel.failures import tell

            for line in lines(functions):
                tell(line)

    def abandon(self) -> None:
        """In a forked child: remote functions run locally, replicas and parent do not notice."""
        self._native.run_locally()
        self._native.abandon()


# What Python does in a forked child, which a copy does not; if it was found beforehand.
_hooks: list[list[Any]] = []


def find_hooks() -> None:
    """Find what is done in forked children, before the program begins: later its objects count."""

    def nothing() -> None:
        pass

    os.register_at_fork(after_in_child=nothing)
    found = _hooks_with(nothing)
    if found is not None:
        _hooks.append(found)


def _hooks_with(one: Callable[[], None]) -> list[Any] | None:
    """The interpreter's own list of them."""
    import gc

    hooks = [held for held in gc.get_referrers(one) if type(held) is list]
    if not hooks and gc.get_freeze_count():  # somebody had registered something before
        gc.unfreeze()
        hooks = [held for held in gc.get_referrers(one) if type(held) is list]
        gc.freeze()
    return hooks[0] if len(hooks) == 1 else None


def _at_start(remote: RemotePlan, had: Mapping[str, int]) -> int:
    """How many replicas of a module are made before there are calls for them.

    As many as an earlier run of the program had calls for; else one, that loads the module, but
    none of a module that only a pattern names. What is not pure may do something when it is loaded:
    there the plan says how often.
    """
    unknown = 0 if remote.is_one_of_many else 1
    return had.get(remote.module, unknown) if remote.is_pure else MAX_AT_ONCE


def identity_of_stderr() -> tuple[int, int] | None:
    """What descriptor 2 is; the program may put something else in its place."""
    try:
        about = os.fstat(2)
    except OSError:
        return None
    return about.st_dev, about.st_ino


def _sums(one: Any, other: Any) -> Any:
    return tuple(first + second for first, second in zip(one, other, strict=True))


def _name_of(function: _core.RemoteFunction) -> str:
    original: Any = _core.original_of(function)
    name = getattr(original, "__qualname__", None) or _core.name_of(function)
    return f"{original.__module__}.{name}"


# What holds functions of the program's, if it was needed.
_HOLDING = (
    "cord.runtime.travel.byvalue",
    "cord.runtime.travel.faithful",
    "cord.runtime.client.definitions",
    "cord.runtime.client.modules",
    "cord.runtime.guards.harmless",
)


def _forget() -> None:
    """Let go of the program's definitions, so that its globals come to their finalizers."""
    served.clear()
    for name in _HOLDING:
        module = sys.modules.get(name)
        if module is not None:
            module.forget()


# The sessions of which a fork is told: nothing that is registered can be taken back.
_forked: list[ref[Session]] = []


def _heed_forks(session: Session) -> None:
    if not _forked:
        os.register_at_fork(before=_fetch_passed, after_in_child=_abandon)
    _forked[:] = [one for one in _forked if one() is not None] + [ref(session)]


def _fetch_passed() -> None:
    if any(one() is not None for one in _forked):
        _core.fetch_passed()  # the child cannot


def _abandon() -> None:
    for one in _forked:
        session = one()
        if session is not None:
            session.abandon()
