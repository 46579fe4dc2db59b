"""What a run's length was made of, and what would change it, in plain words.

All is read from the critical path: what is not on it does not make the run longer. What a run is
told to be limited by is the largest part of it.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cord.tools.report.table import bytes_text, fallen_text, time_text
from cord.tools.trace.facts import BY_NOBODY, FEWEST

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cord.tools.trace.facts import Facts, Line, Place

# Less of the run than this is not worth a word.
_LEAST = 0.08
# Arguments of so many bytes take longer on their way than most of what else there is to do.
_LARGE = 1 << 18
# Replicas that had a core for less of the time were more than there were cores for.
_CROWDED = 0.75
# A call that takes so many times as long as the usual one is a long one.
_LONG = 3
# Calls that take fewer seconds are hardly worth sending.
_SHORT = 0.0002
# What saves less of the run is hardly worth it.
_HARDLY = 0.02
_NANO = 1e-9


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that the run's length is made of.

    Attributes:
        spent: How many seconds of it; 0 for what is only worth knowing.
        about: The line or module that it is about.
        text: What it is.
        change: What to change; empty if there is nothing.
        line: The program's line, if it is one: file and number.
    """

    spent: float
    about: str
    text: str
    change: str
    line: tuple[str, int] | None = None


def diagnose(facts: Facts) -> list[Finding]:
    """All findings, those that matter most first."""
    unseen = {place.name: facts.line_of(place) for place in facts.places if not place.file}
    found = [
        _with_line(one, unseen.get(one.about))
        for one in _parts(facts)
        if one.spent >= _LEAST * facts.length
    ]
    found.sort(key=lambda one: -one.spent)
    return [*found, *_besides(facts)]


def _with_line(one: Finding, line: Line | None) -> Finding:
    if line is None:
        return one
    about = f"{line[0]}:{line[1]}, {one.about}"
    text = f"{one.text} (that it is called at this line is sampled)"
    return dataclasses.replace(one, about=about, text=text, line=line)


def _parts(facts: Facts) -> Iterator[Finding]:
    yield _own(facts)
    yield _starting(facts)
    for place in facts.places:
        yield _made(facts, place)
        yield _handling(facts, place)
        yield _waiting(facts, place)
        yield _needed(facts, place)
    for module in facts.head["modules"]:
        yield _behind(facts, module["name"])


def _own(facts: Facts) -> Finding:
    spent = facts.on_path("own")
    lines = sorted(facts.own_lines.items(), key=lambda one: -one[1])
    if facts.samples < FEWEST:
        return Finding(spent, facts.name, f"{_OWN}; too few samples tell where", _MORE_REMOTE)
    (line, most), *_ = lines
    name = f"{line[0]}:{line[1]}"
    text = f"{_OWN}; {share(most, facts.own)} of that is at {name} (sampled), `{facts.text(line)}`"
    change = f"more replicas do not help: {_MORE_REMOTE} (line {line[1]})"
    if facts.text(line).startswith(("import ", "from ")):
        change = "it is an import, which plain Python makes as well"
    return Finding(spent, name, text, change, line)


_OWN = "the program's own work, calls apart"
_MORE_REMOTE = "what takes long there belongs into a function of a remote module"


def _starting(facts: Facts) -> Finding:
    spent = facts.on_path("starting")
    text = "the program waits for replicas to start, and to import what their first calls need"
    return Finding(spent, "replicas", text, "nothing; a longer run feels it less")


def _made(facts: Facts, place: Place) -> Finding:
    spent = facts.on_path("made", place=place.number)
    each = spent / place.unsent if place.unsent else 0.0
    text = (
        f"the program makes calls itself, {place.unsent} of {place.calls}, {time_text(each)} each, "
        f"for sending them had taken longer"
    )
    change = "put more work into one call"
    if _crowded(facts, place.module):
        text += f"; replicas of {place.module} had a core for only {_core_share(facts, place)}"
        change = _MORE_CORES.format(facts.head["cores"])
    elif each > 0.002:
        change = "nothing, if replicas were busy meanwhile"
    return Finding(spent, place.name, text, change, _line(place))


_MORE_CORES = (
    "fewer other programs beside it, or more cores than {} here; more replicas do not help"
)


def _handling(facts: Facts, place: Place) -> Finding:
    spent = facts.on_path("handling", "scout", place=place.number)
    each = spent / place.calls if place.calls else 0.0
    sent = _mean_bytes(place)
    text = (
        f"Cord's own work in the client for {place.calls} calls, {time_text(each)} each: finding "
        f"out what comes next, encoding {bytes_text(sent)}, taking answers"
    )
    change = "put more work into one call, so that there are fewer"
    if sent > _LARGE:
        change = _LESS_BYTES.format(_key(place.module))
    return Finding(spent, place.name, text, change, _line(place))


_LESS_BYTES = 'remote.{}.resident = "auto" sends a large argument once'


