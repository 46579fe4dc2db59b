"""Which statements are strands of their own, because results decide how far they go.

Where the scout waits to know that, the loop around is to go on; and an exception that is caught
ends only what stands under the `try`. What is not known behind such a statement anyway may as well
come from a strand.
"""

from __future__ import annotations

from cord.source.scope import target_names
from cord.translate.lower.tree import (
    Assign,
    For,
    Mutate,
    Node,
    Try,
    While,
    blocks,
    defined,
    walk,
)

from .known import Known
from .needed import Slice


def apart_from(body: list[Node], known: Known, cut: Slice) -> frozenset[Node]:
    """The loops and `try` statements in loops that lose nothing by being strands of their own.

    Args:
        body: A region.
        known: What a scout of it knows where, with them as parts of the loops around.
        cut: What of it is needed then.
    """
    loops = [node for node in walk(body) if isinstance(node, (For, While))]
    inner = [node for loop in loops for block in blocks(loop) for node in walk(block)]
    return frozenset(node for node in inner if node in cut.needed and _is_apart(node, known, cut))


def _is_apart(node: Node, known: Known, cut: Slice) -> bool:
    if not isinstance(node, (For, While, Try)) or node in known.deferred or node in known.ends:
        return False
    inside = [inner for block in blocks(node) for inner in walk(block)]
    after = known.after[node]
    if after is None or known.guards.isdisjoint(cut.needed.intersection(inside)):
        return False
    changed = {n.name for n in inside if isinstance(n, Mutate) and n in cut.needed}
    made = {name for n in inside if isinstance(n, Assign) for name in target_names(n.target)}
    if not changed <= made:
        return False
    read = cut.after[node].intersection(defined([node, *inside]))
    come = after.pending.keys() | after.unknown.keys()
    return read <= come
