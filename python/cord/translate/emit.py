"""From a slice to the scout's Python code: a generator, every operation of it guarded.

The code refers to native objects by string constants that start with `MARK`; `code.patch` puts the
objects in their place. A scout pauses with a bare `yield` where its calls or its clock ask for it.
"""

from __future__ import annotations

import ast
from collections import Counter
from dataclasses import dataclass

from .guarded import STATE, Guarded, assign, guard, load, state, store
from .known import Known
from .moves import changed_names
from .needed import Slice
from .results import MARK
from .scope import target_names
from .tree import (
    ANYTHING,
    Assign,
    Call,
    Exit,
    For,
    If,
    Match,
    Mutate,
    Node,
    Store,
    Try,
    While,
    Yield,
    defined,
    walk,
)
from .uses import node_reads, reads

# Builtins whose results a loop walks at once.
_WALKERS = frozenset({"range", "list", "tuple", "sorted", "set", "dict"})


@dataclass(frozen=True, slots=True)
class Scout:
    """A scout's source.

    Attributes:
        function: The generator function.
        names: Its parameters after the state, names of the frame in which it is born.
        loops: Numbers of the loops it goes on with; their iterators are its last parameters.
        copied: Those names whose objects it changes, so that it must have copies.
        returns: Whether it gives what the region returns.
        sites: Calls (site numbers) it makes.
        passed: Calls it leaves, at least sometimes, to the program.
    """

    function: ast.FunctionDef
    names: tuple[str, ...]
    loops: tuple[int, ...]
    copied: tuple[str, ...]
    returns: bool
    sites: frozenset[int]
    passed: frozenset[int]


def emit(
    name: str,
    body: list[Node],
    known: Known,
    cut: Slice,
    variables: frozenset[str],
    arguments: ast.arguments | None = None,
    captured: frozenset[str] = frozenset(),
    owner: str | None = None,
) -> Scout:
    """Write the scout of a region.

    Args:
        name: Name of the generated function.
        body: The region, or what is left of it.
        known: What the scout knows where.
        cut: What of it is needed.
        variables: The names that are variables of the program's frame (or of the module).
        arguments: For a function entered from its start, its own parameters.
        captured: For such a function, the variables of functions around it.
        owner: The class in which the region stands.
    """
    needed = [node for node in walk(body) if node in cut.needed]
    changed = changed_names(needed)
    hidden = frozenset(name for name in cut.live if ":" in name)
    local = hidden | variables | frozenset(defined(walk(body)))
    writer = _Writer(known, cut, _Names(needed, local, changed), owner)
    statements = writer.block(body)
    loops = tuple(
        node.loop
        for node in walk(body)
        if isinstance(node, For) and node.first is not None and node in cut.needed
    )
    assigned = writer.assigned | changed
    if arguments is None:
        names = tuple(sorted(n for n in cut.live if n in variables or n in assigned or ":" in n))
    else:
        names = tuple(sorted(cut.live & captured))
    parameters = arguments or ast.arguments([], [], None, [], [], None, [])
    first = [ast.arg(STATE), *(ast.arg(n) for n in names), *(ast.arg(f":i{n}") for n in loops)]
    function = ast.FunctionDef(
        name,
        ast.arguments(
            [*first, *(_bare(a) for a in parameters.posonlyargs)] if parameters.posonlyargs else [],
            (
                [_bare(a) for a in parameters.args]
                if parameters.posonlyargs
                else [*first, *(_bare(a) for a in parameters.args)]
            ),
            _bare(parameters.vararg) if parameters.vararg else None,
            [_bare(a) for a in parameters.kwonlyargs],
            [None if d is None else ast.Constant(None) for d in parameters.kw_defaults],
            _bare(parameters.kwarg) if parameters.kwarg else None,
            [ast.Constant(None) for _ in parameters.defaults],
        ),
        [*(_unbind(n) for n in names), *statements, _ensure_generator()],
        [],
        None,
    )
    calls = [n for n in walk(body) if isinstance(n, Call) and n.site >= 0]
    return Scout(
        function,
        names,
        loops,
        tuple(n for n in names if n in changed),
        cut.with_result,
        frozenset(n.site for n in calls if n in cut.needed),
        frozenset(n.site for n in calls if n not in cut.needed),
    )


