"""All recorded calls made again in replicas: which of them give something else now?"""

from __future__ import annotations

import json
import marshal
import time
from collections import Counter
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextvars import copy_context
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import blake2b
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
class Found:
    """What has become of the calls.

    Attributes:
        made: How many were made again.
        differ: Those that give something else, each with what is told of it.
        stuck: Those that cannot be made again, and why.
        unknown: How many were made of which nobody knows what came of them then.
        left_out: How many were not to be made, by their functions, which ask others.
    """

    made: int = 0
    unknown: int = 0
    left_out: dict[str, int] = field(default_factory=dict)
    differ: list[tuple[Row, dict[str, Any]]] = field(default_factory=list)
    stuck: list[tuple[Row, str]] = field(default_factory=list)


def replay_all(
    store: Store, rows: list[Row], stage: Stage, replicas: Replicas, found: Found
) -> None:
    """Make calls again, several at a time; of equal ones that which was recorded last.

    Args:
        store: Where they are.
        rows: The calls, the newest first.
        stage: Where they are made.
        replicas: The replicas that make them.
        found: What becomes of them.
    """
    with quiet() as stderr:
        _Runner(store, stage, replicas.places, found, stderr).run(rows)


def print_found(found: Found, *, as_data: bool) -> None:
    """Say which give something else."""
    if as_data:
        print(json.dumps(_as_data(found), indent=2))
    else:
        _print(found)


class _Runner:
    def __init__(
        self, store: Store, stage: Stage, places: int, found: Found, stderr: TextIO
    ) -> None:
        self._store = store
        self._stage = stage
        self._count = 0
        self._places = 2 * places  # while one waits, another is on its way
        self._stderr = stderr
        self._said = time.monotonic()
        self._found = found
        self._waiting: dict[Future[_Result], Row] = {}

    def run(self, rows: list[Row]) -> None:
        """Make all of them."""
        here: tuple[Any, ...] | None = None
        self._count, known = len(rows), set()
        with ThreadPoolExecutor(self._places) as pool:
            for row in rows:
                try:
                    call = self._store.call(row)
                    if (digest := _digest(row, call)) in known:  # of older code, say
                        self._count -= 1
                        continue
                    known.add(digest)
                    place = self._stage.place_of(row, call)
                    if place != here:  # no call is under way while this process changes
                        self._collect(0)
                        here = place
                    made = self._stage.decode(row, call)
                except CordError as error:
                    self._found.stuck.append((row, why_not(row, error)))
                    continue
                # settings such as the decimal context are this thread's
                own = copy_context().run
                self._waiting[pool.submit(own, _made_again, call, made)] = row
                self._collect(2 * self._places)
            self._collect(0)

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
            found.stuck.append((row, why_not(row, error)))
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


def _digest(row: Row, call: Call) -> bytes:
    """What equal calls of a function have in common: its arguments, and the world they found."""
    codec, head, buffers = call[0]
    hasher = blake2b(repr((row.function, codec, len(head), *map(len, buffers))).encode())
    for part in (head, *buffers, _world(call[1] or b"")):
        hasher.update(part)
    return hasher.digest()


@lru_cache(maxsize=256)
def _world(world: bytes) -> bytes:
    """What equal worlds of two runs have in common: each run has numbers of its own in them."""
    if not world:
        return b""
    *told, (*content, state) = marshal.loads(world)
    again, definitions, _, items = marshal.loads(state) if state else ({}, b"", {}, b"")
    return repr((told, content, again, definitions, items)).encode("utf-8", "surrogateescape")


def why_not(row: Row, error: CordError) -> str:
    """Why a call cannot be made again, as it may be true of others, too."""
    return error.message.removeprefix(row.short_key).lstrip(": ")


def _made_again(call: Call, made: Made) -> _Result:
    before, changed = came.then(call, made), call[3]
    text = arguments_text(made)  # before it changes them
    is_now = came.now(made)
    if before is None:
        return None
    differs = came.what_differs(before, is_now)
    if differs is None:
        return {}
    told = {"arguments": text, "was": before, "is": is_now, "changed": changed}
    return {**told, "differs_in": differs}


def _print(found: Found) -> None:
    total = found.made + len(found.stuck)
    stuck = f", {len(found.stuck):,} cannot be made again" if found.stuck else ""
    print(f"{len(found.differ):,} of {total:,} differ{stuck}")
    if found.differ:
        print()
        cells = [
            (row.short_key, row.function, one["arguments"], one["was"].text, _is(one))
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
    reasons = Counter(f"of {row.function} {why}" for row, why in found.stuck)
    for why, count in list(reasons.items())[:_MOST_LINES]:
        print(f"{_calls(count)} {why}")
    if found.left_out:
        names = sorted(found.left_out)
        print(
            f"{_calls(sum(found.left_out.values()))} of {', '.join(names)} left out: a repeatable "
            f"function asks others, so it has to be named: cord replay --all {names[0]}"
        )


def _is(one: dict[str, Any]) -> str:
    text: str = one["is"].text
    return f"{text} (differs in {one['differs_in']})" if one["differs_in"] else text


def _calls(count: int) -> str:
    return f"{count:,} call{'' if count == 1 else 's'}"


def _as_data(found: Found) -> dict[str, Any]:
    def plain(value: Any) -> Any:
        return value.as_data() if isinstance(value, Came) else value

    return {
        "calls": found.made + len(found.stuck),
        "unknown": found.unknown,
        "left_out": found.left_out,
        "differ": [
            {"key": row.key, "function": row.function}
            | {name: plain(value) for name, value in one.items()}
            for row, one in found.differ
        ],
        "stuck": [
            {"key": row.key, "function": row.function, "why": why} for row, why in found.stuck
        ],
    }
