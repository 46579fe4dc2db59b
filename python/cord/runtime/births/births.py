"""Making scouts at run time: a take asks for one, and gets it from the program's frames."""

from __future__ import annotations

import functools
import sys
from collections import deque
from collections.abc import Callable, Generator
from contextlib import suppress
from types import CodeType, FrameType, FunctionType, MethodType

from cord import _core
from cord.runtime.births.levels import Level, begin, cover
from cord.runtime.objects.closures import (
    UNBOUND,
    Closure,
    Maker,
    captured_values,
    globals_of,
    scout_function,
)
from cord.runtime.objects.dispatching import dispatched
from cord.runtime.objects.iterators import are_apart, copy_iterator
from cord.translate.code import patch

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from cord._core import Activation, Future, History, Late, Run, Site
    from cord.runtime.client.answers import Answers
    from cord.runtime.objects.iterators import Copies
    from cord.translate.results import ScoutResult

_COPIED = (list, dict, set, bytearray, deque)
_DEEPEST = 12
_CACHED = functools._lru_cache_wrapper


class Births:
    """Everything that scouts of one project need at run time.

    Args:
        answers: What is known of the project's translation.
        replicas: The number of replicas by remote module.
        own: Gives the decorator that makes a function of the main script remote.

    Attributes:
        shows_places: Whether sites are told where they stand, for whoever looks on.
    """

    def __init__(
        self,
        answers: Answers,
        replicas: dict[str, int],
        own: Callable[[str], Callable[[Any], Any]] | None = None,
    ) -> None:
        self.own = own
        self.shows_places = False
        self.answers = answers
        self.replicas = replicas
        self.guard = _core.Guard(self.go, self.within)
        self.loops = _core.Loops()
        self.sites: list[tuple[str, int]] = []
        self.patience: dict[tuple[str, int], _core.Patience] = {}
        self.histories: dict[tuple[str, str], History] = {}  # of loops
        self.codes: dict[tuple[str, int], CodeType] = {}
        self.standing: list[Activation] = []  # of modules' own code, which last as long as the run
        self._native: dict[str, dict[int, Site]] = {}
        self._late: dict[tuple[str, int], Late | None] = {}
        self._compiled: dict[int, CodeType] = {}
        self._known_codes: dict[int, tuple[CodeType, tuple[str, str] | None]] = {}
        self._cached: tuple[Run | None, set[Any]] = (None, set())

    # ---- native objects ------------------------------------------------------------------------

    def site(self, module: str, index: int) -> Site:
        """The native object of a call site; one for the program and all scouts."""
        known = self._native.setdefault(module, {})
        if index not in known:
            uid = len(self.sites)
            self.sites.append((module, index))
            asks = (self._birth_at(module, index), self.go, self.raises)
            site = self.answers.sites(module)[index]
            width = self.replicas.get(site.module) or max(self.replicas.values())
            region = (module, site.region)
            patience = self.patience.setdefault(region, _core.Patience())
            made = _core.Site(uid, asks, width, patience, site.dynamic, module, site.passes)
            self.answers.inlined.follow(("site", module, index), made)
            if self.shows_places:
                with suppress(Exception):  # the program runs on, whoever cannot be told of it
                    made.stands_at(*self.answers.places(module)[index])
            known[index] = made
        return known[index]

    def late(self, module: str, index: int) -> Late:
        """The native object of a call whose value may be received late."""
        known = self._late.setdefault((module, index), None)
        if known is None:
            from cord.runtime.births.lateness import Lateness  # only for who has such calls

            told = self.answers.late(module)[index]
            look = Lateness(self, module, told).look
            known = _core.Late(self.site(module, index), look, told.unpacked)
            self._late[module, index] = known
        return known

    def raises(self, uid: int) -> None:
        """Calls at this site raise exceptions: scouts that are made from now on expect it."""
        self.answers.expect_raise(*self.sites[uid])

    def native(self, module: str, scout: ScoutResult | None = None) -> Callable[[str], object]:
        """What stands for the marks in a module's code, or in a scout's of that module."""

        def find(mark: str) -> object:
            kind, _, number = mark.partition(":")
            match kind:
                case "site":
                    return self.site(module, int(number))
                case "late":
                    return self.late(module, int(number))
                case "guard":
                    return self.guard
                case "loops":
                    return self.loops
                case "history":
                    return self.histories.setdefault((module, number), _core.History())
                case "function":
                    assert scout is not None
                    return Maker(module, scout.functions[number])
                case "end":
                    # what must pass through a scout's own handlers
                    return (_core.ScoutEnd, GeneratorExit, KeyboardInterrupt)
            raise AssertionError(mark)

        return find

    def answered(self) -> dict[tuple[str, int], tuple[int, int, int]]:
        """How the program's calls were answered so far, by site (module, number in it).

        The three numbers count the calls that a scout had issued before the program came to them,
        those that it issued just then, and those that were made in place. Of a site that calls a
        function of the project, the first counts the times that a scout had gone into it.
        """
        return {
            (module, index): site.answers
            for module, sites in self._native.items()
            for index, site in sites.items()
        }

    def tally(self, module: str, index: int) -> tuple[int, int, int, int, int, int]:
        """How the program's calls at a site were answered so far.

        Ahead by a slice, ahead by a copy of the program, just then, in place, not sent, and issued
        in vain.
        """
        site = self._native.get(module, {}).get(index)
        return site.tally if site is not None else (0, 0, 0, 0, 0, 0)

    def sums(self, module: str, index: int) -> tuple[int, int, int, int, int, int]:
        """What the calls at a site have cost, if that is told.

        Nanoseconds of the program at them, and of replicas; how many have an outcome; bytes of
        arguments, and of outcomes.
        """
        site = self._native.get(module, {}).get(index)
        return site.sums if site is not None else (0, 0, 0, 0, 0, 0)

    def place(self, module: str, index: int) -> int:
        """The number of a site in what is written down of the run; 0 where it was never met."""
        site = self._native.get(module, {}).get(index)
        return site.place if site is not None else 0

    def reasons(self, module: str, index: int) -> tuple[list[Any], tuple[int, int] | None]:
        """Why calls at a site were in place, and how far scouts were ahead, as `Site` tells."""
        site = self._native.get(module, {}).get(index)
        return site.reasons if site is not None else ([], None)

    def received(self) -> dict[tuple[str, int], tuple[int, int, int]]:
        """How values were received so far, by site, where that may be late.

        The three numbers count those that were received late, those that were there when the
        program asked, and those that were waited for as not all was as the text has it.
        """
        return {site: late.answers for site, late in self._late.items() if late is not None}

    def project_grew(self) -> None:
        """Modules were added to the project."""
        self.answers.forget_files()
        self._known_codes.clear()

    def close(self) -> None:
        """The program has ended: let go of all of its objects."""
        for activation in self.standing:
            activation.close()
        self._cached = (None, set())
        # code holds native objects, which hold this: nothing else would end that circle
        for codes in (self.codes, self._compiled, self._known_codes):
            codes.clear()

    # ---- births --------------------------------------------------------------------------------

    def _birth_at(self, module: str, index: int) -> Callable[[Run, Activation, Future], list[Any]]:
        def birth(run: Run, activation: Activation, result: Future) -> list[Any]:
            return self.birth(run, activation, result, module, index, sys._getframe(1))

        return birth

    def birth(
        self,
        run: Run,
        activation: Activation,
        result: Future,
        module: str,
        index: int,
        frame: FrameType | None,
    ) -> list[Level]:
        """Make the generators of a scout, for the frame of the take and the frames that called it.

        Args:
            run: The run that they will be part of.
            activation: The activation of the take.
            result: The value that the take will give.
            module: Module of the take's site.
            index: Number of the take's site.
            frame: The innermost Python frame of the take.

        Returns:
            Generators with the activations they belong to and the futures of what they return,
            innermost first.
        """
        try:
            covered = cover(self, activation, module, index, frame)
            for one in covered:
                one.values.update(self._on_the_way(one.activation))
            return begin(self, run, result, covered)
        except (Exception, _core.ScoutEnd):
            # whatever keeps a scout from being made (frames or source nested too deep, a dict that
            # changed under its iterator) is no concern of the program's
            return []

    def _on_the_way(self, activation: Activation) -> dict[str, Any]:
        """The variables whose values a frame has not received yet."""
        values: dict[str, Any] = {}
        for uid, future in activation.late():
            module, index = self.sites[uid]
            late = self.answers.late(module)[index]
            values.update(
                dict.fromkeys(late.targets, UNBOUND if late.unpacked or late.holder else future)
            )
        return values

    def walked(self, scout: ScoutResult, run: Run, activation: Activation) -> list[Any]:
        """Copies of the iterators of the loops that a scout goes on with.

        Args:
            scout: The scout.
            run: The run that it will be part of.
            activation: The activation whose loops they are.
        """
        walked: list[Any] = []
        if run.certain and not are_apart([activation.iterator(n) for n in scout.loops]):
            run.doubt()  # one of them may take items from another
        for number in scout.loops:
            iterator = activation.iterator(number)
            copied = None if iterator is None else _copied(iterator)
            walked.append(activation.count(number) if copied is None else copied)
        return walked

    def started(
        self,
        scout: ScoutResult,
        module: str,
        run: Run,
        frame: FrameType,
        values: dict[str, Any],
        walked: list[Any],
    ) -> Generator[None, None, object]:
        """A scout's generator, for variables as they are in a frame."""
        self._pass_by(scout, module, run)
        for name in scout.copied:
            value = _value_of(name, values, frame)
            if type(value) in _COPIED:
                if type(value) is set:
                    run.doubt()  # a copy may be walked in another order
                run.heap.shadow(value, value.copy())
        arguments = [_value_of(name, values, frame) for name in scout.names]
        arguments.extend(walked)
        function = FunctionType(self._code(scout, module), frame.f_globals)
        generator: Generator[None, None, object] = function(run, *arguments)
        return generator

    def go(
        self, run: Run, callee: object, args: tuple[Any, ...], kwargs: dict[str, Any] | None
    ) -> tuple[Generator[None, None, object], bool]:
        """The scout of a function of the project that is called with these arguments.

        Returns:
            Its generator, and whether that gives what the function returns.

        Raises:
            ScoutEnd: It is not a function whose source the project knows, or a generator function.
        """
        called, args, module, scout = self._entered(run, callee, args)
        self._pass_by(scout, module, run)
        function = scout_function(self._code(scout, module), called)
        values = captured_values(called)
        globals_ = globals_of(called)
        captured = [
            values[name] if name in values else globals_.get(name, UNBOUND) for name in scout.names
        ]
        generator: Generator[None, None, object] = function(run, *captured, *args, **(kwargs or {}))
        return generator, scout.returns

    def within(
        self, run: Run, callee: object, args: tuple[Any, ...], kwargs: dict[str, Any] | None
    ) -> tuple[Generator[None, None, object], bool]:
        """As `go`, for what a scout goes into within one operation: it makes no remote calls.

        Raises:
            ScoutEnd: It makes some, or `go` would raise that.
        """
        if self._entered(run, callee, args)[-1].calls:
            raise _core.ScoutEnd
        return self.go(run, callee, args, kwargs)

    def _entered(
        self, run: Run, callee: Any, args: tuple[Any, ...]
    ) -> tuple[FunctionType | Closure, tuple[Any, ...], str, ScoutResult]:
        """The function that a call of this runs, with which arguments, its module and its scout."""
        called, args = self._called(run, callee, args)
        name = (
            called.name if isinstance(called, Closure) else self.key_of(_core.running_code(called))
        )
        scout = None if name is None else self.answers.entered(*name)
        if name is None or scout is None:
            raise _core.ScoutEnd
        return called, args, name[0], scout

    def _called(
        self, run: Run, callee: Any, args: tuple[Any, ...]
    ) -> tuple[FunctionType | Closure, tuple[Any, ...]]:
        """The function that a call of this runs, and with which arguments."""
        for _ in range(_DEEPEST):
            kind = type(callee)
            if kind is MethodType:
                args, callee = (callee.__self__, *args), callee.__func__
            elif kind is _CACHED:
                if self._was_entered(run, callee, args):
                    break
                callee = callee.__wrapped__
            elif kind in (FunctionType, Closure):
                chosen = None if kind is Closure else dispatched(callee, args)
                if chosen is None:
                    return callee, args
                callee = chosen
            else:
                method = _called_method(kind)
                if type(method) is not FunctionType:
                    break
                args, callee = (callee, *args), method
        raise _core.ScoutEnd

    def _was_entered(self, run: Run, cached: object, args: tuple[Any, ...]) -> bool:
        """Whether this scout has met a call with the same arguments: its result is kept by then."""
        if self._cached[0] is not run:
            self._cached = (run, set())
        seen = self._cached[1]
        if not _core.is_plain(args):
            return False
        try:
            known = (id(cached), args) in seen
            seen.add((id(cached), args))
        except TypeError:  # not hashable
            return False
        return known

    def key_of(self, code: CodeType) -> tuple[str, str] | None:
        """The project's function whose code this is: its module, and its key there."""
        known = self._known_codes.get(id(code))
        if known is None:
            found = self.answers.function_at(code.co_filename, code.co_firstlineno)
            known = self._known_codes[id(code)] = (code, found)
        return known[1]

    def remember(self, code: CodeType, module: str, index: int) -> None:
        """Note the code that runs a region."""
        self.codes[module, index] = code
        region = self.answers.regions(module)[index]
        if region.key is not None:
            self._known_codes[id(code)] = (code, (module, region.key))
        if region.hands_over:
            _core.enters(code)

    def _pass_by(self, scout: ScoutResult, module: str, run: Run) -> None:
        if scout.passed:
            run.pass_by([self.site(module, index).uid for index in scout.passed])

    def _code(self, scout: ScoutResult, module: str) -> CodeType:
        if id(scout) not in self._compiled:
            self._compiled[id(scout)] = patch(scout.code, self.native(module, scout))
        return self._compiled[id(scout)]


