"""Translated programs without replicas: Python stands in for the native objects of a call's path.

The translator, the births of scouts and the guards are the real ones. What the program calls and
what a scout issues is written down as text, so that the two can be compared: ``f(1, k=2)``.
"""

from __future__ import annotations

import sys
import textwrap
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from types import CodeType, FunctionType, ModuleType, SimpleNamespace
from typing import Any, NamedTuple

import pytest

from cord import _core
from cord.runtime.births import births, levels
from cord.runtime.client import translated
from cord.runtime.client.answers import Answers
from cord.runtime.guards import harmless
from cord.runtime.objects import iterators
from cord.translate.results import MAIN, Remote
from cord.translate.scouts import Scouts
from cord.translate.sites.project import Project
from cord.translate.translation import Translation

REMOTE = frozenset({"f", "g", "h"})
WORK = {"work": Remote(REMOTE, REMOTE - {"h"})}  # h is not declared pure


def read_project(
    folder: Path, main: str, *, assume: tuple[str, ...] = (), **modules: str
) -> Project:
    """A project of ``main`` and modules of its own beside it (``a__b`` is the file a/b.py)."""
    for name, text in {"main": main, **modules}.items():
        path = folder / (name.replace("__", "/") + ".py")
        if name.endswith("__init"):
            path = path.with_name("__init__.py")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text))
    return Project(str(folder / "main.py"), WORK, frozenset(assume))


def scouts_of(folder: Path, main: str, **modules: str) -> Scouts:
    """The scouts of such a project, its main module read."""
    scouts = Scouts(read_project(folder, main, **modules))
    for name in scouts.project.modules:
        scouts.found(name)
    return scouts


MISSING = object()  # what a strand should have given that ended before its end


def run_to_end(generator: Any, strict: bool = False) -> tuple[bool, Any]:
    """Whether a strand came to its end, and what it returned; `strict` lets refusals through."""
    try:
        while True:
            next(generator)
    except StopIteration as end:
        return True, end.value
    except _core.ScoutEnd as end:
        if end.args or strict:
            raise  # the program raises an exception there
        return False, None


class Future:
    """What a frame's scout returns."""

    given: Any = MISSING


class Run:
    """A scout under way that never has to pause, nor to wait: results are there at once."""

    def __init__(self) -> None:
        self.passed: set[int] = set()
        self.heap = _core.Heap()

    certain = False

    def doubt(self) -> None:
        pass

    def tick(self) -> bool:
        return False

    pauses = tick

    def waits(self, *_values: Any) -> bool:
        return False

    def value(self, value: Any) -> Any:
        if isinstance(value, Future):
            return self.value(value.given)
        (value,) = _core.Heap.seen((value,))
        if type(value) in (list, tuple):
            return type(value)(self.value(item) for item in value)
        return value

    def copy(self, value: Any) -> Any:
        (value,) = _core.Heap.seen((value,))
        copied = type(value) in (list, dict, set, bytearray, deque)
        return value.copy() if copied else value

    def size(self, container: Any) -> int:
        return len(_core.Heap.seen((container,))[0])

    def added(self, container: Any, size: int) -> list[Any]:
        (container,) = _core.Heap.seen((container,))
        return list(container)[size:]

    def refill(self, container: Any, additions: list[Any]) -> bool:
        (seen,) = _core.Heap.seen((container,))
        while not seen and additions:
            added = additions.pop(0)
            if added is MISSING:
                raise _core.ScoutEnd
            seen.extend(added)
        return False

    def defer(self, count: int, function: Any, *args: Any) -> Any:
        ended, value = run_to_end(function(self, *args))
        return value if ended and value is not None else (MISSING,) * count

    def pass_by(self, sites: list[int]) -> None:
        self.passed.update(sites)


class Left(NamedTuple):
    """An exit that is taken."""

    breaks: bool
    value: Any


class Exits:
    """The conditions of one run of a loop: each is decided at once."""

    taken: Left | None = None

    def defer(
        self, run: Run, _caught: bool, _usual: bool, count: int, function: Any, *args: Any
    ) -> Any:
        ended, value = run_to_end(function(run, *args))
        if isinstance(value, Left):
            self.taken = value
        elif ended and value is not None:
            return value
        return (MISSING,) * count

    def holds(self, _run: Run) -> bool:
        return False

    waits = holds

    def left(self) -> Left | None:
        return self.taken

    def close(self) -> bool:
        return self.taken is not None


