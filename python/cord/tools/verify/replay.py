"""Recorded calls, made again in a process that has nothing of the program but their arguments.

What it has imported of packages that are not the project's is there, as in replicas.

A function that is declared pure gives the same whatever came before, so its calls are made with
several pasts, each in a fork of this process: alone and then once more, one after the other, in
reverse order, and with the globals that the program has changed put to its values, or taken away. A
call that is alone is watched, too: what it reads and does besides is told even where nothing comes
of it.
"""

from __future__ import annotations

import importlib
import json
import os
import pickle
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any, NamedTuple

from cord.tools.verify.alike import same
from cord.tools.verify.calls import Call, affordable, is_pure, outcome
from cord.tools.verify.changed import Changed
from cord.tools.verify.fork import Printed, in_fork
from cord.tools.verify.main_script import MAIN, Mirror
from cord.tools.verify.mentions import reader_of
from cord.tools.verify.observer import Observer, Seen
from cord.tools.verify.probe import EFFECT, ELSEWHERE, READS, UNSTEADY
from cord.tools.verify.state import Path, data_of, snapshot, world

_TIMES = 5  # a call is made so often, if there is time
_STUCK = 5.0  # a fork that takes so much longer than its calls is given up


class Alone(NamedTuple):
    """A call that was made with nothing before it.

    Attributes:
        result: What it gave, encoded; None if that cannot be.
        printed: What it wrote to stdout and stderr.
        agrees: Whether it gave what it gave in the program.
        changed: The globals that it changed.
        again: Those that it changed once more when it was made again.
        seen: What else it did.
        repeats: Whether it gave the same when it was made again.
        reprints: Whether it wrote the same then.
    """

    result: bytes | None
    printed: bytes
    agrees: bool
    changed: set[Path]
    again: set[Path]
    seen: Seen
    repeats: bool
    reprints: bool


class Suspect:
    """A function that is declared pure, and its calls.

    Args:
        full: Its module and name.
        calls: The calls, in the program's order.
        replay: What makes them.
        until: When there is no more time.
    """

    def __init__(self, full: str, calls: list[Call], replay: Replay, until: float) -> None:
        self.full = full
        self._replay = replay
        self._until = until
        self._told: set[tuple[str, tuple[str, str]]] = set()
        self.calls: list[Call] = []
        self.alone: list[Alone] = []
        for number, call in enumerate(calls):
            if number and _clock() > until:
                break
            found = replay.alone(full, call)
            if found is not None:
                self.calls.append(call)
                self.alone.append(found)

    def changed(self) -> set[Path]:
        """The globals that its calls change."""
        return set().union(*(one.changed for one in self.alone))

    def judge(self) -> None:
        """Find what speaks against it in its calls themselves."""
        find = self._replay.find
        for call, one in zip(self.calls, self.alone, strict=True):
            if not one.repeats:
                find(UNSTEADY, self.full, call.place)
            elif not one.agrees:
                find(ELSEWHERE, self.full, call.place)
            if not one.reprints:
                find(EFFECT, self.full, call.place, "print something else each time")
            for path in self._once(EFFECT, one.again):
                find(
                    EFFECT,
                    self.full,
                    call.place,
                    f"change the global {_named(path, self.full)} each time",
                )
            for what, place in one.seen.reads.items():
                find(READS, self.full, call.place, what, place)
            for what, place in one.seen.does.items():
                find(EFFECT, self.full, call.place, what, place)
            for file, place in one.seen.files.items():
                self._judge_file(call, file, place)
        self._judge_order()
        again = set().union(*(one.again for one in self.alone))
        for path in self._once(EFFECT, self.changed() - again):
            self._judge_kept(path)

    def _once(self, kind: str, paths: Iterable[Path]) -> list[Path]:
        """One place in each global that was not told of yet: more would say the same."""
        found: dict[tuple[str, str], Path] = {}
        for path in sorted(paths):
            if (kind, path[:2]) not in self._told:
                found.setdefault(path[:2], path)
        self._told |= {(kind, one) for one in found}
        return list(found.values())

    def _judge_file(self, call: Call, path: str, place: str) -> None:
        name = os.path.relpath(path)
        shown = path if name.startswith("..") else name
        if path in self._replay.written:
            what = f"reads the file {shown}, which the program writes"
            self._replay.find(READS, self.full, call.place, what, place)

    def _judge_order(self) -> None:
        """What came before must make no difference."""
        for order in (1, -1):
            numbers = range(len(self.calls))[::order]
            if len(self.calls) < 2 or _clock() > self._until:
                return
            for number in self._replay.in_order(self.full, self.calls, self.alone, numbers):
                self._replay.find(UNSTEADY, self.full, self.calls[number].place)

    def _judge_kept(self, path: Path) -> None:
        """What is changed once may save work. Not if others read it."""
        reached = set().union(*(one.seen.reached for one in self.alone))
        reader = reader_of(path, reached, self._replay.main_path)
        if reader is not None:
            what = f"change the global {_named(path, self.full)}, which is read at {reader}"
            self._replay.find(EFFECT, self.full, self.calls[0].place, what)

    def judge_globals(self, others: set[Path], until: float) -> None:
        """See whether it reads globals that the program has changed.

        Args:
            others: Globals that calls of pure functions change; these are judged by themselves.
            until: When there is no more time.
        """
        changed = self._replay.changed.without(others)
        for call, alone in list(zip(self.calls, self.alone, strict=True)):
            if not changed or _clock() > until:
                return
            for path in self._once(READS, self._replay.reads(self.full, call, alone, changed)):
                what = f"reads the global {_named(path, self.full)}, which the program changes"
                self._replay.find(READS, self.full, call.place, what)
                changed = changed.without({path})


