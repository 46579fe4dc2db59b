"""Forward analysis: what a scout knows where (`known`), found along the paths that it follows.

From the point where the scout starts, facts flow along the paths that the scout follows: a name is
known until something that a scout does not do may define or change it. Where a condition is not
known the scout passes by: what stands under it is unknown afterwards, exits under it are predicted
not to be taken, calls under it are made by the program itself.

The analysis is a structured form of the usual "must" data-flow problem (Aho, Lam, Sethi, Ullman,
Compilers, section 9.2), with an edge from every node of a `try` body to its handlers.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection

from cord.source.records import dataclass
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
    defined,
    pattern_names,
    walk,
    ways_out,
)

from .certain import doubt_behind
from .facts import Facts, join
from .known import Simple
from .report import Reason
from .strictness import behind_strand, changed_in, elements_of, grown_in, grown_names

_NOTHING: frozenset[str] = frozenset()


@dataclass(slots=True)
class _Loop:
    breaks: Facts | None = None
    continues: Facts | None = None


class _MustWait(Exception):
    """A loop's condition needs a value that is pending."""


class Analysis(Simple):
    """Runs the facts over one region.

    Args:
        answers, ahead, independent, writes, late: As `Simple` takes them.
        blocking: Whether the scout may wait where it stands, because it is a strand for this region
            alone.
        apart: Loops that become strands of their own.
    """

    def __init__(
        self,
        answers: Callable[[str], bool],
        ahead: Callable[[str], bool],
        independent: Callable[[str], bool],
        writes: Callable[[str], bool],
        late: Collection[str],
        blocking: bool = False,
        apart: frozenset[Node] = frozenset(),
    ) -> None:
        super().__init__(answers, ahead, independent, writes, late)
        self.blocking = blocking
        self.apart = set(apart)
        self.loops: list[_Loop] = []
        self.handlers: list[Facts | None] = []

    def block(self, block: list[Node], facts: Facts | None) -> Facts | None:
        for node in block:
            if facts is None:
                self.known.unreached.add(node)
                self.known.passed.setdefault(node, Reason(node.line, "the scout ends before it"))
                continue
            self.known.unreached.discard(node)
            if self.handlers:
                self.handlers[-1] = join(self.handlers[-1], facts)
            self.need(node, facts, node_reads(node))
            facts = self.certainty(node, facts, self.node(node, facts))
            if self.handlers:
                self.handlers[-1] = join(self.handlers[-1], facts)
        return facts

    def certainty(self, node: Node, before: Facts, after: Facts | None) -> Facts | None:
        """The facts behind a node, with what is certain there."""
        known = self.known
        if before.uncertain is None and node in known.done:
            known.followed.add(node)
        else:
            known.followed.discard(node)
        if after is None or self.handling:  # what a handler does counts where it is entered
            return after
        deferred = node in known.deferred or node in known.waits
        committed = node in known.committed
        doubt = doubt_behind(node, known.passed.get(node), deferred, committed)
        return after if doubt is None else after.doubted(doubt)

    def node(self, node: Node, facts: Facts) -> Facts | None:
        match node:
            case Assign():
                return self.assign(node, facts)
            case Opaque():
                return facts.lose(node.defines, Reason(node.line, node.reason, node.callee))
            case Mutate():
                return self.mutate(node, facts)
            case Store():
                return self.keep(node, facts)
            case Call():
                return self.call(node, facts)
            case If() | Match():
                return self.condition(node, facts)
            case For() | While() | Try():
                return self.compound(node, facts)
            case Exit():
                self.exit(node, facts)
                return None
        raise AssertionError(node)

    # ---- what waits ----------------------------------------------------------------------------

    def defer_block(self, node: Node, waits: frozenset[str], facts: Facts, reason: Reason) -> Facts:
        """A compound node becomes a strand: what it defines is pending afterwards."""
        facts = facts.doubted(reason)
        if waits:  # what the strands before change in turn
            waits |= changed_in(node) & facts.pending.keys() - facts.holding
        outer, self.blocking = self.blocking, True
        loop = _Loop()
        self.loops.append(loop)
        self.handlers.append(None)
        after = self.node(node, facts.arrived(waits).disowned())
        self.handlers.pop()
        self.loops.pop()
        self.blocking = outer
        self.known.deferred.add(node)
        self.known.grown[node] = grown_in(node) & facts.owned
        if waits:
            self.known.waits[node] = waits
        if ways_out(node):
            self.known.guards.add(node)
        if loop.breaks is not None and self.loops:
            broken = behind_strand(node, facts, loop.breaks, reason)
            self.loops[-1].breaks = join(self.loops[-1].breaks, broken)
        return behind_strand(node, facts, after, reason)

    # ---- conditions ----------------------------------------------------------------------------

    def condition(self, node: If | Match, facts: Facts) -> Facts | None:
        reason = facts.why(node_reads(node))
        if reason is not None:
            inside = [inner for block in blocks(node) for inner in block]
            return self.skip(node, inside, facts, reason)
        waits = facts.waits(node_reads(node))
        if waits and not self.blocking:
            return self.defer_block(node, waits, facts, facts.pending[min(waits)])
        self.do(node, waits)
        facts = facts.arrived(waits)
        if isinstance(node, If):
            return join(self.block(node.body, facts), self.block(node.orelse, facts))
        out: Facts | None = facts
        for case in node.cases:
            inside_case = facts
            for name in pattern_names(case.pattern):
                inside_case = inside_case.define(name, False)
            out = join(out, self.block(case.body, inside_case))
        return out

    def skip(self, node: Node, inside: list[Node], facts: Facts, reason: Reason) -> Facts:
        """Pass by a compound statement: what it may define or change is unknown afterwards."""
        self.pass_by(node, reason)
        for inner in walk(inside):
            self.pass_by(inner, reason)
        grown = grown_names(walk(inside)) & facts.owned
        for name in grown:
            facts = facts.doubt(name, reason)
        return facts.lose([n for n in defined(walk(inside)) if n not in grown], reason)

    # ---- loops ---------------------------------------------------------------------------------

    def compound(self, node: For | While | Try, facts: Facts) -> Facts | None:
        if node in self.apart:
            self.apart.remove(node)
            self.known.apart.add(node)
            reason = Reason(node.line, f"it depends on how the statement at line {node.line} ends")
            after: Facts | None = self.defer_block(node, _NOTHING, facts, reason)
            self.apart.add(node)
            return after
        match node:
            case For():
                after = self.for_loop(node, facts)
            case While():
                after = self.while_loop(node, facts)
            case Try():
                after = self.try_block(node, facts)
        self.known.after[node] = after
        return after

    def for_loop(self, node: For, facts: Facts) -> Facts | None:
        reason = None if node.first is not None else facts.why(reads(node.iter))
        names = frozenset(target_names(node.target))
        if reason is not None:
            return self.skip_loop(node, [*node.body], facts, reason, names)
        waits = _NOTHING if node.first is not None else facts.waits(reads(node.iter))
        pending: dict[str, Reason] = {}
        if waits:
            walked = {name for name, value in elements_of(node) if facts.waits(reads(value))}
            if walked and waits <= facts.holding:
                pending = dict.fromkeys(walked, facts.pending[min(waits)])
            elif not self.blocking:
                return self.defer_block(node, waits, facts, facts.pending[min(waits)])
        self.do(node, _NOTHING if pending else waits)
        entry: Facts | None = facts if pending else facts.arrived(waits)
        outer, self.blocking = self.blocking, False
        loop = _Loop()
        self.loops.append(loop)
        if node.first is not None:
            self.remake(node, facts)
            entry = join(self.block(node.first, facts), loop.continues)
        head = entry
        while head is not None:
            inside: Facts = head
            for name in names:
                inside = inside.define(name, False)
            for name, why in pending.items():
                inside = inside.await_(name, why)
            back = join(self.block(node.body, inside), loop.continues)
            merged = join(head, back)
            if merged == head or merged is None:
                break
            head = merged
        self.loops.pop()
        self.blocking = outer
        return join(self.block(node.orelse, head), loop.breaks)

    def remake(self, node: For, facts: Facts) -> None:
        """Whether a scout that is born inside a loop could make what that runs over anew."""
        made = self.block(node.source, facts)
        calls = any(isinstance(part, ast.Call) for part in ast.walk(node.iter))
        if made is None or not (calls or node.source):
            return
        sites = any(isinstance(inner, Call) and inner.site >= 0 for inner in walk(node.source))
        read = reads(node.iter)
        if not sites and made.why(read) is None and not made.waits(read):
            self.known.remade.add(node)

    def while_loop(self, node: While, facts: Facts) -> Facts | None:
        depth, handlers = len(self.loops), len(self.handlers)
        outer = self.blocking
        try:
            return self.turns(node, facts)
        except _MustWait as wait:
            del self.loops[depth:], self.handlers[handlers:]
            self.blocking = outer
            reason: Reason = wait.args[0]
            if not self.blocking:
                waits = facts.waits(frozenset().union(*map(node_reads, walk([node]))))
                return self.defer_block(node, waits, facts, reason)
            inside = [*node.pre, *node.body]
            out = self.skip_loop(node, inside, facts, reason, frozenset())
            return self.block(node.orelse, out)

    def turns(self, node: While, facts: Facts) -> Facts | None:
        loop = _Loop()
        self.loops.append(loop)
        outer, self.blocking = self.blocking, False
        head: Facts | None = facts
        if node.first is not None:
            self.do(node)
            head = join(self.block(node.first, facts), loop.continues)
        out: Facts | None = None
        while head is not None:
            tested = self.block(node.pre, head)
            assert tested is not None
            unsure = isinstance(node.test, ast.Name) and node.test.id in tested.unsure
            reason = None if unsure else tested.why(reads(node.test))
            if reason is not None:
                out = self.skip_loop(node, [*node.pre, *node.body], tested, reason, frozenset())
                break
            waits = tested.waits(reads(node.test))
            self.need(node, tested, reads(node.test))
            if waits and not outer:
                raise _MustWait(tested.pending[min(waits)])
            self.do(node, waits)
            self.known.tests[node] = waits
            out = tested = tested.arrived(waits)
            if unsure:
                assert isinstance(node.test, ast.Name)
                self.known.unsure.add(node)
                out = tested.sure(node.test.id)
            back = join(self.block(node.body, tested), loop.continues)
            merged = join(head, back)
            if merged == head or merged is None:
                break
            head = merged
        self.loops.pop()
        self.blocking = outer
        if _never_false(node.test):
            out = None if node not in self.known.passed else out
        return join(self.block(node.orelse, out), loop.breaks)

    def skip_loop(
        self, node: Node, inside: list[Node], facts: Facts, reason: Reason, names: frozenset[str]
    ) -> Facts | None:
        """Pass by a loop, unless calls that stand in it were issued: then the scout ends there."""
        sites = {inner.site for inner in walk(inside) if isinstance(inner, Call)}
        issued = {inner.site for inner in self.known.issued if isinstance(inner, Call)}
        out = self.skip(node, inside, facts, reason)
        if node.first is not None and sites & issued:  # type: ignore[attr-defined]
            self.known.ends[node] = reason
            return None
        return out.lose(names, reason)

    # ---- exceptions and exits ------------------------------------------------------------------

    def try_block(self, node: Try, facts: Facts) -> Facts | None:
        self.do(node)
        self.handlers.append(facts)
        after = self.block(node.body, facts)
        raising = self.handlers.pop()
        out = self.block(node.orelse, after)
        for handler in node.handlers:
            inside = raising
            if inside is not None and handler.name is not None:
                reason = Reason(node.line, "it is an exception")
                inside = inside.lose((handler.name,), reason)
            outer, self.handling = self.handling, True
            out = join(out, self.block(handler.body, inside))
            self.handling = outer
        return self.block(node.final, out)

    def exit(self, node: Exit, facts: Facts) -> None:
        waits = _NOTHING
        if node.kind == "return" and not isinstance(node.value, ast.Name):
            waits = facts.waits(reads(node.value))
        self.do(node, waits)
        match node.kind:
            case "break" if self.loops:
                self.loops[-1].breaks = join(self.loops[-1].breaks, facts)
            case "continue" if self.loops:
                self.loops[-1].continues = join(self.loops[-1].continues, facts)
            case "return":
                self.known.returned += 1
                if facts.why(reads(node.value)) is not None:
                    self.known.returns = False


def _never_false(test: ast.expr) -> bool:
    return isinstance(test, ast.Constant) and bool(test.value)