class _Names:
    """What the names of a scout are used for.

    Args:
        needed: The nodes that the scout does.
        local: All names that are variables of the scout, if they occur in it.
        changed: Names whose objects the scout changes.
    """

    def __init__(self, needed: list[Node], local: frozenset[str], changed: frozenset[str]) -> None:
        self.local = local
        self.changed = changed
        self.readers = Counter(name for node in needed for name in _bases(node))


def _bases(node: Node) -> frozenset[str]:
    read = node_reads(node) if not isinstance(node, For) else reads(node.iter)
    return frozenset(name.partition(".")[0] for name in read)


class _Writer(Guarded):
    def __init__(self, known: Known, cut: Slice, names: _Names, owner: str | None) -> None:
        self.known = known
        self.cut = cut
        self.names = names
        super().__init__(owner)
        self.assigned: set[str] = set()
        # the `finally` blocks around, and None for each loop between them
        self.finals: list[list[Node] | None] = []

    # ---- statements ----------------------------------------------------------------------------

    def block(self, block: list[Node]) -> list[ast.stmt]:
        out: list[ast.stmt] = []
        group: list[Node] = []
        for node in block:
            if node in self.cut.needed and node in self.known.deferred:
                if group and not self.belongs(node, group):
                    out.extend(self.strand(group))
                    group = []
                group.append(node)
                continue
            written = self.at_once(node)
            if written and group:
                out.extend(self.strand(group))
                group = []
            out.extend(written)
        return [*out, *(self.strand(group) if group else [])]

    def at_once(self, node: Node) -> list[ast.stmt]:
        if node in self.known.ends:
            return self.ending(node)
        if isinstance(node, Exit):
            if node not in self.known.done:
                return []
            waits = self.waits(node) if node in self.cut.needed else []
            return [*waits, *self.finals_before(node), self.exit(node)]
        if node in self.cut.needed:
            waits = [] if isinstance(node, While) else self.waits(node)
            return [*waits, *self.node(node)]
        return []

    # ---- strands -------------------------------------------------------------------------------

    def belongs(self, node: Node, group: list[Node]) -> bool:
        """Whether what a node needs comes from the strand before it, or depends on its exits."""
        if any(inner in self.known.guards for inner in group):
            return True
        read = frozenset().union(*(_bases(inner) for inner in walk([node])))
        return not read.isdisjoint(defined(walk(group)))

    def strand(self, group: list[Node]) -> list[ast.stmt]:
        """Start a strand: a generator of its own, given what it reads as it is now."""
        inside = [node for node in walk(group) if node in self.cut.needed]
        live_after = self.cut.after[group[-1]]
        results = [name for name in dict.fromkeys(defined(inside)) if name in live_after]
        live = self.cut.before(group, frozenset(results)) & self.names.local
        resumed = [
            f":i{node.loop}" for node in inside if isinstance(node, For) and node.first is not None
        ]
        captured = [*sorted(live), *resumed]
        name = self.fresh()
        finals, self.finals = self.finals, [None]
        body: list[ast.stmt] = []
        bound = live
        for node in group:
            waits = self.known.waits.get(node, frozenset())
            # others that a loop reads are bound inside it
            body.extend([*self.waiting(waits & bound), *self.node(node)])
            bound |= frozenset(defined(walk([node])))
        self.finals = finals
        given = ast.Tuple([load(n) for n in results], ast.Load())
        function = ast.FunctionDef(
            name,
            ast.arguments([], [ast.arg(n) for n in [STATE, *captured]], None, [], [], None, []),
            [*_as_turn(body), _ensure_generator(), ast.Return(given)],
            [],
            None,
        )
        call = state("defer", ast.Constant(len(results)), load(name))
        call.args.extend(
            state("copy", load(n)) if n in self.names.changed else load(n) for n in captured
        )
        self.assigned.update(results)
        start: ast.stmt = ast.Expr(call)
        if results:
            targets: list[ast.expr] = [store(n) for n in results]
            start = ast.Assign([ast.Tuple(targets, ast.Store())], call)
        return [function, start, _pause("pauses")]

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
                call.args.extend(self.expr(argument) for argument in node.args)
                if node.result is None:
                    return [ast.Expr(call)]
                return self.assign(store(node.result), call)
            case Store():
                owner, value = self.expr(node.owner), self.expr(node.value)
                return [ast.Expr(guard("keep", owner, self.written_out(node.attribute), value))]
            case Yield():
                return [_pause("item", self.expr(node.value))]
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
        body = self.loop_block(first) or [ast.Pass()]
        return [ast.For(store(self.fresh()), once, body, []), ast.Return(None)]

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

    def call(self, node: Call) -> list[ast.stmt]:
        args = [self.expr(argument) for argument in node.args]
        keywords = [ast.keyword(k.arg, self.expr(k.value)) for k in node.keywords]
        if node.callee == ANYTHING and node.site < 0:
            anything = guard("anything", self.expr(node.func), *args)
            anything.keywords = keywords
            return self.assign(store(node.result), anything)
        native = f"site:{node.site}" if node.site >= 0 else "guard"
        wanted = self.names.readers[node.result] > 0
        method = "go" if node.helper else "ask" if wanted else "issue"
        if node.stream:
            method = "go"
        call = ast.Call(
            ast.Attribute(ast.Constant(MARK + native), method, ast.Load()),
            [load(STATE), self.expr(node.func), *args],
            keywords,
        )
        if method == "issue":
            return [ast.If(call, [ast.Expr(ast.Yield(None))], [])]
        self.assigned.add(node.result)
        if node.stream:
            return [assign(node.result, call)]
        if node.site >= 0:
            return [assign(node.result, call), _pause("pauses")]
        inner = self.fresh()
        back = guard("back", load(STATE))
        return [
            assign(inner, call),
            assign(node.result, ast.YieldFrom(load(inner))),
            ast.Expr(back),
        ]

    def for_loop(self, node: For) -> list[ast.stmt]:
        body = self.loop_block(node.body)
        orelse = self.block(node.orelse)
        item = self.fresh()
        if node.first is None:
            if isinstance(node.target, ast.Name):
                self.assigned.add(node.target.id)
                target: ast.expr = node.target
            else:
                target = store(item)
                body = [*self.assign(node.target, load(item)), *body]
            iterator = guard("iter", self.expr(node.iter))
            first = [_tick()]
            if _may_be_stream(node.iter):
                first.insert(0, _starved(target.id))  # type: ignore[attr-defined]
            return [ast.For(target, iterator, [*first, *body], orelse)]
        resumed = self.fresh()
        later = [*self.assign(node.target, load(item)), *body]
        first = [assign(resumed, ast.Constant(False)), *self.loop_block(node.first)]
        loop = ast.For(
            store(item),
            guard("resume", load(f":i{node.loop}")),
            [_starved(item), _tick(), ast.If(load(resumed), first, later)],
            orelse,
        )
        return [*self.remake(node), assign(resumed, ast.Constant(True)), loop]

    def remake(self, node: For) -> list[ast.stmt]:
        """Where the program's iterator cannot be copied, make another one and pass its turns by."""
        if node not in self.known.remade:
            return []
        given = f":i{node.loop}"
        nothing = ast.arguments([], [], None, [], [], None, [])
        again = guard("skip", ast.Lambda(nothing, self.expr(node.iter)), load(given))
        body = [*self.block(node.source), assign(given, again)]
        return [ast.If(guard("counted", load(given)), body, [])]

    def while_loop(self, node: While) -> list[ast.stmt]:
        unsure = node in self.known.unsure
        ending = [*self.block(node.orelse), ast.Break()]
        body = [
            *self.block(node.pre),
            *self.waiting(self.known.tests.get(node, frozenset())),
            *([ast.Expr(guard("sure", self.expr(node.test)))] if unsure else []),
            ast.If(self.truth(node.test), [ast.Pass()], ending),
            *self.loop_block(node.body),
        ]
        if node.first is None:
            return [ast.While(ast.Constant(True), [_tick(), *body], [])]
        resumed = self.fresh()
        first = [assign(resumed, ast.Constant(False)), *self.loop_block(node.first)]
        if node in self.known.passed:
            body = [ast.Break()]
        loop = ast.While(ast.Constant(True), [_tick(), ast.If(load(resumed), first, body)], [])
        return [assign(resumed, ast.Constant(True)), loop]

    def try_block(self, node: Try) -> list[ast.stmt]:
        final = self.block(node.final)
        self.finals.append(node.final)
        body = self.block(node.body) or [ast.Pass()]
        orelse = self.block(node.orelse)
        inside = [self.block(handler.body) or [ast.Pass()] for handler in node.handlers]
        self.finals.pop()
        if not node.handlers:
            return [*body, *orelse, *final]
        handlers = [
            ast.ExceptHandler(ast.Constant(MARK + "end"), None, [ast.Raise()]),
        ]
        for handler, block in zip(node.handlers, inside, strict=True):
            handlers.append(ast.ExceptHandler(handler.types, handler.name, block))
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
        self.finals.append(None)
        out = self.block(block)
        self.finals.pop()
        return out

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

    def exit(self, node: Exit) -> ast.stmt:
        match node.kind:
            case "break":
                return ast.Break()
            case "continue":
                return ast.Continue()
            case "raise":
                return ast.Expr(guard("unwind"))
        if node in self.cut.needed and node.value is not None:
            return ast.Return(self.expr(node.value))
        return ast.Return(None)


