"""Where a scout comes to calls: its analysis read once more, for explanations."""

from __future__ import annotations

from collections.abc import Container

from cord.source.records import dataclass, replace
from cord.translate.analyse.known import Known
from cord.translate.analyse.report import Reason
from cord.translate.lower.tree import Call, Exit, For, Node, Try, While, blocks, walk

_NOTHING: frozenset[Reason] = frozenset()


@dataclass(frozen=True, slots=True)
class Sighting:
    """A scout's coming to a call.

    Attributes:
        node: The call, as the scout has it.
        loops: The loops that the scout was born in and goes on with to get there.
        unsure: Loops that it gets through only if it can copy the program's iterator.
        handler: The line of the `try` in whose handler the call stands; 0 if it is in none.
        waits: The results that it waits for first.
        exits: The lines of the exits that it guesses are not taken.
        passed: Why it does not make the call; None if it does.
    """

    node: Call
    loops: tuple[For | While, ...] = ()
    unsure: tuple[For, ...] = ()
    handler: int = 0
    waits: frozenset[Reason] = _NOTHING
    exits: frozenset[int] = frozenset()
    passed: Reason | None = None


@dataclass(frozen=True, slots=True)
class _At:
    """Where a walk is."""

    loops: tuple[For | While, ...] = ()
    unsure: tuple[For, ...] = ()
    handler: int = 0
    waits: frozenset[Reason] = _NOTHING
    exits: frozenset[int] = frozenset()


def sightings(body: list[Node], known: Known, unsure: Container[int]) -> list[Sighting]:
    """Every call of a region that a scout comes to or passes by.

    Args:
        body: The region, or what is left of it.
        known: What the scout knows where.
        unsure: Numbers of the loops that it may not be able to go on with.
    """
    found: list[Sighting] = []
    _block(body, known, unsure, _At(), found)
    return found


def _block(
    block: list[Node], known: Known, unsure: Container[int], at: _At, found: list[Sighting]
) -> None:
    behind = _NOTHING  # what conditions wait for that decide whether strands behind them go on
    for node in block:
        waits = known.needs.get(node, _NOTHING) if node in known.waits else _NOTHING
        here = replace(at, waits=at.waits | waits | (behind if node in known.deferred else waits))
        if isinstance(node, Call) and node.site >= 0:
            found.extend(_sighting(node, known, here))
        for inner, there in _inner(node, known, unsure, here):
            _block(inner, known, unsure, there, found)
        if node in known.guards:
            behind |= waits
            at = replace(at, exits=at.exits | _exits(node))
        elif waits and node not in known.deferred:
            at = replace(at, waits=at.waits | waits)
        loops = [inner for inner in walk([node]) if isinstance(inner, For)]
        left = [loop for loop in loops if _is_unsure(loop, unsure)]
        if left:
            at = replace(at, unsure=(*at.unsure, *left))


def _inner(
    node: Node, known: Known, unsure: Container[int], at: _At
) -> list[tuple[list[Node], _At]]:
    """The blocks inside a node, each with where it is."""
    if isinstance(node, (For, While)):
        exits = at.exits.union(*(_exits(n) for n in walk([node]) if n in known.guards))
        inside = replace(at, exits=exits)
        if node.first is not None:
            inside = replace(inside, loops=(*at.loops, node))
            if isinstance(node, For) and _is_unsure(node, unsure):
                inside = replace(inside, unsure=(*at.unsure, node))
        turns = [node.body] if isinstance(node, For) else [node.pre, node.body]
        return [(node.first or [], at), *((turn, inside) for turn in turns), (node.orelse, at)]
    if isinstance(node, Try):
        handling = replace(at, handler=node.line)
        handlers = [(handler.body, handling) for handler in node.handlers]
        return [(node.body, at), *handlers, (node.orelse, at), (node.final, at)]
    return [(block, at) for block in blocks(node)]


def _is_unsure(loop: For, unsure: Container[int]) -> bool:
    return loop.first is not None and loop.loop in unsure


def _sighting(node: Call, known: Known, at: _At) -> list[Sighting]:
    passed = None if node in known.issued else known.passed.get(node)
    if passed is None and node not in known.issued:
        return []  # no path leads there
    return [Sighting(node, at.loops, at.unsure, at.handler, at.waits, at.exits, passed)]


def _exits(node: Node) -> frozenset[int]:
    """The lines of the exits in a condition that leave more than the turn of a loop."""
    return frozenset(
        inner.line for inner in walk([node]) if isinstance(inner, Exit) and inner.kind != "continue"
    )
