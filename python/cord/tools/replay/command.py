"""`cord replay`: recorded calls, in a list; one of them made again, or all."""

from __future__ import annotations

import json
import os
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

from cord.errors import CordError
from cord.plan import program as programs
from cord.plan.read import FILE_NAME, read_plan
from cord.tools.kept.command import folder_of_plan
from cord.tools.kept.shown import when
from cord.tools.replay import came
from cord.tools.replay.everything import replay_all
from cord.tools.replay.recorded import Store, nothing
from cord.tools.replay.shown import arguments_text, columns, quiet
from cord.tools.replay.single import replay as replay_one
from cord.tools.replay.stage import Stage, program_of
from cord.tools.report.table import time_text
from cord.tools.shadowing import keep_apart

if TYPE_CHECKING:
    from cord.plan.model import Plan
    from cord.plan.program import Program
    from cord.tools.replay.recorded import Row

# So many calls are listed where no function is named.
_MOST_LINES = 20
_PLACES = ("here", "replica")


def replay(
    which: str,
    config: str | None,
    place: str | None,
    *,
    every: bool,
    debugs: bool,
    as_data: bool,
) -> int:
    """What `cord replay` does.

    Args:
        which: A key, or the beginning of one; a function; or empty.
        config: The plan, if it is not the cord.toml of this folder.
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
        raise CordError(f"--in is {place}; allowed: {' or '.join(_PLACES)}")
    if debugs and (every or place == "replica"):
        what = "one call" if every else "calls that are made here"
        raise CordError(f"--pdb is for {what}", "cord replay --pdb KEY")
    try:
        store = Store(folder_of_plan(config))
    except OSError as exc:
        raise CordError(f"what is recorded cannot be read: {exc}") from None
    return _Replay(store, config, as_data=as_data).do(which, place, every=every, debugs=debugs)


class _Replay:
    def __init__(self, store: Store, config: str | None, *, as_data: bool) -> None:
        self._store = store
        self._config = os.path.abspath(config or FILE_NAME)  # calls have folders of their own
        self._as_data = as_data
        self._plan: Plan | None = None
        self._program: Program | None = None
        self._stage = Stage(self._is_script)

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
        self._plan, self._program = read_plan(self._config, [], program), program
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
        if not which:
            rows = self._pure(plan, rows)
        from cord.tools.replay.replicas import Replicas

        with Replicas(plan, program) as replicas:
            self._stage.lead = replicas.lead
            return replay_all(self._store, rows, self._stage, replicas, as_data=self._as_data)

    def _pure(self, plan: Plan, rows: list[Row]) -> list[Row]:
        """Calls that ask nobody: those of a service are made again only if they are named."""
        asks = {row.function for row in rows if _is_repeatable(plan, row)}
        if asks:
            names = ", ".join(sorted(asks))
            left = "without" if len(asks) < len({row.function for row in rows}) else "nothing but"
            sys.stderr.write(
                f"cord: {left} {names}: a repeatable function asks others again only if it is "
                "named, as in cord replay --all FUNCTION\n"
            )
        return [row for row in rows if row.function not in asks]

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
        return 0

    def _told(self, row: Row) -> tuple[str, str, str, str]:
        arguments, text = "?", "raised" if row.raised else ""
        with quiet(), suppress(Exception):
            call = self._store.call(row)
            if self._plan is None:
                self._read_plan(row)
            made = self._stage.decode(row, call)
            arguments = arguments_text(made)
            before = came.then(call, made)
            text = before.text if before is not None else "?"
        return arguments, when(row.made), time_text(row.seconds), text


def _is_repeatable(plan: Plan, row: Row) -> bool:
    remote = plan.remote.get(row.module)
    name = row.function.removeprefix(f"{row.module}.").removeprefix("__main__.")
    return remote is not None and remote.function(name).repeatable