class History:
    """How the runs of a loop went: nobody asks here."""

    def begin(self, _run: Run, _resumed: bool) -> Exits:
        return Exits()

    def breaks(self, value: Any) -> Left:
        return Left(True, value)

    def returns(self, value: Any) -> Left:
        return Left(False, value)


class Activation:
    """One execution of a region."""

    def __init__(self, region: Any, caller: tuple[Activation, int] | None) -> None:
        self.region = region
        self.caller = caller
        self.loops: dict[int, Any] = {}

    def late(self) -> list[tuple[int, Any]]:
        return []

    def iterator(self, number: int) -> Any:
        return self.loops.get(number)

    def reading(self) -> list[tuple[int, Any]]:
        return []

    def count(self, _number: int) -> int | None:
        return None


class Lab:
    """Runs one program and lets a scout start at its call number ``start``, counted from 1."""

    def __init__(self, start: int) -> None:
        self.start = start
        self.called: list[str] = []
        self.issued: list[str] = []
        self.ended: BaseException | None = None
        self.births: Any = None
        self.entered: set[CodeType] = set()
        self._offer: tuple[CodeType, Activation, int] | None = None

    # ---- what the program's translation and the scouts refer to ----------------------------------

    def core(self) -> SimpleNamespace:
        """A stand-in for ``cord._core``."""
        lab = self

        class Site:
            def __init__(self, uid: int, asks: Any, *options: Any) -> None:
                self.uid = uid
                self._go = asks[1]
                self._dynamic = options[2]

            def take(self, activation: Any, callee: Any, /, *args: Any, **kwargs: Any) -> Any:
                return lab.take(self.uid, activation, callee, args, kwargs, sys._getframe(1))

            take_named = take

            def bound(self, activation: Any, callee: Any) -> Any:
                def call(*args: Any, **kwargs: Any) -> Any:
                    frame = sys._getframe(1)
                    if is_remote(callee):
                        return lab.take(self.uid, activation, callee, args, kwargs, frame)
                    return self.enter(activation, callee)(*args, **kwargs)

                return call

            def enter(self, activation: Any, callee: Any) -> Any:
                called = getattr(callee, "__func__", callee)
                code = _core.running_code(called) if type(called) is FunctionType else None
                if activation is not None and code in lab.entered:
                    lab._offer = (code, activation, self.uid)
                return callee

            def issue(self, _run: Any, callee: Any, *args: Any, **kwargs: Any) -> bool:
                if not is_remote(callee):
                    raise _core.ScoutEnd
                args = _core.Heap.seen(args)
                lab.issued.append(as_text(callee, args, kwargs))
                return False

            def ask(self, run: Any, callee: Any, *args: Any, **kwargs: Any) -> Any:
                self.issue(run, callee, *args, **kwargs)
                return callee(*_core.Heap.seen(args), **kwargs)

            issue_named, ask_named = issue, ask

            def go(self, run: Any, callee: Any, *args: Any, **kwargs: Any) -> Any:
                if self._dynamic and is_remote(callee):
                    return self.ask(run, callee, *args, **kwargs)
                try:
                    generator, returns = self._go(run, callee, args, kwargs)
                except _core.ScoutEnd:
                    if not self._dynamic:
                        raise
                    return MISSING
                ended, value = run_to_end(generator)
                return value if ended and returns else MISSING

        class Guard:
            def __init__(self, go: Any, within: Any) -> None:
                self._go = go
                self._real = _core.Guard(go, within)

            def __getattr__(self, name: str) -> Any:
                return getattr(self._real, name)

            def go(self, run: Any, callee: Any, *args: Any, **kwargs: Any) -> Any:
                return self._go(run, callee, args, kwargs)[0]

            def back(self, _run: Any) -> None:
                pass

        class Loops:
            def loop(self, activation: Activation, number: int, iterable: Any) -> Any:
                if iterators.copy_iterator(iterable) is None:
                    return iterable
                iterator = activation.loops[number] = iter(iterable)
                return iterator

            def beside(self, activation: Activation, number: int, iterable: Any) -> Any:
                before = activation.loops.pop(number, None)
                if before is None or iterators.copy_iterator(iterable) is None:
                    return iterable
                iterator = iter(iterable)
                first = before if type(before) is tuple else (before,)
                activation.loops[number] = (*first, iterator)
                return iterator

            def keyed(self, activation: Activation, number: int, iterable: Any) -> Any:
                kept = tuple(iterable) if type(iterable) is list else iterable
                activation.loops[number] = iterators.copy_iterator(kept)
                return iterable

            def follow(self, activation: Activation, number: int, callee: Any) -> Any:
                place = activation.iterator(number)

                def following(item: Any) -> Any:
                    next(place, None)
                    return callee(item)

                return following if place is not None else callee

            def read(self, iterable: Any) -> Any:
                return iterable

            def making(self, callee: Any) -> Any:
                return callee

            def forget(self, activation: Activation, number: int) -> None:
                activation.loops.pop(number, None)

        class Region:
            def __init__(self, key: Any) -> None:
                self.key = key

            def enter(self) -> Activation:
                offer, code = lab._offer, sys._getframe(1).f_code
                if offer is None or offer[0] is not code:
                    return Activation(self.key, None)
                lab._offer = None
                return Activation(self.key, offer[1:])

        return SimpleNamespace(
            Site=Site,
            Guard=Guard,
            Loops=Loops,
            Region=Region,
            Patience=_core.Patience,
            Future=Future,
            History=History,
            ScoutEnd=_core.ScoutEnd,
            is_plain=_core.is_plain,
            running_code=_core.running_code,
            enters=self.entered.add,
        )

    def take(
        self, uid: int, activation: Any, callee: Any, args: Any, kwargs: Any, frame: Any
    ) -> Any:
        self.called.append(as_text(callee, args, kwargs))
        if len(self.called) == self.start and activation is not None:
            module, index = self.births.sites[uid]
            result = callee(*args, **kwargs)
            run = Run()
            levels = self.births.birth(run, activation, result, module, index, frame)
            run.heap.enter(run)
            self.scout(levels)
            run.heap.leave()
        return callee(*args, **kwargs)

    def scout(self, levels: list[tuple[Any, Any]]) -> None:
        try:
            for generator, _, future in levels:
                _, value = run_to_end(generator, strict=True)
                if future is not None:
                    future.given = value
        except (Exception, _core.ScoutEnd) as end:
            self.ended = end

    @property
    def afterwards(self) -> list[str]:
        """The calls that the program made after the one at which the scout started."""
        return self.called[self.start :]