def _copied(shown: Any) -> Any:
    """A copy of what a loop walks; what is walked together is in a tuple."""
    try:
        if type(shown) is not tuple:
            return copy_iterator(shown)
        seen: Copies = {}
        copies = [copy_iterator(one, seen) for one in shown]
    except RuntimeError:  # a dict or set that has changed its size meanwhile
        return None
    return None if None in copies else zip(*copies, strict=False)


def later(
    run: Run, function: Callable[..., object], *args: object
) -> Generator[None, None, tuple[object]]:
    """A strand that calls a function once the futures among its arguments have come."""
    while run.waits(*args):
        yield
    return (function(*(run.value(argument) for argument in args)),)


def _called_method(kind: type) -> object:
    """What `__call__` is in a class, looked up without running code of its metaclass."""
    for base in type.__getattribute__(kind, "__mro__"):
        own = type.__getattribute__(base, "__dict__")
        if "__call__" in own:
            return own["__call__"]
    return None


def _value_of(name: str, values: dict[str, Any], frame: FrameType) -> Any:
    """The program's value of a scout's variable; `x:3` is a comprehension's `x`."""
    if name.startswith(":"):
        return values.get(name, UNBOUND)
    plain, colon, _ = name.partition(":")
    if colon or name in values or name in _variables_of(frame.f_code):
        return values.get(plain + colon, UNBOUND)
    return frame.f_globals.get(name, UNBOUND)


def _variables_of(code: CodeType) -> tuple[str, ...]:
    return (*code.co_varnames, *code.co_cellvars, *code.co_freevars)
