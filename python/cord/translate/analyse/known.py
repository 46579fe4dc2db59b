"""What a scout knows: marks on nodes, and the facts behind a node that has no others in it.

Between known and unknown are values that are *pending*: results of calls that the scout has issued.
What needs such a value is *deferred*: it becomes a strand of its own, which waits, while the scout
goes on. Where nothing else could go on, the strand itself waits (`waits`). How facts get from one
node to the next stands in `paths`.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection

from cord.source.records import dataclass, field
from cord.source.scope import target_names
from cord.translate.lower.access_paths import node_reads, reads
from cord.translate.lower.tree import ANYTHING, Assign, Call, For, Mutate, Node, Store, While

from .certain import why_not
from .facts import Facts
from .report import Reason, needs_result
from .strictness import elements_of, is_fresh, is_moved, keeps_value, works_at_front

_NOTHING: frozenset[str] = frozenset()


@dataclass(slots=True)
class Known:
    """The outcome: marks on nodes.

    `issued` are the calls a scout makes, `done` the other nodes it may do, `passed` those it
    passes by with the reason, `ends` the loops at which it stops. `deferred` become strands of
    their own; `waits` are the names whose values a node needs first, `tests` those that a
    loop's test needs in each turn, `needs` the calls (as reasons) that these values come from.
    `guards` are the deferred conditions under which the rest of the block is not reached;
    `after` are the facts behind loops and `try`, `apart` those of them that were made strands;
    `unreached` are those of the passed that no path leads to; `remade` are loops that the scout
    is born in whose iterators it could make anew; `unsure` are loops over what a container
    still holds, to which strands may add more: `grown` are the names of such containers, by the
    nodes that are strands; `own` are the changes of what only the scout has, `writing` the
    calls that may change what others see. `committed` are those of the issued that have
    effects; `followed` are the nodes that the program is certain to do, as it does them, if no
    call fails.
    """

    issued: set[Node] = field(default_factory=set)
    done: set[Node] = field(default_factory=set)
    passed: dict[Node, Reason] = field(default_factory=dict)
    ends: dict[Node, Reason] = field(default_factory=dict)
    deferred: set[Node] = field(default_factory=set)
    waits: dict[Node, frozenset[str]] = field(default_factory=dict)
    tests: dict[While, frozenset[str]] = field(default_factory=dict)
    needs: dict[Node, frozenset[Reason]] = field(default_factory=dict)
    guards: set[Node] = field(default_factory=set)
    after: dict[Node, Facts | None] = field(default_factory=dict)
    apart: set[Node] = field(default_factory=set)
    unreached: set[Node] = field(default_factory=set)
    remade: set[For] = field(default_factory=set)
    unsure: set[While] = field(default_factory=set)
    grown: dict[Node, frozenset[str]] = field(default_factory=dict)
    own: set[Mutate] = field(default_factory=set)
    writing: set[Call] = field(default_factory=set)
    committed: set[Node] = field(default_factory=set)
    followed: set[Node] = field(default_factory=set)
    returns: bool = True
    returned: int = 0


class Simple:
    """Runs the facts over nodes that have no others in them.

    Args:
        answers: Tells for a helper's dotted name whether a scout knows its result when it knows the
            arguments.
        ahead: Tells for a remote function's dotted name whether it may be called ahead.
        independent: Tells of those that may whether they have effects.
        writes: Tells for a helper's dotted name whether it may change what others see.
        late: Attributes in which there may be containers of results.
    """

    def __init__(
        self,
        answers: Callable[[str], bool],
        ahead: Callable[[str], bool],
        independent: Callable[[str], bool],
        writes: Callable[[str], bool],
        late: Collection[str],
    ) -> None:
        self.writes = writes
        self.late = late
        self.answers = answers
        self.ahead = ahead
        self.independent = independent
        self.handling = False
        self.known = Known()

    # ---- marks ---------------------------------------------------------------------------------

    def do(self, node: Node, waits: frozenset[str] = _NOTHING) -> None:
        self.clear(node)
        self.known.done.add(node)
        if waits:
            self.known.waits[node] = waits

    def need(self, node: Node, facts: Facts, read: frozenset[str]) -> None:
        """Note which calls' results a node reads that may have to be waited for."""
        waits = facts.waits(read)
        if waits:
            self.known.needs[node] = frozenset(facts.pending[name] for name in waits)

    def pass_by(self, node: Node, reason: Reason) -> None:
        self.clear(node)
        self.known.passed[node] = reason

    def clear(self, node: Node) -> None:
        known = self.known
        known.passed.pop(node, None)
        known.waits.pop(node, None)
        for marks in (known.done, known.issued, known.deferred, known.guards, known.committed):
            marks.discard(node)

    def defer(self, node: Node, waits: frozenset[str]) -> None:
        self.do(node, waits)
        self.known.deferred.add(node)

    def defer_simple(
        self, node: Node, waits: frozenset[str], facts: Facts, names: tuple[str, ...]
    ) -> Facts:
        self.defer(node, waits)
        reason = facts.pending[min(waits)]
        for name in names:
            facts = facts.await_(name, reason)
        return facts

    # ---- values and changes --------------------------------------------------------------------

    def assign(self, node: Assign, facts: Facts) -> Facts:
        names = tuple(target_names(node.target))
        reason = facts.why(node_reads(node))
        if reason is not None:
            self.pass_by(node, reason)
            return facts.lose(names, reason)
        waits = facts.waits(node_reads(node))
        if waits and not is_moved(node, facts):
            return self.defer_simple(node, waits, facts, names)
        self.do(node)
        facts = self.bound(node, facts, names)
        if not isinstance(node.value, ast.Attribute) or node.value.attr not in self.late:
            return facts
        come = Reason(node.line, f"{ast.unparse(node.value)} may hold a result")
        return facts.hold(names[0], come)

    def bound(self, node: Assign, facts: Facts, names: tuple[str, ...]) -> Facts:
        """The facts after an assignment that the scout does at once."""
        before = facts
        for name in names:
            facts = facts.define(name, False)
        for name, value in elements_of(node):
            waits = before.waits(reads(value))
            if waits:
                reason = before.pending[min(waits)]
                alone = isinstance(value, ast.Name) and value.id not in before.holding
                facts = facts.await_(name, reason) if alone else facts.hold(name, reason)
            if not node.shared and is_fresh(value, before, names):
                facts = facts.own(name)
        return facts

    def mutate(self, node: Mutate, facts: Facts) -> Facts:
        read = frozenset().union(*(reads(argument) for argument in node.args))
        front = node.name in facts.unsure and works_at_front(node)
        reason = facts.why(read if front else node_reads(node))
        waits = facts.waits(read)
        if reason is None and node.name in facts.pending and node.name not in facts.holding:
            reason = facts.pending[node.name]
        if reason is None and waits and not keeps_value(node, facts):
            reason = facts.pending[min(waits)]
        results = () if node.result is None else (node.result,)
        if reason is not None:
            self.pass_by(node, reason)
            changed = (node.name,) if node.path is None else (node.name, node.path)
            return facts.lose((*changed, *results), reason)
        self.do(node)
        self.known.own.discard(node)
        if node.name in facts.owned:
            self.known.own.add(node)
        why = facts.pending.get(node.name)
        for name in results:
            facts = facts.define(name, False) if why is None else facts.await_(name, why)
        if waits:
            facts = facts.hold(node.name, facts.pending[min(waits)])
        return facts

    def keep(self, node: Store, facts: Facts) -> Facts:
        """The program changes an object, and the scout does not."""
        self.do(node)
        paths = () if node.path is None else (node.path,)
        return facts.lose(paths, Reason(node.line, f"{node.path} is changed there"))

    # ---- calls ---------------------------------------------------------------------------------

    def call(self, node: Call, facts: Facts) -> Facts:
        reason = facts.why(node_reads(node))
        if reason is None and not node.helper and not self.ahead(node.callee):
            reason = Reason(node.line, f"{node.callee} is not declared pure")
        if reason is None and node.refused is not None:
            reason = Reason(node.line, node.refused)
        if reason is not None:
            self.pass_by(node, reason)
            return facts.lose((node.result,), reason)
        if not node.helper and self.independent(node.callee):
            return self.promise(node, facts)
        waits = facts.waits(node_reads(node))
        if waits:
            self.defer(node, waits)
        else:
            self.do(node)
        self.known.issued.add(node)
        if node.helper and self.writes(node.callee):
            self.known.writing.add(node)
        needed = needs_result(node.line, node.callee)
        if node.helper and not self.answers(node.callee):
            return facts.lose((node.result,), needed)
        if node.helper and node.site < 0 and not waits and node.callee != ANYTHING:
            return facts.define(node.result, False)
        return facts.await_(node.result, needed)

    def promise(self, node: Call, facts: Facts) -> Facts:
        """A call with effects: issued where the program is certain to make it."""
        waits = facts.waits(node_reads(node))
        result = facts.pending[min(waits)] if waits else None
        if result is None and node.into is not None:
            result = facts.why(frozenset({node.into}))
        reason = why_not(node, facts.uncertain, result, self.handling)
        if reason is not None:
            self.pass_by(node, reason)
            return facts.lose((node.result,), reason)
        self.do(node)
        self.known.issued.add(node)
        self.known.committed.add(node)
        return facts.await_(node.result, needs_result(node.line, node.callee))
