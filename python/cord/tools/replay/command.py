"""`cord replay`: recorded calls, in a list; one of them made again, or all."""

from __future__ import annotations

import json
import os
import sys
from collections import Counter
from contextlib import suppress
from typing import TYPE_CHECKING

from cord.errors import CordError
from cord.plan import program as programs
from cord.tools.kept.shown import when
from cord.tools.kept.store import usable
from cord.tools.replay import came
from cord.tools.replay.everything import Found, print_found, replay_all, why_not
from cord.tools.replay.recorded import Store, nothing
from cord.tools.replay.shown import arguments_text, columns, quiet
from cord.tools.replay.single import replay as replay_one
from cord.tools.replay.stage import Stage, program_of
from cord.tools.report.table import time_text
from cord.tools.shadowing import keep_apart

if TYPE_CHECKING:
    from collections.abc import Callable

    from cord.plan.model import Plan
    from cord.plan.program import Program
    from cord.tools.replay.recorded import Row

# So many calls are listed where no function is named.
_MOST_LINES = 20
_PLACES = ("here", "replica")


def replay(
    folder: str,
    read_plan: Callable[[Program], Plan],
    which: str,
    place: str | None,
    *,
    every: bool,
    debugs: bool,
    as_data: bool,
) -> int:
    """What `cord replay` does.

    Args:
        folder: Where runs have recorded calls.
        read_plan: Reads the plan, for a program.
        which: A key, or the beginning of one; a function; or empty.
        place: Where a call is made: "here", "replica", or None.
        every: Make all calls again.
        debugs: Stop at a call's exception, or its first line.
        as_data: Print JSON.

    Returns:
        The exit code.

    Raises:
        CordError: There is no such call, or it cannot be made again.
    """
    if place is not None and place not in _PLACES:
        allowed = " or ".join(_PLACES)
        raise CordError(f"--in is {place}; allowed: {allowed}", "cord replay --in replica KEY")
    if debugs and (every or place == "replica" or as_data):
        what = "one call" if every else "calls that are made here"
        what = "who reads and types, not for --json" if as_data else what
        raise CordError(f"--pdb is for {what}", "cord replay --pdb KEY")
    if every and place is not None:
        raise CordError("--in is for one call: --all makes calls in replicas", "leave --in out")
    with usable(folder):
        store = Store(folder)
    return _Replay(store, read_plan, as_data=as_data).do(which, place, every=every, debugs=debugs)


class _Replay:
    def __init__(
        self, store: Store, read_plan: Callable[[Program], Plan], *, as_data: bool
    ) -> None:
        self._store = store
        self._read = read_plan
        self._as_data = as_data
        self._plan: Plan | None = None
        self._program: Program | None = None
        self._stage = Stage(self._is_script)
        self._unread: Counter[str] = Counter()

    def do(self, which: str, place: str | None, *, every: bool, debugs: bool) -> int:
        """One call, or all, or the list."""
        named = self._store.of_function(which) if which else []
        if every:
            return self._all(which, named)
        if not which and not debugs and place is None:
            return self._list(self._store.rows, most=_MOST_LINES)
        if named and not debugs and place is None:
            return self._list(named, most=None)
        rows = [row for row in named if row.raised]
        if not which:
            row = self._store.last_that_raised()
        else:
            row = (rows or named or [self._store.one(which)])[0]
        if place != "replica":
            self._read_plan(row)
            return replay_one(self._store, row, self._stage, debugs=debugs, as_data=self._as_data)
        from cord.tools.replay.replicas import Replicas

        plan, program = self._begin(row)
        with Replicas(plan, program) as replicas:
            self._stage.lead = replicas.lead
            return replay_one(self._store, row, self._stage, debugs=False, as_data=self._as_data)

    # ---- where calls are made ------------------------------------------------------------------

    def _is_script(self, module: str) -> bool:
        assert self._plan is not None
        remote = self._plan.remote.get(module)
        if remote is None:
            raise CordError(
                f"{module} is not remote any more, so none of its calls can be made again",
                f"{self._plan.path} has no [remote.{module}]",
            )
        return remote.is_program

    def _read_plan(self, row: Row) -> tuple[Plan, Program]:
        """The plan, for the program that has made a call."""
        call = self._store.call(row)
        found = program_of(call)
        program = programs.running()
        if found is not None:
            told, (folder, path, *_) = found
            with suppress(OSError):
                os.chdir(folder)
            if told.module is not None:
                program = programs.module(told.module)
            elif told.path:
                program = programs.script(told.path)
            if self._plan is None:
                keep_apart(program.folder)
            sys.path[:] = path
        self._plan, self._program = self._read(program), program
        return self._plan, program

    def _begin(self, row: Row) -> tuple[Plan, Program]:
        """Become what the program was at a call: replicas begin as that."""
        plan, program = self._read_plan(row)
        self._stage.begin(row, self._store.call(row))
        return plan, program

    # ---- what is done --------------------------------------------------------------------------

    def _all(self, which: str, named: list[Row]) -> int:
        if which and not named:
            named = [self._store.one(which)]
        rows = named if which else self._store.rows
        if not rows:
            raise nothing(self._store.folder)
        plan, program = self._begin(rows[0])
        found = Found()
        if not which:  # those of a service are made again only if they are named
            found.left_out = Counter(row.function for row in rows if _is_repeatable(plan, row))
            rows = [row for row in rows if row.function not in found.left_out]
        if rows:
            from cord.tools.replay.replicas import Replicas

            with Replicas(plan, program) as replicas:
                self._stage.lead = replicas.lead
                replay_all(self._store, rows, self._stage, replicas, found)
        print_found(found, as_data=self._as_data)
        return 1 if found.differ or found.stuck else 0

    def _list(self, rows: list[Row], most: int | None) -> int:
        if self._as_data:
            fields = ("key", "function", "module", "made", "seconds", "raised", "bytes")
            print(json.dumps([{name: getattr(row, name) for name in fields} for row in rows]))
            return 0
        if not rows:
            raise nothing(self._store.folder)
        rows = sorted(rows, key=lambda row: not row.raised)  # what went wrong is looked for first
        shown = rows[:most]
        cells = [(row.short_key, row.function, *self._told(row)) for row in shown]
        columns([("key", "function", "arguments", "recorded", "took", "came to"), *cells])
        if len(rows) > len(shown):
            print(f"and {len(rows) - len(shown):,} more: cord replay FUNCTION lists those of one")
        for why, count in self._unread.items():
            print(f"?: {count:,} {why}")
        return 0

    def _told(self, row: Row) -> tuple[str, str, str, str]:
        arguments, text = "?", "raised" if row.raised else "?"
        try:
            with quiet():
                call = self._store.call(row)
                if self._plan is None:
                    self._read_plan(row)
                made = self._stage.decode(row, call)
                arguments = arguments_text(made)
                before = came.then(call, made)
                text = before.text if before is not None else "?"
        except Exception as exc:
            why = why_not(row, exc) if isinstance(exc, CordError) else f"cannot be read: {exc}"
            self._unread[f"of {row.function} {why}"] += 1
        return arguments, when(row.made), time_text(row.seconds), text


def _is_repeatable(plan: Plan, row: Row) -> bool:
    remote = plan.remote.get(row.module)
    name = row.function.removeprefix(f"{row.module}.").removeprefix("__main__.")
    return remote is not None and remote.function(name).repeatable