def is_remote(callee: Any) -> bool:
    return getattr(callee, "__module__", None) == "work"


def as_text(callee: Any, args: Any, kwargs: Any) -> str:
    words = [repr(arg) for arg in args] + [f"{name}={value!r}" for name, value in kwargs.items()]
    return f"{callee.__name__}({', '.join(words)})"


def _work() -> ModuleType:
    """The remote module, at home: f and h give their first argument back, g gives ten times it."""
    module = ModuleType("work")

    def f(*args: Any, **_kwargs: Any) -> Any:
        return args[0] if args else None

    def g(*args: Any, **_kwargs: Any) -> Any:
        return args[0] * 10 if args else None

    def h(*args: Any, **_kwargs: Any) -> Any:
        return args[0] if args else None

    for function in (f, g, h):
        function.__module__ = "work"
        setattr(module, function.__name__, function)
    return module


@contextmanager
def _modules_forgotten() -> Iterator[None]:
    before = dict(sys.modules)
    try:
        yield
    finally:
        for name in set(sys.modules) - set(before):
            del sys.modules[name]


def run(
    folder: Path, main: str, *, start: int = 1, assume: tuple[str, ...] = (), **modules: str
) -> Lab:
    """Run the program ``main``; a scout starts at its call number ``start``."""
    from cord.runtime.client.importing import Finder

    project = read_project(folder, main, assume=assume, **modules)
    translation = Translation(project)
    lab = Lab(start)
    with pytest.MonkeyPatch.context() as patched, _modules_forgotten():
        core = lab.core()
        patched.setattr(births, "_core", core)
        patched.setattr(levels, "_core", core)
        patched.setattr(translated, "_core", core)
        patched.setitem(sys.modules, "work", _work())
        patched.syspath_prepend(str(folder))
        harmless.assume(frozenset(assume))
        answers = Answers(project.remote, lambda: translation)
        lab.births = births.Births(answers, {"work": 2})
        finder = Finder(lab.births, lambda module: nullcontext())
        patched.setattr(sys, "meta_path", [finder, *sys.meta_path])
        source = project.modules[MAIN].source
        code = translated.compile_module(lab.births, MAIN, source, project.modules[MAIN].path)
        exec(code, {"__name__": "__main__"})
    return lab