def _waiting(facts: Facts, place: Place) -> Finding:
    """The program waits for calls of this place that no other calls kept from beginning."""
    running = facts.on_path("running", place=place.number)
    moving = facts.on_path("sending", "coming", place=place.number)
    line = _line(place)
    begun_there = place.in_place + place.just_then
    sent = begun_there + place.ahead
    if moving > running:
        return _moving(facts, place, running + moving)
    if begun_there * 2 > sent:
        how, remedy = _reason(place) if facts.stop is None else facts.stop
        text = f"the program waits here for calls that begin only when it comes to them: {how}"
        return Finding(running + moving, place.name, text, remedy, line)
    if _crowded(facts, place.module):
        text = (
            "the program waits here for calls that run already; they had a core for only "
            f"{_core_share(facts, place)} of the time"
        )
        change = _MORE_CORES.format(facts.head["cores"])
        return Finding(running + moving, place.name, text, change, line)
    _, usual, _, _, longest = place.numbers["quantiles"]
    if longest > _LONG * usual > 0:
        text = (
            "the program waits here for long calls: the usual one takes "
            f"{time_text(usual * _NANO)}, the longest {time_text(longest * _NANO)}"
        )
        change = (
            f"remote.{_key(place.module)}.priority = an expression over the parameters that is "
            "large for long calls lets them begin first; or split them"
        )
        return Finding(running + moving, place.name, text, change, line)
    text = f"the program waits here for calls that run already, {time_text(usual * _NANO)} each"
    change = _reason(place)[1] or "shorter calls, or more of them at once"
    if facts.stop is not None:
        text, change = f"{text}; {facts.stop[0]}", facts.stop[1]
    return Finding(running + moving, place.name, text, change, line)


def _moving(facts: Facts, place: Place, spent: float) -> Finding:
    """Calls of this place are longer on their way than they take."""
    sent = _mean_bytes(place)
    each = place.mean("service")
    text = (
        f"calls are longer on their way than they take: {time_text(each)} each, "
        f"{bytes_text(sent)} of arguments"
    )
    if sent > _LARGE:
        change = _LESS_BYTES.format(_key(place.module))
    elif _crowded(facts, place.module):
        change = _MORE_CORES.format(facts.head["cores"])
    elif each < _SHORT:
        change = "put more work into one call"
    else:
        change = "more calls ahead, or more replicas, if these are far away"
    return Finding(spent, place.name, text, change, _line(place))


def _reason(place: Place) -> tuple[str, str]:
    """How often calls were in place and why, as `cord explain --run` has it, and the remedy."""
    begun_there = place.in_place + place.just_then
    at = next((at for at, line in enumerate(place.told) if "because" in line), None)
    if at is None:
        often = f"in place {begun_there} of {place.calls} times"
        return (f"{often}: {place.reason}", place.remedy) if place.reason else (often, "")
    remedies = [line for line in place.told[at + 1 : at + 2] if line.startswith("remedy: ")]
    remedy = remedies[0].removeprefix("remedy: ") if remedies else ""
    return place.told[at].rstrip("."), remedy.rstrip(".")


def _needed(facts: Facts, place: Place) -> Finding:
    spent = facts.on_path("needed", place=place.number)
    text = (
        f"calls wait for the values of others made here, {time_text(place.mean('service'))} each, "
        "one after the other"
    )
    change = "more replicas do not help; calls that do not need each other's values would overlap"
    return Finding(spent, place.name, text, change, _line(place))


def _behind(facts: Facts, module: str) -> Finding:
    """Calls wait for others in the module's replicas."""
    places = [place for place in facts.places if place.module == module]
    spent = sum(facts.on_path("behind", place=place.number) for place in places)
    many = len({one["slot"] for one in _replicas(facts, module)})
    most = max(places, key=lambda place: facts.on_path("behind", place=place.number), default=None)
    has_threads = facts.threads_of(module) > 1
    noun = "its replica is" if many == 1 else f"all {many} replicas are"
    if has_threads:
        noun = f"all {many} threads of its replicas are"
    text = f"calls of {module} wait because {noun} at other calls"
    change = _more_replicas(facts, module, 2 * many)
    if _crowded(facts, module) and most is not None:
        text += f"; they had a core for only {_core_share(facts, most)} of the time"
        change = _MORE_CORES.format(facts.head["cores"])
    elif not has_threads and facts.head["engine"] == "local" and many >= facts.head["cores"]:
        change += f"; if its calls compute, with more cores ({facts.head['cores']} here)"
    line = _line(most) if most is not None else None
    about = most.name if most is not None else module
    return Finding(spent, about, text, change, line)


