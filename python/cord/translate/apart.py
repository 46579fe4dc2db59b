"""Which loops are strands of their own, because it depends on results how long they go on.

Where the scout waits to know that, the loop around such a loop is to go on. What is not known
behind a loop anyway may as well come from a strand.
"""

from __future__ import annotations

from .known import Known
from .needed import Slice
from .tree import For, Mutate, Node, While, blocks, defined, walk


def loops_apart(body: list[Node], known: Known, cut: Slice) -> frozenset[Node]:
    """The loops inside of other loops that lose nothing by being strands of their own.

    Args:
        body: A region.
        known: What a scout of it knows where, with such loops as parts of those around them.
        cut: What of it is needed then.
    """
    loops = [node for node in walk(body) if isinstance(node, (For, While))]
    inner = [node for loop in loops for block in blocks(loop) for node in walk(block)]
    return frozenset(
        node
        for node in inner
        if isinstance(node, (For, While)) and node in cut.needed and _is_apart(node, known, cut)
    )


def _is_apart(loop: For | While, known: Known, cut: Slice) -> bool:
    inside = [node for block in blocks(loop) for node in walk(block)]
    if loop in known.deferred or loop in known.ends or not known.guards & cut.needed & {*inside}:
        return False
    before, after = known.around[loop]
    if after is None:
        return False
    changed = {n.name for n in inside if isinstance(n, Mutate) and n in cut.needed}
    read = cut.after[loop].intersection(defined([loop, *inside]))
    come = after.pending.keys() | after.unknown.keys()
    return changed.isdisjoint(before.owned) and read <= come
