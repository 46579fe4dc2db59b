"""What a run was like, as `cord report` tells it: plain data, made of what was written down.

The numbers are found natively (`crates/cord-trace/src/facts/`); here they are put beside the
program's own lines.
"""

from __future__ import annotations

import json
import os
from collections import defaultdict
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from cord.tools.explain.told import where_copies_stop
from cord.tools.predict.at_lines import Gains, gains

if TYPE_CHECKING:
    from typing import Any

    from cord.tools.trace.reading import Trace

_NANO = 1e-9
# Of fewer samples it is not told where the program was.
FEWEST = 10
# The client's own machine, or one that is not known.
HERE = "this machine"
# The place of calls that copies have issued, and that the program makes nowhere.
BY_NOBODY = "calls that nobody came to"
# A line of a program, as (file, line).
Line = tuple[str, int]


@dataclass(frozen=True, slots=True)
class Place:
    """Where the program makes calls; times in seconds.

    Attributes:
        number: Its number in the trace.
        name: File and line, or the function's name.
        file: Its file, as `Facts.sources` has it; None if the text does not show the calls.
        lines: The first and the last line.
        call: The call as it is written.
        module: The remote module.
        ahead: How many calls were made ahead.
        just_then: How many were made a moment before, because a value had to come first.
        in_place: How many were made where the program stood.
        unsent: How many the program made itself.
        in_vain: How many were made that the program did not come to.
        told: Why not ahead, and how far ahead.
        reason: What the text alone tells of that; empty where it is ahead.
        remedy: What can be done then; empty for nothing.
        spent: How long the program was at these calls.
        hidden: How long calls ran that it did not wait for.
        numbers: All that was found of it natively, in nanoseconds.
    """

    number: int
    name: str
    file: str | None
    lines: tuple[int, int]
    call: str
    module: str
    ahead: int
    just_then: int
    in_place: int
    unsent: int
    in_vain: int
    told: list[str]
    reason: str
    remedy: str
    spent: float
    hidden: float
    numbers: dict[str, Any]

    @property
    def calls(self) -> int:
        """How many the program has made."""
        return self.ahead + self.just_then + self.in_place + self.unsent

    def mean(self, key: str) -> float:
        """A time in seconds, for each call that was answered."""
        answered: int = self.numbers["answered"]
        return self.numbers[key] * _NANO / answered if answered else 0.0


@dataclass(frozen=True, slots=True)
class Facts:
    """A run; times in seconds.

    Attributes:
        name: The program's name.
        head: What was known before (docs/trace.md).
        length: How long it took.
        is_whole: Whether the program came to its end; else nothing is known of its places.
        places: Where calls were made, in the order of the text.
        own: The program's own time, calls apart.
        own_lines: How that is spread over lines, by samples.
        samples: How many samples there were.
        waits: How often the program was seen at which line when it was at a call; samples, too.
        path: The critical path: for each place and kind of piece, how long.
        sources: The texts of files, by the name that is shown.
        fallen: Replicas that died by themselves: module, process id and wait status.
        stop: Where copies of the program came no further, and what can be done about it; if known.
        gains: What the calls of each place would gain; empty unless `with_gains` found it.
        numbers: All that was found natively.
    """

    name: str
    head: dict[str, Any]
    length: float
    is_whole: bool
    places: list[Place]
    own: float
    own_lines: dict[Line, float]
    samples: int
    waits: dict[Line, int]
    path: dict[tuple[int, str], float]
    sources: dict[str, list[str]]
    fallen: list[tuple[str, int, int | None]]
    numbers: dict[str, Any] = field(repr=False)
    stop: tuple[str, str] | None = None
    gains: Gains = field(default_factory=Gains)

    @property
    def has_nodes(self) -> bool:
        """Whether replicas were on more than one machine."""
        return len({one["node"] for one in self.numbers["replicas"]}) > 1

    def node_of(self, replica: dict[str, Any]) -> str:
        """The name of the machine that a replica was on; those on the client's have `HERE`."""
        names: dict[int, str] = dict(self.numbers["nodes"])
        return names.get(replica["node"], HERE)

    def threads_of(self, module: str) -> int:
        """How many replicas of a module share a process."""
        told = (one for one in self.head["modules"] if one["name"] == module)
        return next((int(one.get("threads", 1)) for one in told), 1)

    def name_of(self, replica: dict[str, Any]) -> str:
        """What a replica is called: its module and its place; "M 2.5" for a thread of the third."""
        modules = self.head["modules"]
        number, slot = replica["module"], replica["slot"]
        name = modules[number]["name"] if number < len(modules) else "?"
        threads = self.threads_of(name)
        place = slot if threads == 1 else f"{slot // threads}.{slot % threads}"
        return f"{name} {place}"

    def on_path(self, *kinds: str, place: int | None = None) -> float:
        """How much of the critical path is of these kinds."""
        return sum(
            spent
            for (at, kind), spent in self.path.items()
            if kind in kinds and (place is None or at == place)
        )

    def critical_lines(self) -> dict[Line, float]:
        """How much of the critical path lies at which line."""
        lines: defaultdict[Line, float] = defaultdict(float)
        part = self.on_path("own") / self.own if self.own > 0 else 0.0
        for line, spent in self.own_lines.items():
            lines[line] += part * spent
        for place in self.places:
            at = self.line_of(place)
            if at is not None:
                lines[at] += self.on_path(*AT_PLACES, place=place.number)
        return dict(lines)

    def line_of(self, place: Place) -> Line | None:
        """The line of a place; where the text does not show its calls, by samples.

        That is the line where the program was seen most, of those at whose calls the text tells
        nothing; of several such functions only for the one that was waited for longest.
        """
        if place.file is not None:
            return place.file, place.lines[0]
        if not place.number:
            return None  # the program was not at them
        known = {
            (other.file, line)
            for other in self.places
            for line in range(other.lines[0], other.lines[1] + 1)
        }
        seen = {line: count for line, count in self.waits.items() if line not in known}
        longer = [one for one in self.places if one.file is None and one.spent > place.spent]
        if longer or sum(seen.values()) < FEWEST:
            return None
        return max(seen, key=lambda line: seen[line])

    def text(self, line: Line) -> str:
        """A line of the program's text, as far as it is known."""
        lines = self.sources.get(line[0], [])
        return lines[line[1] - 1].strip() if 0 < line[1] <= len(lines) else ""


