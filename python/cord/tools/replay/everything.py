"""All recorded calls made again in replicas: which of them give something else now?"""

from __future__ import annotations

import json
import time
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextvars import copy_context
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cord.errors import CordError
from cord.tools.replay import came
from cord.tools.replay.came import Came
from cord.tools.replay.shown import arguments_text, columns, quiet

if TYPE_CHECKING:
    from typing import Any, TextIO

    from cord.tools.replay.recorded import Row, Store
    from cord.tools.replay.replicas import Replicas
    from cord.tools.replay.stage import Call, Made, Stage

    # What is told of a call that differs; nothing of one that does not, None where nobody knows.
    _Result = dict[str, Any] | None

# Nothing is said of work that is done sooner, and then as often, in seconds.
_SAYS_EACH = 5.0
# Of so many calls that differ a line is printed.
_MOST_LINES = 50


@dataclass(slots=True)
class _Found:
    """What has become of the calls.

    Attributes:
        made: How many were made again.
        differ: Those that give something else, each with what is told of it.
        stuck: Those that cannot be made again, and why.
        unknown: How many were made of which nobody knows what came of them then.
    """

    made: int = 0
    unknown: int = 0
    differ: list[tuple[Row, dict[str, Any]]] = field(default_factory=list)
    stuck: list[tuple[Row, str]] = field(default_factory=list)


def replay_all(
    store: Store, rows: list[Row], stage: Stage, replicas: Replicas, *, as_data: bool
) -> int:
    """Make calls again, several at a time, and say which give something else.

    Args:
        store: Where they are.
        rows: The calls.
        stage: Where they are made.
        replicas: The replicas that make them.
        as_data: Print JSON.

    Returns:
        The exit code: 1 if any differs or cannot be made, else 0.
    """
    with quiet() as stderr:
        found = _Runner(store, stage, replicas.places, len(rows), stderr).run(rows)
    if as_data:
        print(json.dumps(_as_data(found), indent=2))
    else:
        _print(found)
    return 1 if found.differ or found.stuck else 0


class _Runner:
    def __init__(self, store: Store, stage: Stage, places: int, count: int, stderr: TextIO) -> None:
        self._store = store
        self._stage = stage
        self._count = count
        self._places = 2 * places  # while one waits, another is on its way
        self._stderr = stderr
        self._said = time.monotonic()
        self._found = _Found()
        self._waiting: dict[Future[_Result], Row] = {}

    def run(self, rows: list[Row]) -> _Found:
        """Make all of them."""
        here: tuple[Any, ...] | None = None
        with ThreadPoolExecutor(self._places) as pool:
            for row in rows:
                try:
                    call = self._store.call(row)
                    place = self._stage.place_of(row, call)
                    if place != here:  # no call is under way while this process changes
                        self._collect(0)
                        here = place
                    made = self._stage.decode(row, call)
                except CordError as error:
                    self._found.stuck.append((row, error.args[0]))
                    continue
                # settings such as the decimal context are this thread's
                own = copy_context().run
                self._waiting[pool.submit(own, _made_again, call, made)] = row
                self._collect(2 * self._places)
            self._collect(0)
        return self._found

    def _collect(self, most: int) -> None:
        """Wait until no more than so many calls are under way."""
        while len(self._waiting) > most:
            done, _ = wait(self._waiting, timeout=1.0, return_when=FIRST_COMPLETED)
            for one in done:
                self._add(self._waiting.pop(one), one)
            self._say()

    def _add(self, row: Row, done: Future[_Result]) -> None:
        found = self._found
        try:
            differs = done.result()
        except CordError as error:
            found.stuck.append((row, error.args[0]))
            return
        found.made += 1
        if differs is None:
            found.unknown += 1
        elif differs:
            found.differ.append((row, differs))

    def _say(self) -> None:
        if time.monotonic() - self._said < _SAYS_EACH or self._stderr is None:
            return
        self._said = time.monotonic()
        found = self._found
        self._stderr.write(
            f"cord: {found.made:,} of {self._count:,} calls made again, "
            f"{len(found.differ):,} differ\n"
        )
        self._stderr.flush()


def _made_again(call: Call, made: Made) -> _Result:
    before, changed = came.then(call, made), call[3]
    text = arguments_text(made)  # before it changes them
    is_now = came.now(made)
    if before is None:
        return None
    if came.are_same(before, is_now):
        return {}
    return {"arguments": text, "was": before, "is": is_now, "changed": changed}


def _print(found: _Found) -> None:
    total = found.made + len(found.stuck)
    print(f"{len(found.differ):,} of {total:,} differ")
    if found.differ:
        print()
        cells = [
            (row.short_key, row.function, one["arguments"], one["was"].text, one["is"].text)
            for row, one in found.differ[:_MOST_LINES]
        ]
        columns([("key", "function", "arguments", "was", "is"), *cells])
        if len(found.differ) > _MOST_LINES:
            print(f"and {len(found.differ) - _MOST_LINES:,} more: --json has all of them")
    changed = sorted({one["changed"] for _, one in found.differ if one["changed"]})
    for what in changed:
        print(f"What some of them had read is another thing now: {what}.")
    if found.unknown:
        print(f"{found.unknown:,} were made, but what came of them then is not kept any more.")
    for row, why in found.stuck[:_MOST_LINES]:
        print(f"{row.function}: {why}")
    if len(found.stuck) > _MOST_LINES:
        print(f"and {len(found.stuck) - _MOST_LINES:,} more that cannot be made again")


def _as_data(found: _Found) -> dict[str, Any]:
    def plain(value: Any) -> Any:
        return value.as_data() if isinstance(value, Came) else value

    return {
        "calls": found.made + len(found.stuck),
        "unknown": found.unknown,
        "differ": [
            {"key": row.key, "function": row.function}
            | {name: plain(value) for name, value in one.items()}
            for row, one in found.differ
        ],
        "stuck": [
            {"key": row.key, "function": row.function, "why": why} for row, why in found.stuck
        ],
    }