def _more_replicas(facts: Facts, module: str, many: int) -> str:
    """What to set for more replicas, and what that would gain, where that was simulated."""
    threads = facts.threads_of(module)
    change = f"remote.{_key(module)}.replicas = {many}"
    if threads > 1:
        replicas = len({one["slot"] // threads for one in _replicas(facts, module)})
        change = f"remote.{_key(module)}.threads = {many // max(replicas, 1)}"
    simulated, saved = facts.gains.more.get(module, (0, 0.0))
    if simulated != many:
        return change
    if saved < _HARDLY * facts.length:
        return f"{change} would hardly gain anything, as simulated"
    return f"{change}, for a run shorter by {share(saved, facts.length)}, as simulated"


def _besides(facts: Facts) -> Iterator[Finding]:
    """What is worth knowing, though it is not on the path by itself."""
    busy = sum(one["busy"] for one in facts.numbers["replicas"])
    for place in facts.places:
        in_vain = place.numbers["in_vain"]
        if busy and in_vain > 0.2 * busy:
            text = (
                f"{share(in_vain, busy)} of what replicas did was in vain: calls that the program "
                "did not come to"
            )
            change = f"remote.{_key(place.module)}.lookahead = {{ calls = ... }} bounds them"
            if place.name == BY_NOBODY:  # copies have issued them, where no line shows the call
                change = 'speculate = "exact" under [run]: copies then issue none behind a guess'
            yield Finding(0.0, place.name, text, change, _line(place))
    for fallen in facts.fallen:
        text = f"{fallen_text(*fallen)}; calls that it had were lost or made again"
        yield Finding(0.0, fallen[0], text, "")
    if not facts.is_whole:
        text = "the trace was cut off: the program was killed, so its lines are not known"
        yield Finding(0.0, facts.name, text, "")
    elif not facts.places:
        yield Finding(0.0, facts.name, "no call of a remote function was sent to a replica", "")


@dataclass(frozen=True, slots=True)
class Use:
    """How busy some replicas were.

    Attributes:
        name: Their module's, or their node's.
        many: How many there were at once.
        busy: For which part of the time from when each was ready until the run's end.
        in_vain: For which part of it with calls that nobody took.
        nodes: The same by node, where there are several.
    """

    name: str
    many: int
    busy: float
    in_vain: float
    nodes: list[Use]


def use_of(facts: Facts) -> list[Use]:
    """For each module, how busy its replicas were."""
    found = []
    for module in facts.head["modules"]:
        ones = _replicas(facts, module["name"])
        nodes: list[Use | None] = []
        if facts.has_nodes:
            names = {facts.node_of(one): one["node"] for one in ones}
            nodes = [
                _use(facts, name, [one for one in ones if one["node"] == node], [])
                for name, node in sorted(names.items(), key=lambda one: one[1] or 0)
            ]
        whole = _use(facts, module["name"], ones, [use for use in nodes if use is not None])
        if whole is not None:
            found.append(whole)
    return found


def _use(facts: Facts, name: str, ones: list[dict[str, int]], nodes: list[Use]) -> Use | None:
    there = sum(_there(facts, one) for one in ones)
    if not there:
        return None
    busy, in_vain = sum(one["busy"] for one in ones), sum(one["in_vain"] for one in ones)
    many = len({one["slot"] for one in ones})
    return Use(name, many, busy / there, in_vain / there, nodes)


def _there(facts: Facts, one: dict[str, int]) -> int:
    """For how long a replica could take calls."""
    if one["ready"] is None:
        return 0
    end = one["died"] if one["died"] is not None else facts.numbers["length"]
    return max(0, end - one["ready"])


def _replicas(facts: Facts, module: str) -> list[dict[str, int]]:
    modules = [one["name"] for one in facts.head["modules"]]
    return [one for one in facts.numbers["replicas"] if modules.index(module) == one["module"]]


def _crowded(facts: Facts, module: str) -> bool:
    """Whether a module's replicas waited for cores."""
    return 0 < _core(facts, module) < _CROWDED


def _core(facts: Facts, module: str) -> float:
    """For which part of the time in which calls of a module ran they had a core."""
    places = [place.numbers for place in facts.places if place.module == module]
    ran = sum(one["ran"] - one["in_vain"] for one in places)
    return sum(one["service"] for one in places) / ran if ran > 0 else 0.0


def _core_share(facts: Facts, place: Place) -> str:
    return f"{100 * _core(facts, place.module):.0f} %"


def _key(module: str) -> str:
    """A module's name as a key of the plan."""
    return f'"{module}"' if "." in module else module


def _mean_bytes(place: Place) -> int:
    issued: int = place.numbers["issued"]
    return int((place.numbers["bytes"] + place.numbers["supplied"]) / issued) if issued else 0


def _line(place: Place) -> tuple[str, int] | None:
    return (place.file, place.lines[0]) if place.file is not None else None


def share(part: float, whole: float) -> str:
    """A part in hundredths."""
    if whole <= 0:
        return "0 %"
    return f"{100 * part / whole:.0f} %" if part > 0.005 * whole else "<1 %"