# The pieces of the critical path that lie at calls.
AT_PLACES = "handling made scout starting sending running behind needed coming".split()


def facts_of(trace: Trace) -> Facts:
    """What was written down of a run."""
    numbers = json.loads(trace.traced.facts(int(trace.end.get("seconds", 0) / _NANO)))
    return _put_together(trace.head, trace.end, numbers)


def _put_together(head: dict[str, Any], end: dict[str, Any], numbers: dict[str, Any]) -> Facts:
    names = _Names(head)
    length = numbers["length"] * _NANO
    own = max(0.0, length - numbers["at_calls"] * _NANO)
    seen = [(file, line, count) for file, line, count in end.get("lines", []) if count]
    samples = sum(count for _, _, count in seen)
    return Facts(
        name=os.path.basename(head["program"]),
        head=head,
        length=length,
        is_whole=bool(end),
        places=_places(head, end, numbers, names),
        own=own,
        own_lines={(names.shown(file), line): own * n / samples for file, line, n in seen},
        samples=samples,
        waits={(names.shown(file), line): n for file, line, n in end.get("waits", [])},
        path={(at, kind): spent * _NANO for at, kind, spent, _ in numbers["path"]["sums"]},
        sources={
            names.shown(file): text.splitlines() for file, text in end.get("sources", {}).items()
        },
        fallen=[tuple(one) for one in end.get("fallen", [])],
        numbers=numbers,
        stop=where_copies_stop(end.get("copies")),
    )


def with_gains(facts: Facts, trace: Trace) -> Facts:
    """The same, and what the calls of each place would gain: the run is simulated for that."""
    called = [place for place in facts.places if place.number and place.module and place.calls]
    called.sort(key=lambda place: -facts.on_path(*AT_PLACES, place=place.number))
    numbers, modules = [one.number for one in called], [one.module for one in called]
    found = gains(trace, numbers, modules, facts.numbers["calls"])
    return replace(facts, gains=found)


class _Names:
    """What files are called: by their path from the program's folder, where they lie in it."""

    def __init__(self, head: dict[str, Any]) -> None:
        self._base = head["folder"]
        program = os.path.join(self._base, head["program"])
        self._folder = os.path.dirname(program)

    def shown(self, file: str) -> str:
        path = os.path.join(self._base, file)
        return os.path.relpath(path, self._folder) if self._is_inside(path) else path

    def _is_inside(self, path: str) -> bool:
        return path.startswith(self._folder.rstrip(os.sep) + os.sep)


def _places(
    head: dict[str, Any], end: dict[str, Any], numbers: dict[str, Any], names: _Names
) -> list[Place]:
    modules = [module["name"] for module in head["modules"]]
    found = {one["place"]: one for one in numbers["places"]}
    told = {one["place"]: one for one in end.get("places", []) if one["remote"]}
    places = [
        _place(told.get(number), at, names, modules)
        for number, at in found.items()
        if told.get(number) is not None or at["takes"] or at["issued"]
    ]
    return sorted(places, key=lambda place: (place.file is None, place.file or "", place.lines))


def _place(
    told: dict[str, Any] | None, at: dict[str, Any], names: _Names, modules: list[str]
) -> Place:
    number = at["place"]
    module = modules[at["module"]] if at["module"] < len(modules) else ""
    if told is None:
        # what the end would tell is not there, or these are calls that replicas make
        nobody = "calls that replicas make" if at["nested"] else BY_NOBODY
        name = f"place {number}" if number else nobody
        sent = at["takes"] - at["unsent"]
        tally = [at["ahead"], 0, 0, sent - at["ahead"], at["unsent"], at["dropped"]]
        told = {"file": None, "lines": None, "call": "", "tally": tally, "told": []}
        told |= {"verdict": None, "reason": None, "remedy": None}
    else:
        name = ""
    file = names.shown(told["file"]) if told["file"] else None
    first, last = told["lines"] or (0, 0)
    by_slice, by_copy, just_then, in_place, unsent, in_vain = told["tally"]
    return Place(
        number=number,
        name=name or (f"{file}:{first}" if file else told["call"]),
        file=file,
        lines=(first, last),
        call=told["call"],
        module=module,
        ahead=by_slice + by_copy,
        just_then=just_then,
        in_place=in_place,
        unsent=unsent,
        in_vain=in_vain,
        told=told["told"],
        reason=(told["reason"] or "") if told["verdict"] == "in place" else "",
        remedy=told["remedy"] or "",
        spent=at["spent"] * _NANO,
        hidden=at["hidden"] * _NANO,
        numbers=at,
    )
