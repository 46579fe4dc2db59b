"""Backward analysis: which of the nodes that a scout could do it needs to do.

A scout needs its calls, what their arguments are computed from, and what decides whether and how
often they are reached. The rest of the program is cut away: this is a program slice (Weiser 1984),
found with live variables (Aho, Lam, Sethi, Ullman, section 9.2.5) in which only needed nodes
make their operands live.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator

from cord.knowledge.functions import WRAPPERS
from cord.source.scope import target_names
from cord.translate.lower.access_paths import node_reads, reads
from cord.translate.lower.tree import (
    Assign,
    Call,
    Exit,
    For,
    If,
    Match,
    Mutate,
    Node,
    Opaque,
    Store,
    Try,
    While,
    blocks,
    walk,
    ways_out,
)

from .known import Known
from .strictness import aliases

Live = frozenset[str]
_NOTHING: Live = frozenset()


class Slice:
    """The needed nodes of a region (`needed`) and the names live where a scout starts (`live`).

    `after` are the names live behind each deferred node, each loop and each `try`.

    Args:
        known: What the scout knows where.
        block: The region, or what is left of it.
        with_result: Whether what it returns is needed.
        whole: The region that it is left of; None if the scout enters it.
        outside: Whether others go on behind it, who may read what it sets.
    """

    def __init__(
        self,
        known: Known,
        block: list[Node],
        with_result: bool,
        whole: list[Node] | None = None,
        outside: bool = False,
    ) -> None:
        self.outside = outside
        entered = whole is None
        # what it writes may be read by whoever calls it, or by functions that it goes into
        self.escapes = entered
        self.attributes: set[str] = set()
        self.aliases = aliases(walk(block if whole is None else whole))
        self.known = known
        # on the way to calls with effects the scout finds out what may fail
        self.followed = known.followed if known.committed else frozenset[Node]()
        self.with_result = with_result
        self.needed: set[Node] = set()
        self.after: dict[Node, Live] = {}
        self.exits: list[tuple[Live, Live]] = []
        self.scopes: list[list[Node]] = [block]  # the region, and the loops around
        self.raising: list[Live] = []
        self.live: Live = frozenset()
        self.guarding = False  # strands follow in this block
        before = -1
        while before != len(self.needed):
            before = len(self.needed)
            self.live = self.block(block, frozenset())
            self.note_reads()

    def before(self, block: list[Node], live: Live, at_break: Live) -> Live:
        """The names live before some needed nodes: `live` are those at their end."""
        outer = self.exits, self.raising, dict(self.after)
        self.exits, self.raising = [(at_break, frozenset())], []
        live = self.block(block, live)
        self.exits, self.raising, self.after = outer
        return live

    def block(self, block: list[Node], live: Live) -> Live:
        outer, self.guarding = self.guarding, False
        for node in reversed(block):
            if self.raising:
                live |= self.raising[-1]
            if node in self.known.deferred:
                self.after[node] = self.after.get(node, live) | live
            live = self.node(node, live)
            if node in self.known.deferred and node in self.needed:
                self.guarding = True
        self.guarding = outer
        return live

    def node(self, node: Node, live: Live) -> Live:
        if node not in self.known.done and node not in self.known.ends:
            return live - _defines(node)  # passed by, or no path leads there
        match node:
            case Assign():
                names = frozenset(target_names(node.target))
                if live & names or node in self.followed:
                    self.needed.add(node)
                    return (live - names) | _names(node_reads(node))
                return live - names
            case Opaque():
                return live - frozenset(node.defines)
            case Mutate():
                same: Collection[str] = self.aliases.get(node.name, {node.name})
                wanted = not live.isdisjoint(same) or node.result in live
                if wanted or self.is_seen(node) or node in self.followed:
                    self.needed.add(node)
                    return (live - {node.result}) | _names(node_reads(node))
                return live
            case Store():
                return live
            case Call():
                wanted = node in self.known.issued and (
                    node.site >= 0 or node.result in live or node in self.known.writing
                )
                if wanted:
                    self.needed.add(node)
                    into = _NOTHING if node.into is None else frozenset({node.into})
                    return (live - {node.result}) | _names(node_reads(node)) | into
                return live - {node.result}
            case If() | Match():
                return self.branch(node, live)
            case For() | While():
                return self.loop(node, live)
            case Try():
                self.after[node] = live
                return self.try_block(node, live)
            case Exit():
                return self.exit(node, live)
        raise AssertionError(node)

    def is_seen(self, node: Mutate) -> bool:
        """Whether what is changed may be read under another name."""
        if node.path is None:
            return self.escapes and node not in self.known.own
        root, _, attribute = node.path.rpartition(".")
        return self.escapes or (attribute in self.attributes if root else False)

    def sets(self, node: Node) -> list[str]:
        """The attributes that the program sets in a node, as far as they may be read then.

        Of a statement that the scout does by and by they are left to the nodes in it.
        """
        if blocks(node) and node in self.needed and node not in self.known.deferred:
            return []
        names = {inner.attribute for inner in walk([node]) if isinstance(inner, Store)}
        return sorted(names if self.escapes or self.outside else names & self.attributes)

    def note_reads(self) -> None:
        """Which attributes are read by what is needed."""
        for node in self.needed:
            if isinstance(node, Call) and node.helper:
                self.escapes = True
            for part in _expressions(node):
                if isinstance(part, ast.Attribute):
                    self.attributes.add(part.attr)

    def branch(self, node: If | Match, live: Live) -> Live:
        guards = node in self.known.guards
        if isinstance(node, If):
            after = self.block(node.body, live) | self.block(node.orelse, live)
        else:
            after = live.union(*(self.block(case.body, live) for case in node.cases))
        if guards and (self.guarding or self.bounds_calls(node)):
            self.needed.add(node)
        if node in self.needed or self.matters(node):
            self.needed.add(node)
            after |= _names(node_reads(node))
        return after

    def bounds_calls(self, guard: Node) -> bool:
        """Whether it depends on a guard how many calls are made."""
        if ways_out(guard) <= {"continue"}:
            return False
        around = walk(self.scopes[-1])
        return any(isinstance(n, Call) and n.site >= 0 and n in self.needed for n in around)

    def loop(self, node: For | While, live: Live) -> Live:
        self.after[node] = live
        self.scopes.append([node])
        live = self.turns(node, live)
        self.scopes.pop()
        return live

    def turns(self, node: For | While, live: Live) -> Live:
        at_end = self.block(node.orelse, live)
        head: Live = at_end
        own = _names(node_reads(node))
        # a list that grows while it is walked; a resumed iterator walks the program's own list
        walked = _walked(node.iter) if isinstance(node, For) and node.first is None else set()
        while True:
            self.exits.append((live, head))
            entering = self.block(node.body, head)
            if isinstance(node, For):
                entering = (entering - frozenset(target_names(node.target))) | walked
            if self.matters(node):
                self.needed.add(node)
                entering |= own if isinstance(node, While) else frozenset()
            if isinstance(node, While):
                entering = self.block(node.pre, entering | at_end)
            self.exits.pop()
            if entering | head == head:
                break
            head |= entering
        if node.first is not None:
            self.exits.append((live, head))
            head = self.block(node.first, head)
            self.exits.pop()
            if node in self.needed and node in self.known.remade:
                assert isinstance(node, For)
                head |= self.block(node.source, _names(reads(node.iter)))
        elif isinstance(node, For) and node in self.needed:
            head |= own
        return head

    def try_block(self, node: Try, live: Live) -> Live:
        final = self.block(node.final, live)
        handling: Live = frozenset()
        for handler in node.handlers:
            handling |= self.block(handler.body, final) | _names(reads(handler.types))
        after = self.block(node.orelse, final)
        self.raising.append(handling)
        live = self.block(node.body, after) | handling
        self.raising.pop()
        if self.matters(node):
            self.needed.add(node)
        return live

    def exit(self, node: Exit, live: Live) -> Live:
        match node.kind:
            case "break" if self.exits:
                return self.exits[-1][0]
            case "continue" if self.exits:
                return self.exits[-1][1]
            case "return" if self.with_result and self.known.returns:
                self.needed.add(node)
                return _names(reads(node.value))
        return frozenset()

    def matters(self, node: Node) -> bool:
        """Whether a compound statement holds something needed, or an exit from around it."""
        if node in self.known.ends or node in self.followed:
            return True
        decides = isinstance(node, (If, Match)) and node not in self.known.guards
        for inner in _inside(node):
            if inner in self.needed:
                return True
            if isinstance(inner, Exit) and decides:
                return True
        return False


def _expressions(node: Node) -> Iterator[ast.AST]:
    match node:
        case Assign():
            yield from ast.walk(node.value)
        case Call() | Mutate():
            for argument in node.args:
                yield from ast.walk(argument)
        case If() | While():
            yield from ast.walk(node.test)
        case For():
            yield from ast.walk(node.iter)
        case Match():
            yield from ast.walk(node.subject)
        case Exit(value=ast.expr() as value):
            yield from ast.walk(value)


def _inside(node: Node) -> list[Node]:
    return [inner for block in blocks(node) for inner in walk(block)]


def _names(found: frozenset[str]) -> Live:
    return frozenset(name.partition(".")[0] for name in found)


def _defines(node: Node) -> Live:
    match node:
        case Assign():
            return frozenset(target_names(node.target))
        case Call():
            return frozenset({node.result})
        case Opaque():
            return frozenset(node.defines)
    return frozenset()


def _walked(iterable: ast.expr) -> set[str]:
    """The names whose objects a loop walks while it runs."""
    if isinstance(iterable, ast.Name):
        return {iterable.id}
    if not isinstance(iterable, ast.Call) or not isinstance(iterable.func, ast.Name):
        return set()
    if iterable.func.id not in WRAPPERS:
        return set()
    return set().union(*(_walked(argument) for argument in iterable.args))
