"""Writing how a scout leaves its loops and its region, where results decide that."""

from __future__ import annotations

import ast
from abc import abstractmethod
from collections import Counter

from cord.translate.analyse.known import Known
from cord.translate.analyse.needed import Slice
from cord.translate.emit import exits
from cord.translate.lower.access_paths import node_reads, reads
from cord.translate.lower.tree import Exit, For, Node, While, blocks, defined, walk, ways_out

from .exits import Loop
from .guarded import STATE, Guarded, assign, guard, load, store


class Names:
    """What the names of a scout are used for.

    Args:
        needed: The nodes that the scout does.
        local: All names that are variables of the scout, if they occur in it.
        changed: Names whose objects the scout changes.
    """

    def __init__(self, needed: list[Node], local: frozenset[str], changed: frozenset[str]) -> None:
        self.local = local
        self.changed = changed
        self.readers = Counter(name for node in needed for name in bases(node))


def bases(node: Node) -> frozenset[str]:
    """The names that a node reads, itself or attributes of theirs."""
    read = node_reads(node) if not isinstance(node, For) else reads(node.iter)
    return frozenset(name.partition(".")[0] for name in read)


class Leaving(Guarded):
    """Writes exits.

    Args:
        known: What the scout knows where.
        cut: What of it is needed.
        names: What the names are used for.
        owner: The class in which the region stands.
    """

    def __init__(self, known: Known, cut: Slice, names: Names, owner: str | None) -> None:
        self.known = known
        self.cut = cut
        self.names = names
        super().__init__(owner)
        self.assigned: set[str] = set()
        # the `finally` blocks around, and None for each loop between them
        self.finals: list[list[Node] | None] = []
        self.loops: list[Loop] = []
        # names that are given to strands of the function that is written
        self.captured: set[str] = set()
        # containers that strands add to while the scout goes on
        self.growing: set[str] = set()
        # that function is a strand; it may find out late that it has returned
        self.apart = False
        self.late = False
        # an exception would be caught in the same turn of the loop
        self.caught = False

    @abstractmethod
    def block(self, block: list[Node]) -> list[ast.stmt]:
        """Write a block."""

    # ---- regions -------------------------------------------------------------------------------

    def region(self, body: list[Node]) -> list[ast.stmt]:
        """The whole region."""
        ways = self.ways([body]) - {"break"}  # those are of loops
        around = Loop(self.fresh(), f"{body[0].line if body else 0}", (), ways)
        self.loops = [around]
        self.late = self.cut.with_result and "return" in around.ways
        written = self.block(body)
        begun = around.begin(True)
        if begun and self.late:
            begun.append(exits.keep_open(around))
        empty = [assign(f":+{name}", ast.List([], ast.Load())) for name in sorted(self.growing)]
        return [*empty, *self.no_open(), *begun, *written, *self.settled(), ensure_generator()]

    def ways(self, inside: list[list[Node]]) -> frozenset[str]:
        """The kinds of exits that strands in these blocks may take."""
        guards = (node for block in inside for node in walk(block) if node in self.known.guards)
        return frozenset().union(*map(ways_out, guards))

    def no_open(self) -> list[ast.stmt]:
        return [assign(exits.OPEN, ast.List([], ast.Load()))] if self.late else []

    def settled(self) -> list[ast.stmt]:
        """Before the end of a function: wait until it is certain that it did not end before."""
        if not self.late:
            return []
        one = Loop(self.fresh(), "")
        return [exits.settle(one, self.give(one.part("value")))]

    def give(self, value: ast.expr | None) -> ast.stmt:
        """Return a value from the region."""
        if self.apart:
            return ast.Return(self.loops[-1].history("returns", value or ast.Constant(None)))
        return ast.Return(value if self.cut.with_result else None)

    # ---- loops ---------------------------------------------------------------------------------

    def go_on(self) -> list[ast.stmt]:
        """Behind a strand that may leave: go on, or wait, or leave too."""
        loop = self.loops[-1]
        loop.used = True
        held = exits.wait(loop.ask("holds", load(STATE)))
        broken = [*self.finals_before(Exit(0, "break")), ast.Break()]
        return [held, *loop.look(), ast.If(loop.is_left(), self.leave(loop, broken), [])]

    def leave(self, loop: Loop, broken: list[ast.stmt]) -> list[ast.stmt]:
        """What is done when an exit from a loop was taken; `broken` behind a `break`."""
        returned = [*self.finals_before(Exit(0, "return")), self.give(loop.part("value"))]
        if "break" not in loop.ways:
            return returned
        if loop.carried:
            self.assigned.update(loop.carried)
            targets: list[ast.expr] = [store(name) for name in loop.carried]
            carried = ast.Assign([ast.Tuple(targets, ast.Store())], loop.part("value"))
            broken = [carried, *broken]
        if "return" not in loop.ways:
            return broken or [ast.Pass()]
        return [ast.If(loop.part("breaks"), broken or [ast.Pass()], returned)]

    def enter(self, node: For | While) -> Loop:
        """A loop begins to be written."""
        names = set(defined(walk([node]))) & self.cut.after.get(node, frozenset())
        carried = tuple(sorted(names - self.names.changed))
        loop = Loop(self.fresh(), node.name, carried, self.ways(blocks(node)))
        self.loops.append(loop)
        return loop

    def at_end(self, node: For | While, loop: Loop) -> list[ast.stmt]:
        """The `else` of a loop."""
        written = self.block(node.orelse)
        if not (written and loop.used and node in self.known.deferred):
            return written
        return [*loop.wait(), ast.If(loop.is_left(), [ast.Pass()], written)]

    def behind(self, node: For | While, loop: Loop) -> list[ast.stmt]:
        """What is done once a loop is over; a strand waits there until it is known how."""
        if not loop.used:
            return []
        closed = loop.ask("close")
        if node in self.known.deferred:
            left = ast.If(loop.is_left(), self.leave(loop, []), [])
            return [ast.Expr(closed), *loop.wait(), left]
        if self.late and "return" in loop.ways:
            return [ast.If(closed, [exits.keep_open(loop)], [])]
        return [ast.Expr(closed)]

    def finals_before(self, node: Exit) -> list[ast.stmt]:
        """What the `finally` blocks do that an exit leaves, innermost first."""
        if node.kind == "raise":
            return []
        out: list[ast.stmt] = []
        kept = self.finals
        for index in range(len(kept) - 1, -1, -1):
            block = kept[index]
            if block is None:
                if node.kind != "return":
                    break
                continue
            self.finals = kept[:index]
            out.extend(self.block(block))
        self.finals = kept
        return out


def nothing(name: str) -> ast.stmt:
    """Give a name that is read later a value that there will never be."""
    return assign(name, guard("nothing"))


def ensure_generator() -> ast.stmt:
    """What makes a function a generator, and does nothing."""
    return ast.If(ast.Constant(False), [ast.Expr(ast.Yield(None))], [])
