"""The steps from plain runs to the plan that pays, or to why there is none."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from cord._core import means
from cord.plan.modules import find_module, search_path, stem_of
from cord.plan.problems import listing
from cord.plan.words import AUTO, WAITERS
from cord.tools.init.advice import nothing_gained, nothing_pure, nothing_to_name
from cord.tools.init.choice import Candidate, candidates, choices
from cord.tools.init.evidence import Evidence, learn, read, watch
from cord.tools.init.gain import Gain, Tried, as_tried
from cord.tools.init.profile import MAIN
from cord.tools.init.profiler import METHOD
from cord.tools.init.proposal import Table, tables
from cord.tools.init.refusal import duration
from cord.tools.init.writing import Written, written

if TYPE_CHECKING:
    from cord.plan.program import Program
    from cord.tools.init.plain import Plain
    from cord.tools.init.profile import Function, Profile

_HOPELESS = 1.15  # as long as plain Python, in a first run, which finds out what later ones know
_WORSE = 1.3  # as long as under the quickest plan
MEASURED = 2  # plans
LATE = 1.2  # seconds at least by which a watched run is longer; it may show whole ones
_NOT_THERE = 0, "not there"
LARGE = 32 << 10  # bytes of arguments that replicas may better keep


def find(plain: Plain) -> Written:
    """The plan that pays.

    Raises:
        Refused: None does.
    """
    profile = plain.profile()
    found = candidates(profile, lambda function: _is_public(plain.program, function))
    if not found:
        raise nothing_to_name(plain, profile)
    known = read(plain.program, found)
    gain = Gain(plain)
    allowed = _pure(plain, gain, profile, found, known)
    if not allowed:
        raise nothing_pure(found, known, plain.command)
    tried = gain.trial(_proposals(plain, profile, allowed, known))
    promising = _promising(plain, tried)
    if not promising:
        raise nothing_gained(plain, tried, known)
    gained = gain.best(promising)
    if not gained.pays:
        raise nothing_gained(plain, [as_tried(gained)], known)
    _note_resident(gained.tables, tried)
    return written(plain, gained, known, profile.seconds)


def _pure(
    plain: Plain,
    gain: Gain,
    profile: Profile,
    found: list[Candidate],
    known: dict[str, Evidence],
) -> list[Candidate]:
    """Of functions those that nothing speaks against; what does is noted of the others."""
    _ask(plain, found, known)
    allowed = _without(found, known)
    if not allowed:
        return []
    plain.say(f"watching calls of {listing([one.function.name for one in allowed])}")
    watch(plain, allowed, known, max(LATE, plain.seconds / 2))
    _ask(plain, allowed, known)
    looked_at: list[list[Candidate]] = []
    allowed = _without(allowed, known)
    while left := [one for one in _chosen(plain, profile, allowed, known) if one not in looked_at]:
        looked_at.append(left[0])
        replicas = _replicas(profile, left[0])[0]
        some = tables(plain.program, left[0], known, replicas)
        said = gain.look(some)
        if said is not None:
            learn(left[0], known, said, stem_of(plain.program))
        allowed = _without(allowed, known)
    return allowed


def _ask(plain: Plain, found: list[Candidate], known: dict[str, Evidence]) -> None:
    """Of what only the user knows to do no harm: note whether that is accepted."""
    for one in found:
        evidence = known[one.function.full]
        if evidence.asks and plain.accepts(
            evidence.asks, f"{one.function.name}: {evidence.against}"
        ):
            evidence.accepted |= evidence.asks
            evidence.against, evidence.asks = "", set()


def _without(found: list[Candidate], known: dict[str, Evidence]) -> list[Candidate]:
    """Functions but for those that something speaks against."""
    return [one for one in found if not known[one.function.full].against]


def _chosen(
    plain: Plain, profile: Profile, allowed: list[Candidate], known: dict[str, Evidence]
) -> list[list[Candidate]]:
    """The sets of functions to be tried."""

    def cost(one: Candidate) -> float:
        return known[one.function.full].cost

    return choices(profile, allowed, _replicas(profile, allowed)[1], cost)


def _proposals(
    plain: Plain, profile: Profile, allowed: list[Candidate], known: dict[str, Evidence]
) -> list[list[Table]]:
    """The plans to be tried."""
    made = []
    for chosen in _chosen(plain, profile, allowed, known):
        replicas = _replicas(profile, chosen)[0]
        if replicas == WAITERS:  # in threads first: of two plans that are as fast, that one counts
            made.append(tables(plain.program, chosen, known, replicas, threads=True))
        made.append(tables(plain.program, chosen, known, replicas))
        if any(known[one.function.full].sent >= LARGE for one in chosen):
            made.append(tables(plain.program, chosen, known, replicas, resident=True))
    return made


def _replicas(profile: Profile, chosen: list[Candidate]) -> tuple[int | str, int]:
    """How many replicas functions get, as the plan says it and as it is here."""
    if profile.waiting >= sum(one.seconds for one in chosen) / 2:
        return WAITERS, WAITERS
    return AUTO, means()[0]


def _promising(plain: Plain, tried: list[Tried]) -> list[list[Table]]:
    """The plans that are worth measuring, in their order: single runs tell little."""
    timed = [(one.seconds, one.tables) for one in tried if one.seconds and not one.unlike]
    bound = min(seconds for seconds, _ in timed) * _WORSE if timed else 0.0
    if not plain.is_disturbed:  # else a single run tells nothing
        bound = min(bound, _HOPELESS * plain.seconds)
    return [some for seconds, some in timed if seconds <= bound][:MEASURED]


def _note_resident(some: list[Table], tried: list[Tried]) -> None:
    """Note how long the program took where replicas did not keep large arguments."""
    functions = [one for table in some for one in table.functions]
    for one in tried:
        same = [each for table in one.tables for each in table.functions] == functions
        if same and one.seconds is not None and not one.tables[0].resident:
            for table in some:
                if table.resident:
                    table.notes["resident"] = f"without it {duration(one.seconds)}, in a single run"


def _is_public(program: Program, function: Function) -> bool:
    """Whether a plan may name it: its module defines it, and shows it."""
    path: str | None = program.path
    if function.module != MAIN:
        found = find_module(function.module, search_path(program))
        path = None if found is None else found.source
    if path is None:
        return False
    with suppress(OSError, SyntaxError, ValueError):
        outline = program.outlines.of(path)
        if function.kind == METHOD:
            is_hidden = any(part.startswith("_") for part in function.name.split("."))
            return not is_hidden and outline.methods.get(function.name, _NOT_THERE)[1] is None
        return function.name in outline.public_functions()
    return False
