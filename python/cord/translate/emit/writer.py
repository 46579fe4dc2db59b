"""Writing a scout's statements, and the strands among them."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from cord.source.scope import target_names
from cord.translate.lower.tree import (
    ANYTHING,
    Assign,
    Call,
    Exit,
    For,
    If,
    Match,
    Mutate,
    Node,
    Try,
    While,
    blocks,
    defined,
    leaves_at_end,
    walk,
    ways_out,
)
from cord.translate.results import MARK
from cord.translate.sites.sites import named

from .guarded import STATE, assign, guard, load, placed, state, store
from .leaving import Leaving, bases, ensure_generator, nothing


class Writer(Leaving):
    """Writes the code of one region.

    Args:
        known: What the scout knows where.
        cut: What of it is needed.
        names: What the names are used for.
        owner: The class in which the region stands.
    """

    # ---- statements ----------------------------------------------------------------------------

    def block(self, block: list[Node]) -> list[ast.stmt]:
        out: list[ast.stmt] = []
        group: list[Node] = []
        for node in block:
            out.extend(self.sets(node))
            if node in self.cut.needed and node in self.known.deferred:
                if group and not self.belongs(node, group):
                    out.extend(self.strand(group))
                    group = []
                group.append(node)
                continue
            written = placed(self.at_once(node), node.line)
            if written and group:
                out.extend(self.strand(group))
                group = []
            out.extend(written)
        return [*out, *(self.strand(group) if group else [])]

    def sets(self, node: Node) -> list[ast.stmt]:
        """What the program sets in objects, which the scout reads no more."""
        names = [self.written_out(name) for name in self.cut.sets(node)]
        return placed([ast.Expr(guard("sets", *names))] if names else [], node.line)

    def at_once(self, node: Node) -> list[ast.stmt]:
        if node in self.known.ends:
            return self.ending(node)
        if isinstance(node, Exit):
            if node not in self.known.done:
                return []
            settled = self.settled() if node.kind == "return" else []
            waits = self.waits(node) if node in self.cut.needed else []
            return [*settled, *waits, *self.finals_before(node), self.exit(node)]
        if node in self.cut.needed:
            waits = [] if isinstance(node, While) else self.waits(node)
            return [*waits, *self.node(node)]
        return []

    # ---- strands -------------------------------------------------------------------------------

    def belongs(self, node: Node, group: list[Node]) -> bool:
        """Whether what a node needs comes from the strand before it, or depends on its exits."""
        if any(inner in self.known.guards for inner in group):
            return True
        read = frozenset().union(*(bases(inner) for inner in walk([node])))
        return not read.isdisjoint(defined(walk(group)))

    def strand(self, group: list[Node]) -> list[ast.stmt]:
        """Start a strand: a generator of its own, given what it reads as it is now."""
        around = self.loops[-1]
        ways = frozenset().union(*(ways_out(node) for node in group if node in self.known.guards))
        inside = [node for node in walk(group) if node in self.cut.needed]
        wanted = self.cut.after[group[-1]].union(around.carried)
        grown = self.grown(group)
        results = [n for n in dict.fromkeys(defined(inside)) if n in wanted and n not in grown]
        grown = [name for name in grown if name in wanted and name in self.names.local]
        live = self.cut.before(group, frozenset([*results, *grown]), frozenset(around.carried))
        live &= self.names.local
        resumed = [
            f":i{node.loop}" for node in inside if isinstance(node, For) and node.first is not None
        ]
        captured = [*sorted(live), *resumed]
        function = self.strand_function(group, results, grown, captured, live)
        self.captured.update(captured)
        arguments = [ast.Constant(len(results) + len(grown)), load(function.name)]
        arguments.extend(
            state("copy", load(n)) if n in self.names.changed else load(n) for n in captured
        )
        leaves = ways - {"continue"}
        if leaves:
            # what may raise an exception that is caught is tried until it does not
            usual = "continue" not in ways and leaves_at_end(group, self.caught)
            flags = ast.Constant(self.caught), ast.Constant(usual)
            call = around.ask("defer", load(STATE), *flags, *arguments)
        else:
            call = state("defer", *arguments)
        self.assigned.update(results)
        start: ast.stmt = ast.Expr(call)
        added = {name: self.fresh() for name in grown}
        if results or grown:
            targets: list[ast.expr] = [store(n) for n in [*results, *added.values()]]
            start = ast.Assign([ast.Tuple(targets, ast.Store())], call)
        self.growing.update(grown)
        note: list[ast.stmt] = [
            ast.Expr(ast.Call(ast.Attribute(_additions(name), "append", ast.Load()), [load(x)], []))
            for name, x in added.items()
        ]
        return [function, start, *note, _pause("pauses"), *(self.go_on() if leaves else [])]

    def grown(self, group: list[Node]) -> list[str]:
        """The containers that strands only add to: what they add is taken over when it is there."""
        every = frozenset().union(*(self.known.grown.get(node, frozenset()) for node in group))
        other = [
            set(defined(walk([node]))) - self.known.grown.get(node, frozenset()) for node in group
        ]
        return sorted(every.difference(*other)) if not self.apart else []

    def strand_function(
        self,
        group: list[Node],
        results: list[str],
        grown: list[str],
        captured: list[str],
        live: frozenset[str],
    ) -> ast.FunctionDef:
        around, name = self.loops[-1], self.fresh()
        outer = self.finals, self.captured, self.apart, self.late
        self.finals, self.captured, self.apart = [None], set(), True
        self.late = "return" in self.ways([part for node in group for part in blocks(node)])
        body, bound = self.no_open(), live
        for node in group:
            waits = self.known.waits.get(node, frozenset())
            # others that a loop reads are bound inside it
            before = [] if node in self.known.apart else self.waiting(waits & bound)
            body.extend(placed([*before, *self.node(node)], node.line))
            bound |= frozenset(defined(walk([node])))
        body.extend(self.settled())
        absent = sorted(self.captured.union(results).difference(captured))
        self.finals, self.captured, self.apart, self.late = outer
        sizes = {n: self.fresh() for n in grown}
        added = [state("added", load(n), load(size)) for n, size in sizes.items()]
        given = ast.Return(ast.Tuple([*map(load, results), *added], ast.Load()))
        begun = [assign(size, state("size", load(n))) for n, size in sizes.items()]
        broken = ast.Return(around.history("breaks", _names(around.carried)))
        return ast.FunctionDef(
            name,
            ast.arguments([], [ast.arg(n) for n in [STATE, *captured]], None, [], [], None, []),
            [
                *map(nothing, absent),
                *begun,
                *_as_turn(body, broken, given),
                ensure_generator(),
                given,
            ],
            [],
            None,
        )

    def waits(self, node: Node) -> list[ast.stmt]:
        """Wait for what a node needs."""
        return self.waiting(self.known.waits.get(node, frozenset()))

    def waiting(self, needed: frozenset[str]) -> list[ast.stmt]:
        names = sorted(needed)
        if not names:
            return []
        test = state("waits", *(load(name) for name in names))
        self.assigned.update(names)
        return [
            ast.While(test, [ast.Expr(ast.Yield(None))], []),
            *(assign(name, state("value", load(name))) for name in names),
        ]

    def node(self, node: Node) -> list[ast.stmt]:
        match node:
            case Assign():
                return self.assign(node.target, self.expr(node.value))
            case Mutate():
                own = ast.Constant(node in self.known.own)
                call = guard("mutate", own, load(node.name), ast.Constant(node.method))
                given = [self.expr(argument) for argument in node.args]
                count = len(given) - len(node.keywords)
                call.args.extend(given[:count])
                call.keywords = list(map(ast.keyword, node.keywords, given[count:]))
                if node.result is None:
                    return [ast.Expr(call)]
                return self.assign(store(node.result), call)
            case Call():
                return self.call(node)
            case If():
                body = self.block(node.body) or [ast.Pass()]
                return [ast.If(self.truth(node.test), body, self.block(node.orelse))]
            case For():
                return self.for_loop(node)
            case While():
                return self.while_loop(node)
            case Try():
                return self.try_block(node)
            case Match():
                return [self.match(node)]
        raise AssertionError(node)

    def ending(self, node: Node) -> list[ast.stmt]:
        """A loop at which the scout stops: only the rest of the iteration around it is done."""
        first = getattr(node, "first", None) or []
        once = ast.Tuple([ast.Constant(None)], ast.Load())
        assert isinstance(node, (For, While))
        loop = self.enter(node)
        body = self.loop_block(first) or [ast.Pass()]
        self.loops.pop()
        turn = ast.For(store(self.fresh()), once, body, [])
        return [*loop.begin(True), turn, ast.Return(None)]

    def assign(self, target: ast.expr, value: ast.expr) -> list[ast.stmt]:
        self.assigned.update(target_names(target))
        if isinstance(target, ast.Name):
            return [ast.Assign([target], value)]
        parts: list[ast.expr] = []
        later: list[ast.stmt] = []
        assert isinstance(target, (ast.Tuple, ast.List))
        for part in target.elts:
            inner = part.value if isinstance(part, ast.Starred) else part
            if isinstance(inner, ast.Name):
                parts.append(part)
                continue
            name = self.fresh()
            parts.append(store(name))
            later.extend(self.assign(inner, load(name)))
        unpacked = ast.Assign([ast.Tuple(parts, ast.Store())], guard("seq", value))
        return [unpacked, *later]

    def operation(self, node: Call) -> list[ast.stmt]:
        """An operation that is a call site: a guard does it that goes on in a strand."""
        site = ast.Constant(f"{MARK}site:{node.site}")
        call = self.expr(node.func)
        assert isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute)
        call.func.value = guard("at", site, load(STATE))
        self.assigned.add(node.result)
        return [assign(node.result, call), _pause("pauses")]

    def call(self, node: Call) -> list[ast.stmt]:
        if node.operation:
            return self.operation(node)
        args = [self.expr(argument) for argument in node.args]
        keywords = [ast.keyword(k.arg, self.expr(k.value)) for k in node.keywords]
        if node.callee == ANYTHING and node.site < 0:
            anything = guard("anything", self.expr(node.func), *args)
            anything.keywords = keywords
            return self.assign(store(node.result), anything)
        native = f"site:{node.site}" if node.site >= 0 else "guard"
        wanted = self.names.readers[node.result] > 0
        method = "go" if node.helper else "ask" if wanted else "issue"
        if node in self.known.committed:
            method = "promise"
        native_method = named(method, keywords) if method in ("ask", "issue") else method
        call = ast.Call(
            ast.Attribute(ast.Constant(MARK + native), native_method, ast.Load()),
            [load(STATE), self.expr(node.func), *args],
            keywords,
        )
        if method == "issue":
            return [ast.If(call, [ast.Expr(ast.Yield(None))], [])]
        if method == "promise":
            return self.promise(node, call, wanted)
        self.assigned.add(node.result)
        if node.site >= 0:
            return [assign(node.result, call), _pause("pauses")]
        inner = self.fresh()
        back = guard("back", load(STATE))
        return [
            assign(inner, call),
            assign(node.result, ast.YieldFrom(load(inner))),
            ast.Expr(back),
        ]

    def promise(self, node: Call, call: ast.Call, wanted: bool) -> list[ast.stmt]:
        """A call with effects, behind all that may fail before it."""
        before: list[ast.stmt] = []
        if node.into is not None:
            before.append(ast.Expr(guard("grows", load(node.into))))
        if not wanted:
            return [*before, ast.Expr(call), _pause("pauses")]
        self.assigned.add(node.result)
        return [*before, assign(node.result, call), _pause("pauses")]

    def for_loop(self, node: For) -> list[ast.stmt]:
        loop = self.enter(node)
        body = self.loop_block(node.body)
        first = self.loop_block(node.first or [])
        self.loops.pop()
        orelse = self.at_end(node, loop)
        item = self.fresh()
        if node.first is None:
            if isinstance(node.target, ast.Name):
                self.assigned.add(node.target.id)
                target: ast.expr = node.target
            else:
                target = store(item)
                body = [*self.assign(node.target, load(item)), *body]
            iterator = guard("iter", self.expr(node.iter))
            turns = ast.For(target, iterator, [_tick(), *body], orelse)
            return [*loop.begin(False), turns, *self.behind(node, loop)]
        resumed = self.fresh()
        later = [*self.assign(node.target, load(item)), *body]
        turns = ast.For(
            store(item),
            guard("resume", load(f":i{node.loop}")),
            [
                _tick(),
                ast.If(load(resumed), [assign(resumed, ast.Constant(False)), *first], later),
            ],
            orelse,
        )
        before = [*self.remake(node), assign(resumed, ast.Constant(True)), *loop.begin(True)]
        return [*before, turns, *self.behind(node, loop)]

    def remake(self, node: For) -> list[ast.stmt]:
        """Where the program's iterator cannot be copied, make another one and pass its turns by."""
        if node not in self.known.remade:
            return []
        given = f":i{node.loop}"
        none = ast.arguments([], [], None, [], [], None, [])
        again = guard("skip", ast.Lambda(none, self.expr(node.iter)), load(given))
        body = [*self.block(node.source), assign(given, again)]
        return [ast.If(guard("counted", load(given)), body, [])]

    def while_loop(self, node: While) -> list[ast.stmt]:
        unsure = node in self.known.unsure
        loop = self.enter(node)
        pre, inside = self.block(node.pre), self.loop_block(node.body)
        first = self.loop_block(node.first or [])
        self.loops.pop()
        body = [
            *pre,
            *self.waiting(self.known.tests.get(node, frozenset())),
            *(self.refill(node.test) if unsure else []),
            ast.If(self.truth(node.test), [ast.Pass()], [*self.at_end(node, loop), ast.Break()]),
            *inside,
        ]
        if node.first is None:
            turns = ast.While(ast.Constant(True), [_tick(), *body], [])
            return [*loop.begin(False), turns, *self.behind(node, loop)]
        resumed = self.fresh()
        first = [assign(resumed, ast.Constant(False)), *first]
        if node in self.known.passed:
            body = [ast.Break()]
        turns = ast.While(ast.Constant(True), [_tick(), ast.If(load(resumed), first, body)], [])
        before = [assign(resumed, ast.Constant(True)), *loop.begin(True)]
        return [*before, turns, *self.behind(node, loop)]

    def refill(self, container: ast.expr) -> list[ast.stmt]:
        """Where a container is used up: wait for what strands add to it."""
        assert isinstance(container, ast.Name)
        if self.apart or container.id not in self.growing:
            return [ast.Expr(guard("sure", load(container.id)))]
        test = state("refill", load(container.id), _additions(container.id))
        return [ast.While(test, [ast.Expr(ast.Yield(None))], [])]

    def try_block(self, node: Try) -> list[ast.stmt]:
        final = self.block(node.final)
        self.finals.append(node.final)
        caught, self.caught = self.caught, self.caught or bool(node.handlers)
        body = self.block(node.body) or [ast.Pass()]
        self.caught = caught
        orelse = self.block(node.orelse)
        inside = [self.block(handler.body) or [ast.Pass()] for handler in node.handlers]
        self.finals.pop()
        if not node.handlers:
            return [*body, *orelse, *final]
        handlers = [
            ast.ExceptHandler(ast.Constant(MARK + "end"), None, [ast.Raise()]),
        ]
        for handler, block in zip(node.handlers, inside, strict=True):
            doubt = [ast.Expr(state("doubt"))] if self.known.committed else []
            handlers.append(ast.ExceptHandler(handler.types, handler.name, [*doubt, *block]))
        return [ast.Try(body, handlers, orelse, []), *final]

    def match(self, node: Match) -> ast.stmt:
        cases = [
            ast.match_case(
                case.pattern,
                None if case.guard is None else self.truth(case.guard),
                self.block(case.body) or [ast.Pass()],
            )
            for case in node.cases
        ]
        return ast.Match(guard("plain", self.expr(node.subject)), cases)

    def loop_block(self, block: list[Node]) -> list[ast.stmt]:
        caught, self.caught = self.caught, False
        self.finals.append(None)
        out = self.block(block)
        self.finals.pop()
        self.caught = caught
        return out

    def exit(self, node: Exit) -> ast.stmt:
        match node.kind:
            case "break":
                return ast.Break()
            case "continue":
                return ast.Continue()
            case "raise":
                return ast.Expr(guard("unwind"))
        needed = node in self.cut.needed and node.value is not None
        return self.give(self.expr(node.value) if needed and node.value is not None else None)


