"""Forward analysis: what a scout knows where.

From the point where the scout starts, facts flow along the paths that the scout follows: a name is
known until something that a scout does not do may define or change it. Where a condition is not
known the scout passes by: what stands under it is unknown afterwards, exits under it are predicted
not to be taken, calls under it are made by the program itself.

The analysis is a structured form of the usual "must" data-flow problem (Aho, Lam, Sethi, Ullman,
Compilers, section 9.2), with an edge from every node of a `try` body to its handlers.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass, field

from .report import Reason
from .scope import target_names
from .tree import (
    Assign,
    Call,
    Exit,
    For,
    If,
    Match,
    Mutate,
    Node,
    Opaque,
    Try,
    While,
    walk,
)
from .uses import is_unknown, node_reads, reads

_FRESH_CALLS = frozenset({"list", "dict", "set", "sorted", "bytearray"})


@dataclass(frozen=True, slots=True)
class Facts:
    """At one point: what is unknown and why, and which names hold objects of the scout's own.

    `paths` are those of the unknown that are attribute paths.
    """

    unknown: dict[str, Reason]
    owned: frozenset[str]
    paths: frozenset[str] = frozenset()

    def why(self, read: frozenset[str]) -> Reason | None:
        """Why one of the things read is unknown; None where all are known."""
        for name in read:
            if name in self.unknown:
                return self.unknown[name]
        if self.paths:
            for name in read:
                for path in self.paths:
                    if is_unknown(name, path):
                        return self.unknown[path]
        return None

    def lose(self, names: tuple[str, ...] | frozenset[str], reason: Reason) -> Facts:
        """The facts after something may have changed what these names stand for."""
        unknown = dict(self.unknown)
        for name in names:
            if name not in unknown or unknown[name].line == 0:
                unknown[name] = reason
        paths = self.paths.union(name for name in names if "." in name)
        return Facts(unknown, self.owned.difference(names), paths)

    def define(self, name: str, owned: bool) -> Facts:
        """The facts after a name is bound to something known."""
        owns = self.owned | {name} if owned else self.owned - {name}
        inside = [path for path in self.paths if path.startswith(name + ".")]
        if name not in self.unknown and not inside:
            return Facts(self.unknown, owns, self.paths)
        unknown = dict(self.unknown)
        for path in (name, *inside):
            unknown.pop(path, None)
        return Facts(unknown, owns, self.paths.difference(inside))


def join(left: Facts | None, right: Facts | None) -> Facts | None:
    """What is certain on both paths; None is a path that the scout does not follow."""
    if left is None or right is None:
        return left or right
    if left.unknown is right.unknown:
        return Facts(left.unknown, left.owned & right.owned, left.paths)
    unknown = {**right.unknown, **left.unknown}
    return Facts(unknown, left.owned & right.owned, left.paths | right.paths)


@dataclass(slots=True)
class Known:
    """The outcome: marks on nodes.

    `issued` are the calls a scout makes, `done` the other nodes it may do, `passed` those it passes
    by with the reason, `ends` the loops at which it stops,
    `iterables` why what a loop runs over is unknown.
    """

    issued: set[Node] = field(default_factory=set)
    done: set[Node] = field(default_factory=set)
    passed: dict[Node, Reason] = field(default_factory=dict)
    ends: dict[Node, Reason] = field(default_factory=dict)
    iterables: dict[For, Reason] = field(default_factory=dict)
    returns: bool = True
    returned: int = 0


@dataclass(slots=True)
class _Loop:
    breaks: Facts | None = None
    continues: Facts | None = None


class Analysis:
    """Runs the facts over one region.

    Args:
        answers: Tells for a helper's dotted name whether a scout knows its result when it knows the
            arguments.
        ahead: Tells for a remote function's dotted name whether it may be called ahead.
    """

    def __init__(self, answers: Callable[[str], bool], ahead: Callable[[str], bool]) -> None:
        self.answers = answers
        self.ahead = ahead
        self.known = Known()
        self.loops: list[_Loop] = []
        self.handlers: list[Facts | None] = []

    def block(self, block: list[Node], facts: Facts | None) -> Facts | None:
        for node in block:
            if facts is None:
                self.known.passed.setdefault(node, Reason(node.line, "the scout ends before it"))
                continue
            if self.handlers:
                self.handlers[-1] = join(self.handlers[-1], facts)
            facts = self.node(node, facts)
            if self.handlers:
                self.handlers[-1] = join(self.handlers[-1], facts)
        return facts

    def node(self, node: Node, facts: Facts) -> Facts | None:
        match node:
            case Assign():
                return self.assign(node, facts)
            case Opaque():
                return facts.lose(node.defines, Reason(node.line, node.reason))
            case Mutate():
                return self.mutate(node, facts)
            case Call():
                return self.call(node, facts)
            case If():
                return self.condition(node, facts)
            case For():
                return self.for_loop(node, facts)
            case While():
                return self.while_loop(node, facts)
            case Try():
                return self.try_block(node, facts)
            case Match():
                return self.match_block(node, facts)
            case Exit():
                self.exit(node, facts)
                return None
        raise AssertionError(node)

    def do(self, node: Node) -> None:
        self.known.done.add(node)
        self.known.passed.pop(node, None)

    def pass_by(self, node: Node, reason: Reason) -> None:
        self.known.passed[node] = reason
        self.known.done.discard(node)
        self.known.issued.discard(node)

    def assign(self, node: Assign, facts: Facts) -> Facts:
        names = tuple(target_names(node.target))
        reason = facts.why(node_reads(node))
        if reason is not None:
            self.pass_by(node, reason)
            return facts.lose(names, reason)
        self.do(node)
        fresh = isinstance(node.target, ast.Name) and _is_fresh(node.value, facts)
        fresh = fresh and not node.shared
        for name in names:
            facts = facts.define(name, fresh)
        return facts

    def mutate(self, node: Mutate, facts: Facts) -> Facts:
        reason = facts.why(node_reads(node))
        if reason is None and node.name not in facts.owned:
            reason = Reason(node.line, f"{node.name} is changed here, and others may share it")
        results = () if node.result is None else (node.result,)
        if reason is not None:
            self.pass_by(node, reason)
            return facts.lose((node.name, *results), reason)
        self.do(node)
        for name in results:
            facts = facts.define(name, False)
        return facts

    def call(self, node: Call, facts: Facts) -> Facts:
        reason = facts.why(node_reads(node))
        if reason is None and not node.helper and not self.ahead(node.callee):
            reason = Reason(node.line, f"{node.callee} is not declared pure")
        if reason is not None:
            self.pass_by(node, reason)
            return facts.lose((node.result,), reason)
        self.known.issued.add(node)
        self.do(node)
        if node.helper and self.answers(node.callee):
            return facts.define(node.result, False)
        return facts.lose(
            (node.result,), Reason(node.line, f"it needs the result of {node.callee}()")
        )

    def condition(self, node: If, facts: Facts) -> Facts | None:
        reason = facts.why(node_reads(node))
        if reason is not None:
            return self.skip(node, [*node.body, *node.orelse], facts, reason)
        self.do(node)
        return join(self.block(node.body, facts), self.block(node.orelse, facts))

    def match_block(self, node: Match, facts: Facts) -> Facts | None:
        reason = facts.why(node_reads(node))
        if reason is not None:
            bodies = [inner for case in node.cases for inner in case.body]
            return self.skip(node, bodies, facts, reason)
        self.do(node)
        out: Facts | None = facts
        for case in node.cases:
            inside = facts
            for part in ast.walk(case.pattern):
                name = getattr(part, "name", None) or getattr(part, "rest", None)
                if isinstance(name, str):
                    inside = inside.define(name, False)
            out = join(out, self.block(case.body, inside))
        return out

    def skip(self, node: Node, inside: list[Node], facts: Facts, reason: Reason) -> Facts:
        """Pass by a compound statement: what it may define or change is unknown afterwards."""
        self.pass_by(node, reason)
        for inner in walk(inside):
            self.pass_by(inner, reason)
        return facts.lose(_defined(inside), reason)

    def for_loop(self, node: For, facts: Facts) -> Facts | None:
        reason = None if node.first is not None else facts.why(reads(node.iter))
        names = frozenset(target_names(node.target))
        if reason is not None:
            self.known.iterables[node] = reason
            return self.skip_loop(node, [*node.body], facts, reason, names)
        self.do(node)
        entry: Facts | None = facts
        loop = _Loop()
        self.loops.append(loop)
        if node.first is not None:
            entry = join(self.block(node.first, facts), loop.continues)
        head = entry
        while head is not None:
            inside: Facts = head
            for name in names:
                inside = inside.define(name, False)
            back = join(self.block(node.body, inside), loop.continues)
            merged = join(head, back)
            if merged == head or merged is None:
                break
            head = merged
        self.loops.pop()
        return join(self.block(node.orelse, head), loop.breaks)

    def while_loop(self, node: While, facts: Facts) -> Facts | None:
        loop = _Loop()
        self.loops.append(loop)
        head: Facts | None = facts
        if node.first is not None:
            head = join(self.block(node.first, facts), loop.continues)
        out: Facts | None = None
        while head is not None:
            tested = self.block(node.pre, head)
            assert tested is not None
            reason = tested.why(reads(node.test))
            if reason is not None:
                out = self.skip_loop(node, [*node.pre, *node.body], tested, reason, frozenset())
                break
            self.do(node)
            out = tested
            back = join(self.block(node.body, tested), loop.continues)
            merged = join(head, back)
            if merged == head or merged is None:
                break
            head = merged
        self.loops.pop()
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
            out = join(out, self.block(handler.body, inside))
        return self.block(node.final, out)

    def exit(self, node: Exit, facts: Facts) -> None:
        self.do(node)
        match node.kind:
            case "break" if self.loops:
                self.loops[-1].breaks = join(self.loops[-1].breaks, facts)
            case "continue" if self.loops:
                self.loops[-1].continues = join(self.loops[-1].continues, facts)
            case "return":
                self.known.returned += 1
                if facts.why(reads(node.value)) is not None:
                    self.known.returns = False


def _defined(nodes: list[Node]) -> tuple[str, ...]:
    names: list[str] = []
    for node in walk(nodes):
        match node:
            case Assign():
                names.extend(target_names(node.target))
            case Opaque():
                names.extend(node.defines)
            case Mutate():
                names.append(node.name)
                if node.result is not None:
                    names.append(node.result)
            case Call():
                names.append(node.result)
            case For():
                names.extend(target_names(node.target))
            case Try():
                names.extend(h.name for h in node.handlers if h.name is not None)
            case Match():
                for case in node.cases:
                    for part in ast.walk(case.pattern):
                        name = getattr(part, "name", None) or getattr(part, "rest", None)
                        if isinstance(name, str):
                            names.append(name)
    return tuple(names)


def _is_fresh(value: ast.expr, facts: Facts) -> bool:
    """Whether an expression makes a new container (or passes on one that only the scout has)."""
    if isinstance(value, (ast.List, ast.Dict, ast.Set)):
        return True
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Name):
        return value.func.id in _FRESH_CALLS
    if isinstance(value, ast.Name) and value.id.startswith(":"):
        return value.id in facts.owned
    return False


def _never_false(test: ast.expr) -> bool:
    return isinstance(test, ast.Constant) and bool(test.value)