def _tick() -> ast.stmt:
    return _pause("tick")


def _pause(question: str, *args: ast.expr) -> ast.stmt:
    """Pause here if it is time to."""
    return ast.If(state(question, *args), [ast.Expr(ast.Yield(None))], [])


def _starved(item: str) -> ast.stmt:
    """Pause where the next item of a stream is not there yet."""
    pause = ast.Attribute(ast.Constant(MARK + "guard"), "pause", ast.Load())
    test = ast.Compare(load(item), [ast.Is()], [pause])
    return ast.If(test, [ast.Expr(ast.Yield(None)), ast.Continue()], [])


def _may_be_stream(iterable: ast.expr) -> bool:
    """Whether a loop may walk what a generator of the program's yields."""
    if isinstance(iterable, ast.Call):
        return not (isinstance(iterable.func, ast.Name) and iterable.func.id in _WALKERS)
    return isinstance(iterable, (ast.Name, ast.Attribute, ast.Subscript, ast.IfExp, ast.BoolOp))


def _as_turn(body: list[ast.stmt]) -> list[ast.stmt]:
    """A strand's body, where `break` and `continue` of the loop around it end the strand."""
    finder = _LooseExits()
    return [finder.visit(statement) for statement in body]


class _LooseExits(ast.NodeTransformer):
    def visit_Break(self, _node: ast.Break) -> ast.AST:
        return ast.Return(None)

    def visit_Continue(self, _node: ast.Continue) -> ast.AST:
        return ast.Return(None)

    def visit_For(self, node: ast.For) -> ast.AST:
        node.orelse = [self.visit(statement) for statement in node.orelse]
        return node

    def visit_While(self, node: ast.While) -> ast.AST:
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        return node


def _unbind(name: str) -> ast.stmt:
    """A name that had no value in the program, told by an ellipsis, has none here."""
    test = ast.Compare(load(name), [ast.Is()], [ast.Constant(...)])
    return ast.If(test, [ast.Delete([ast.Name(name, ast.Del())])], [])


def _ensure_generator() -> ast.stmt:
    return ast.If(ast.Constant(False), [ast.Expr(ast.Yield(None))], [])


def _bare(argument: ast.arg) -> ast.arg:
    return ast.arg(argument.arg)