class Replay:
    """Makes calls in forks of this process.

    Args:
        versions: What calls need of the main script.
        kept: The data of the project's modules when the program had ended.
        written: The files that the program has opened to write.
        main_path: The main script's file.
        assumed: Dotted names of functions whose effects the user has declared to be none.

    Attributes:
        findings: What was found.
        changed: The globals that the program has changed.
    """

    def __init__(
        self,
        versions: list[bytes],
        kept: dict[Path, bytes],
        written: set[str],
        main_path: str,
        assumed: list[str],
    ) -> None:
        self.findings: list[dict[str, str]] = []
        self.written = written
        self.main_path = main_path
        self.changed = Changed(data_of(), kept)
        self._told: set[tuple[str, str, str]] = set()
        self._observer = Observer(assumed)
        self._mirror = Mirror(versions)

    def find(self, kind: str, full: str, place: str, what: str = "", at: str = "") -> None:
        """Note a finding, once for each function and what it is about."""
        key = kind, full, what
        if key not in self._told:
            self._told.add(key)
            where = f", at {at}" if at else ""
            finding = {"kind": kind, "function": full, "place": place, "what": f"{what}{where}"}
            self.findings.append(finding)

    def alone(self, full: str, call: Call) -> Alone | None:
        """Make a call, and then once more, with nothing before it; None if it cannot be made."""

        def work() -> Alone:
            printed = Printed()
            self._mirror.put_in_place(call.version)
            function = _found(full)
            with suppress(Exception):
                pickle.loads(call.head)  # what its arguments need is loaded before the call
            first, around = snapshot(), world()
            with self._observer.watching() as seen:
                result = outcome(function, call.head)
            shown = printed.take()
            second = snapshot()
            for what, value in world().items():
                if what in around and around[what] != value:  # not what was loaded just now
                    seen.does.setdefault(what, "")
            again = outcome(function, call.head)
            return Alone(
                result,
                shown,
                result is None or same(call.result, result),
                _differing(first, second),
                _differing(second, snapshot()),
                seen,
                result is None or same(result, again),
                printed.take() == shown,
            )

        found: Alone | None = in_fork(work, 3 * call.seconds + _STUCK)
        return found

    def in_order(self, full: str, calls: list[Call], alone: list[Alone], order: range) -> list[int]:
        """Make calls one after the other; the numbers of those that give something else then."""

        def work() -> list[int]:
            printed = Printed()
            other = []
            for number in order:
                call, before = calls[number], alone[number]
                self._mirror.put_in_place(call.version)
                result = outcome(_found(full), call.head)
                shown = printed.take()
                is_same = before.result is None or same(before.result, result)
                if not is_same or shown != before.printed:
                    other.append(number)
            return other

        seconds = sum(call.seconds for call in calls)
        return in_fork(work, 3 * seconds + _STUCK) or []

    def reads(self, full: str, call: Call, alone: Alone, changed: Changed) -> list[Path]:
        """The changed globals on which a call hangs."""

        def differs(change: Callable[[], None]) -> bool:
            def work() -> bool:
                printed = Printed()
                self._mirror.put_in_place(call.version)
                change()
                result = outcome(_found(full), call.head)
                if alone.result is not None and not same(alone.result, result):
                    return True
                return printed.take() != alone.printed

            return bool(in_fork(work, 3 * call.seconds + _STUCK))

        if not differs(changed.put) and not differs(changed.take_away):
            return []
        return [path for path, one in changed.each() if differs(one.put) or differs(one.take_away)]

    def elsewhere(self, full: str, calls: list[Call]) -> None:
        """Make calls of a function that is not pure once, in their order."""

        def work() -> str:
            Printed()
            for call in calls:
                self._mirror.put_in_place(call.version)
                result = outcome(_found(full), call.head)
                if result is not None and not same(call.result, result):
                    return call.place
            return ""

        place = in_fork(work, 3 * sum(call.seconds for call in calls) + _STUCK)
        if place:
            self.find(ELSEWHERE, full, place)