def _additions(name: str) -> ast.expr:
    """What strands that were started will add to a container, in the program's order."""
    return load(f":+{name}")


def _tick() -> ast.stmt:
    return _pause("tick")


def _pause(question: str, *args: ast.expr) -> ast.stmt:
    """Pause here if it is time to."""
    return ast.If(state(question, *args), [ast.Expr(ast.Yield(None))], [])


def _as_turn(body: list[ast.stmt], broken: ast.stmt, given: ast.stmt) -> list[ast.stmt]:
    """A strand's body, where `break` and `continue` of the loop around it end the strand."""
    finder = _LooseExits(broken, given)
    return [finder.visit(statement) for statement in body]


class _LooseExits(ast.NodeTransformer):
    def __init__(self, broken: ast.stmt, given: ast.stmt) -> None:
        self.broken = broken
        self.given = given

    def visit_Break(self, _node: ast.Break) -> ast.AST:
        return self.broken

    def visit_Continue(self, _node: ast.Continue) -> ast.AST:
        return self.given

    def visit_For(self, node: ast.For) -> ast.AST:
        node.orelse = [self.visit(statement) for statement in node.orelse]
        return node

    def visit_While(self, node: ast.While) -> ast.AST:
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        return node


def _names(names: Iterable[str]) -> ast.expr:
    return ast.Tuple([load(name) for name in names], ast.Load())
