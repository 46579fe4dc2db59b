"""Loops written in another way, so that what a result decides is where it counts.

`continue` becomes a condition for the rest of the turn: a turn in which a result decides about
further calls waits for it, and other turns go on meanwhile. The condition of a `while` that needs a
call becomes a `break`, an exit that can be foreseen.
"""

from __future__ import annotations

import ast

from .access_paths import node_reads
from .tree import Call, Exit, For, If, Mutate, Node, Opaque, Store, While, defined, walk


def whole_turns(body: list[Node]) -> None:
    """Change the loops of a region, where that leaves alone what turns hand on to the next ones."""
    for node in walk(body):
        if isinstance(node, For):
            _nest(node.body)
        elif isinstance(node, While) and not node.orelse and _is_foreseen(node):
            end = If(node.line, node.test, [], [Exit(node.line, "break")])
            node.body[:0] = [*node.pre, end]
            node.pre, node.test = [], ast.copy_location(ast.Constant(True), node.test)


def _is_foreseen(loop: While) -> bool:
    """Whether the calls that a condition needs depend on no other calls of the loop."""
    if not _calls(loop.pre):
        return False
    come: set[str] = set()
    before = -1
    while len(come) != before:
        before = len(come)
        for node in walk([loop]):
            if isinstance(node, (Call, Opaque)) or not come.isdisjoint(_bases(node)):
                come.update(name.partition(".")[0] for name in defined([node]))
    return all(come.isdisjoint(_bases(n)) for n in loop.pre if isinstance(n, Call))


def _nest(turn: list[Node]) -> None:
    for index in reversed(range(len(turn))):
        node, rest = turn[index], turn[index + 1 :]
        if isinstance(node, If) and _is_apart(turn[: index + 1], rest):
            for block, other in ((node.body, node.orelse), (node.orelse, node.body)):
                if block and isinstance(block[-1], Exit) and block[-1].kind == "continue":
                    block.pop()
                    other.extend(rest)
                    del turn[index + 1 :]
                    break


def _is_apart(before: list[Node], rest: list[Node]) -> bool:
    """Whether calls stand in both parts, and the next turn sees nothing of the second."""
    inside = walk(rest)
    if not (_calls(walk(before)) and _calls(inside)):
        return False
    if any(isinstance(node, Store) for node in inside):
        return False
    own = set(defined(node for node in inside if not isinstance(node, Mutate)))
    changed = {node.name for node in inside if isinstance(node, Mutate)}
    read = set().union(*(_bases(node) for node in walk(before)))
    return changed <= own and own.isdisjoint(read)


def _calls(nodes: list[Node]) -> bool:
    return any(isinstance(node, Call) and node.site >= 0 for node in nodes)


def _bases(node: Node) -> set[str]:
    return {name.partition(".")[0] for name in node_reads(node)}