def _clock() -> float:
    """Seconds that this process and its forks have worked; half of what has passed, if more.

    So a machine that does other things meanwhile does not make the sample much smaller.
    """
    times = os.times()
    worked = times.user + times.system + times.children_user + times.children_system
    return max(worked, (times.elapsed - _BEGAN) / 2)


_BEGAN = os.times().elapsed


def _found(full: str) -> Callable[..., Any]:
    module, _, name = full.rpartition(".")
    function: Callable[..., Any] = getattr(sys.modules[module], name)
    return function


def _named(path: Path, full: str) -> str:
    """A global as the module of a function names it, or another one."""
    module, name, part = path
    whole = f"{name}.{part}" if part else name
    return whole if module in (MAIN, full.rpartition(".")[0]) else f"{module}.{whole}"


def _differing(one: dict[Any, Any], other: dict[Any, Any]) -> set[Any]:
    """The keys with values that differ."""
    return {key for key in one.keys() | other.keys() if one.get(key) != other.get(key)}


def main(arguments: list[str]) -> None:
    """Make the calls of a request's record; write down what comes out otherwise."""
    from cord.tools.main_module import fresh_main

    with open(arguments[0], encoding="utf-8") as file:
        request = json.load(file)
    if not sys.flags.safe_path:
        sys.path[0] = request["folder"]
    sys.argv = [request["path"], *request["args"]]
    with open(request["calls"], "rb") as binary:
        counts, calls, versions, apart, kept, written = pickle.load(binary)
    remote = request["remote"]
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    Printed()
    fresh_main()
    for name in apart:
        with suppress(Exception):
            importlib.import_module(name)
    made = {full: one for full, one in calls.items() if _is_there(full, remote)}
    path = os.path.abspath(request["path"])
    replay = Replay(versions, kept, written, path, request["assumed"])
    replayed = _replay_all(replay, made, remote, request)
    total = sum(count for full, count in counts.items() if is_pure(remote, full))
    with open(request["elsewhere"], "w", encoding="utf-8") as file:
        told = {"findings": replay.findings, "calls": total, "of_each": replayed}
        json.dump({**told, "replayed": sum(replayed.values())}, file)
    os._exit(0)  # what the remote modules have registered for their end has nothing to say here


def _is_there(full: str, remote: dict[str, Any]) -> bool:
    """Whether a function's module can be imported; the run under Cord tells why not."""
    module = full.rpartition(".")[0]
    try:
        importlib.import_module(module)
    except BaseException:
        return False
    return True


def _replay_all(
    replay: Replay, made: dict[str, list[Call]], remote: dict[str, Any], request: dict[str, Any]
) -> dict[str, int]:
    """Make all calls again; how many of each function that is declared pure."""
    patience = request["patience"]
    if request["all"]:
        impure = {full: calls for full, calls in made.items() if not is_pure(remote, full)}
        for full, calls in affordable(impure, patience / 4, 1).items():
            replay.elsewhere(full, calls)
    pure = {full: calls for full, calls in made.items() if is_pure(remote, full)}
    suspects = []
    chosen = affordable(pure, max(0.0, patience - _clock()) / 2, _TIMES)
    for number, (full, calls) in enumerate(chosen.items()):
        left = len(chosen) - number + 0.3  # that part is for what is left to do then
        suspects.append(Suspect(full, calls, replay, _clock() + (patience - _clock()) / left))
        suspects[-1].judge()
    changed = set().union(*(one.changed() for one in suspects))
    for number, one in enumerate(suspects):
        left = len(suspects) - number
        one.judge_globals(changed, _clock() + (patience - _clock()) / left)
    return {one.full: len(one.calls) for one in suspects}


if __name__ == "__main__":
    # under its own name, which it keeps when `__main__` is the program's
    importlib.import_module("cord.tools.verify.replay").main(sys.argv[1:])
