"""Where the value of a remote call is received: late, if the text shows that nobody can tell.

`r = remote(x)` issues the call. Its value is received before the first statement that reads or
binds `r`, before the first that may have an effect, and at the end of its `try`, its `with` or its
function; it may be on its way over the turns of a loop. What is on its way where is the usual
forward "may" problem, solved on the tree: facts only grow, so loops come to an end.

A *stretch* is a list of statements that no exception leaves unseen: the body of a function, of a
part of a `try`, of a `with`, or the module's own. Nothing is on its way at its beginning and behind
its end.
"""

from __future__ import annotations

import ast

from cord.knowledge.functions import CONTAINERS, WRAPPERS
from cord.knowledge.methods import VIEW_NAMES
from cord.source.records import dataclass
from cord.source.scope import bound_names, outer_names
from cord.translate.sites.survey import Region

from .owned import MADE
from .quiet import Quiet, dotted
from .reads import LoudError, Reads
from .stretches import Late, Split, Stretch, bodies, statements

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from cord.translate.sites.project import Project
    from cord.translate.sites.sites import Found, Site

Waiting = frozenset["Late"]
_NONE: Waiting = frozenset()
_JUMPS = (ast.Break, ast.Continue, ast.Return)


def receiving(project: Project, found: Found, quiet: Quiet | None = None) -> list[Stretch]:
    """The stretches of a module in which values are received late."""
    sites = {node: site for node, site in found.site_of.items() if _may_wait(project, site, found)}
    if not sites:
        return []
    known = quiet or Quiet(project)
    stretches = []
    for region in found.regions:
        if any(site.region is region for site in sites.values()):
            for body in bodies(region.node):
                stretch = _Flow(known, found, region, sites, body).solved()
                if stretch is not None:
                    stretches.append(stretch)
    return stretches


def why_in_place(project: Project, found: Found) -> dict[Site, tuple[int, str, str | None]]:
    """Why values are received in their place that local work follows: a line, and what is there."""
    sites = {node: site for node, site in found.site_of.items() if _may_wait(project, site, found)}
    known = Quiet(project)
    reasons: dict[Site, tuple[int, str, str | None]] = {}
    for region in found.regions:
        if any(site.region is region for site in sites.values()):
            for body in bodies(region.node):
                flow = _Flow(known, found, region, sites, body)
                flow.solved()
                reasons.update(flow.loud)
    return reasons


def _may_wait(project: Project, site: Site, found: Found) -> bool:
    if not site.remote or site.passes or not site.region.scouted or site.why_not is not None:
        return False
    if not isinstance(site.node, ast.Call) or site.node in found.applied_of:
        return False
    if not isinstance(site.region.node, (ast.FunctionDef, ast.Module)):
        return False
    starred = any(isinstance(argument, ast.Starred) for argument in site.node.args)
    if starred or any(keyword.arg is None for keyword in site.node.keywords):
        return False
    remote = project.remote.get(site.meaning.module)
    return remote is not None and site.meaning.name in remote.late


@dataclass(slots=True)
class _Loop:
    """A loop of the stretch that the text is in."""

    node: ast.For | ast.While
    head: Waiting
    left: Waiting = _NONE


class _Flow:
    """Follows what is on its way through one stretch."""

    def __init__(
        self,
        quiet: Quiet,
        found: Found,
        region: Region,
        sites: dict[ast.expr, Site],
        body: list[ast.stmt],
    ) -> None:
        self.quiet = quiet
        self.found = found
        self.region = region
        self.body = body
        self.loud: dict[Site, tuple[int, str, str | None]] = {}
        scope = region.node
        self.outer = set() if isinstance(scope, ast.Module) else outer_names(scope)
        self.bound = bound_names(scope)
        self.calls: dict[ast.stmt, Late] = {}
        for statement in statements(body):
            late = self._late(statement, sites)
            if late is not None:
                self.calls[statement] = late
        self.holding: set[ast.stmt] = set()
        self.before: dict[ast.stmt, set[Late]] = {}
        self.split: dict[ast.stmt, Split] = {}
        self.after: dict[ast.stmt, set[Late]] = {}
        self.loops: list[_Loop] = []
        self.known: dict[ast.AST, Reads | LoudError] = {}

    def _late(self, statement: ast.stmt, sites: dict[ast.expr, Site]) -> Late | None:
        match statement:
            case ast.Assign(targets=[target], value=value) if value in sites:
                names = self._names(target)
                if names is None:
                    return None
            case ast.AnnAssign(target=target, value=value, simple=1) if value in sites:
                names = self._names(target)
                if names is None or isinstance(self.region.node, ast.Module):
                    return None
            case ast.AugAssign(target=ast.Name() as target, value=value) if value in sites:
                names = self._names(target)
                if names is None:
                    return None
            case ast.Expr(
                value=ast.Call(
                    func=ast.Attribute(value=ast.Name() as target, attr="append"),
                    args=[value],
                    keywords=[],
                )
            ) if value in sites:
                names = self._names(target)
                if names is None:
                    return None
            case ast.Expr(value=value) if value in sites:
                names = frozenset()
            case _:
                return None
        return Late(sites[value], statement, names)

    def _names(self, target: ast.expr) -> frozenset[str] | None:
        """The variables that a value is assigned to, if it is to variables of the frame's own."""
        parts = target.elts if isinstance(target, (ast.Tuple, ast.List)) else [target]
        names = [part.id for part in parts if isinstance(part, ast.Name)]
        if len(names) != len(parts) or not names or self.outer & set(names):
            return None
        return frozenset(names) if set(names) <= self.bound else None

    def solved(self) -> Stretch | None:
        """The stretch, None where nothing in it is received late."""
        while self.calls:
            self.before.clear()
            self.after.clear()
            self.split.clear()
            self.holding = {
                outer
                for outer in statements(self.body)
                if any(inner in self.calls for inner in ast.walk(outer))
            }
            for late in self.calls.values():
                late.reads, late.lines, late.at_end = Reads(), set(), False
                late.fresh = set()
            out = self.block(self.body, _NONE)
            if out:
                self._receive_at_end(self.body, out)
                for late in out:
                    late.at_end = True
            idle = [one for one, late in self.calls.items() if not late.reads.heavy]
            if not idle:
                return self._stretch()
            for statement in idle:
                del self.calls[statement]
        return None

    def _receive_at_end(self, body: list[ast.stmt], waiting: Waiting) -> None:
        """Receives what is on its way where a list of statements ends, in each branch of it."""
        last = body[-1]
        if isinstance(last, ast.If) and last.orelse:
            self._receive_at_end(last.body, waiting)
            self._receive_at_end(last.orelse, waiting)
        else:
            self._receive_after(last, waiting, waiting)

    def _stretch(self) -> Stretch:
        calls = list(self.calls.values())
        made = Stretch(self.body, calls)
        made.split = dict(self.split)
        for at, lates in self.before.items():
            made.before[at] = sorted(lates, key=calls.index)
        for at, lates in self.after.items():
            made.after[at] = sorted(lates, key=calls.index)
        touched = [*self.calls, *made.before, *made.after]
        inside = [
            at
            for at, one in enumerate(self.body)
            if any(inner in touched for inner in ast.walk(one))
        ]
        made.first, made.last = inside[0], inside[-1]
        return made

    # ---- statements ----------------------------------------------------------------------------

    def block(self, body: list[ast.stmt], waiting: Waiting | None) -> Waiting | None:
        """What is on its way behind statements; None where the text does not come there."""
        begun: list[Late] = []  # the calls that only statements without jumps have followed
        for statement in body:
            if waiting is None:
                break
            waiting = self.statement(statement, waiting)
            if any(isinstance(one, _JUMPS) for one in ast.walk(statement)):
                begun.clear()
            for late in begun:
                late.fresh |= self._made_in(statement)
            if statement in self.calls:
                begun.append(self.calls[statement])
        return waiting

    def _made_in(self, statement: ast.stmt) -> set[str]:
        """The variable that a statement binds to a container or a number of its own."""
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if isinstance(value, MADE):
                return {name}
        return set()

    def statement(self, node: ast.stmt, waiting: Waiting) -> Waiting | None:
        if node in self.calls:
            return self._call(node, waiting)
        match node:
            case ast.Return() | ast.Raise():
                self._divide(node, waiting)
                self._receive(node, waiting)
                return None
            case ast.Break() | ast.Continue():
                self._jump(node, waiting)
                return None
        if node not in self.holding or not isinstance(node, (ast.If, ast.For, ast.While)):
            return self._pass(node, waiting)
        if isinstance(node, ast.If):
            waiting = self._run(node, [node.test], waiting)
            one, other = self.block(node.body, waiting), self.block(node.orelse, waiting)
            return _joined(one, other)
        return self._loop(node, waiting)

    def _call(self, node: ast.stmt, waiting: Waiting) -> Waiting:
        late = self.calls[node]
        assert isinstance(late.site.node, ast.Call)
        given = [*late.site.node.args, *(keyword.value for keyword in late.site.node.keywords)]
        if not self._is_pure(late.site):
            waiting = self._receive(node, waiting)
        if given and waiting:
            reads = self._reads(given)
            if isinstance(reads, LoudError) or any(self._uses(reads, one) for one in waiting):
                self._divide(node, waiting)
            waiting = self._run(node, given, waiting)
        again = {one for one in waiting if one is late or one.targets & late.targets}
        waiting = self._receive(node, frozenset(again), waiting)
        path = dotted(late.site.func)
        if path is None or path.partition(".")[0] in self.region.local:
            waiting = self._receive(node, waiting)
        for one in waiting:
            one.reads.callees.add((self.found.module.name, path or "", late.site.meaning))
        return waiting | {late}

    def _is_pure(self, site: Site) -> bool:
        return site.meaning.name in self.quiet.project.remote[site.meaning.module].ahead

    def _pass(self, node: ast.stmt, waiting: Waiting) -> Waiting:
        """A statement in which nothing is received."""
        if not waiting:
            return waiting
        reads = self._reads([node])
        if isinstance(reads, LoudError) or any(self._uses(reads, late) for late in waiting):
            self._divide(node, waiting)
        return self._run(node, [node], waiting)

    def _run(self, at: ast.stmt, nodes: Sequence[ast.AST], waiting: Waiting) -> Waiting:
        """Something runs: what it uses is received before it, or all if it may have an effect."""
        if not waiting:
            return waiting
        reads = self._reads(nodes)
        if isinstance(reads, LoudError):
            self._note_loud(waiting, reads)
            return self._receive(at, waiting)
        used = frozenset(late for late in waiting if self._uses(reads, late))
        waiting = self._receive(at, used, waiting)
        for late in waiting:
            late.reads.add(reads.without(late.fresh))
        return waiting

    def _note_loud(self, waiting: Waiting, error: LoudError) -> None:
        for late in waiting:
            if error.callee is not None and not late.reads.heavy:
                self.loud.setdefault(late.site, (error.line, error.what, error.callee))

    def _reads(self, nodes: Sequence[ast.AST]) -> Reads | LoudError:
        key = nodes[0]
        if key not in self.known:
            module, region = self.found.module, self.region
            try:
                self.known[key] = self.quiet.text(module, region.local, region.node, nodes)
            except LoudError as error:
                self.known[key] = error
        return self.known[key]

    def _uses(self, reads: Reads, late: Late) -> bool:
        """Whether text reads or binds what a value is assigned to."""
        touched = reads.names | reads.assigned
        if isinstance(self.region.node, ast.Module):  # others may read it, as `module.name` too
            paths = [path for _, path in reads.paths] + [path for _, path, _ in reads.callees]
            touched.update(part for path in paths for part in path.split("."))
        return bool(late.targets & touched)

    def _loop(self, node: ast.For | ast.While, waiting: Waiting) -> Waiting | None:
        header = node.iter if isinstance(node, ast.For) else node.test
        loop = _Loop(node, self._run(node, [header], waiting))
        while True:
            before = loop.head
            self.loops.append(loop)
            out = self.block(node.body, self._turn(node, before))
            self.loops.pop()
            if out:
                loop.head |= self._receive_after(node.body[-1], self._held_back(node, out), out)
            if loop.head == before:
                break
        return _joined(self.block(node.orelse, self._turn(node, loop.head)), loop.left)

    def _turn(self, node: ast.For | ast.While, waiting: Waiting) -> Waiting:
        """What is on its way when the header of a loop has run once more."""
        reads = self._header(node)
        if isinstance(reads, Reads):
            for late in waiting:
                late.reads.add(reads)
        return waiting

    def _held_back(self, node: ast.For | ast.While, waiting: Waiting) -> Waiting:
        """What must be received before the header of a loop runs once more."""
        reads = self._header(node)
        if isinstance(reads, LoudError):
            return waiting
        return frozenset(late for late in waiting if self._uses(reads, late))

    def _header(self, node: ast.For | ast.While) -> Reads | LoudError:
        """What runs at the head of each turn."""
        if isinstance(node, ast.While):
            return self._reads([node.test])
        if not self._walks_container(node, node.iter):
            return LoudError(node.lineno, f"{ast.unparse(node.iter)} may be an iterator")
        walked = self._reads([node.iter])
        if isinstance(walked, LoudError):
            return walked
        reads = Reads()
        reads.add(walked)
        try:
            module, region = self.found.module, self.region
            bound = ast.copy_location(ast.Assign([node.target], ast.Constant(0)), node)
            reads.add(self.quiet.text(module, region.local, region.node, [bound]))
        except LoudError as error:
            return error
        return reads

    def _walks_container(self, loop: ast.For, walked: ast.expr) -> bool:
        """Whether a loop goes on without running any code of the program's.

        What its variables hold is looked at when a value is on its way.
        """
        match walked:
            case ast.Name(id=name):
                is_own = isinstance(self.region.node, ast.FunctionDef) and name in self.bound
                return is_own and name not in self._rebound(loop)
            case ast.Call(func=ast.Name(id=name)) if name in CONTAINERS:
                return True
            case ast.Call(func=ast.Name(id=name), args=args) if name in WRAPPERS:
                return all(self._walks_container(loop, one) for one in args)
            case ast.Call(func=ast.Attribute(value=ast.Name() as owner, attr=view), args=[]):
                return view in VIEW_NAMES and self._walks_container(loop, owner)
            case ast.List() | ast.Tuple() | ast.Constant():
                return True
        return False

    def _rebound(self, loop: ast.For) -> set[str]:
        """The names that may be bound to something else in a loop."""
        tree = self.found.tree
        names = {
            node.id
            for node in ast.walk(loop)
            if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)
        }
        for node in ast.walk(tree):
            if isinstance(node, (ast.Global, ast.Nonlocal)):
                names.update(node.names)
        return names

    def _jump(self, node: ast.Break | ast.Continue, waiting: Waiting) -> None:
        if not self.loops:
            self._receive(node, waiting)
            return
        loop = self.loops[-1]
        if isinstance(node, ast.Break):
            loop.left |= waiting
        else:
            loop.head |= self._receive(node, self._held_back(loop.node, waiting), waiting)

    # ---- statements that wait in their midst ----------------------------------------------------

    def _divide(self, node: ast.stmt, waiting: Waiting) -> None:
        """Finds what a statement may compute before it receives a value."""
        if not waiting or node.lineno != node.end_lineno:
            return
        match node:
            case (
                ast.Assign(value=value)
                | ast.Expr(value=value)
                | ast.AugAssign(target=ast.Name(), value=value)
                | ast.Return(value=value)
            ) if value is not None:
                first = min(waiting, key=lambda late: late.site.index)
                targets = frozenset[str]().union(*(late.targets for late in waiting))
                parts: list[ast.expr] = []
                if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
                    name = ast.Name(node.target.id, ast.Load())
                    parts.append(ast.copy_location(name, node.target))
                self._find(value, parts, waiting)
                while parts and not self._takes_time(parts[-1]):
                    parts.pop()
                for part in parts:
                    reads = self._reads([part])
                    if isinstance(reads, Reads) and not isinstance(part, ast.Name):
                        for late in waiting:
                            late.reads.add(reads)
                if parts:
                    self.split[node] = Split(first, targets, parts)

    def _takes_time(self, node: ast.expr) -> bool:
        reads = self._reads([node])
        return isinstance(reads, Reads) and reads.heavy

    def _find(self, node: ast.expr, parts: list[ast.expr], waiting: Waiting) -> bool:
        """Collects what takes its time, in the order of evaluation, until something is not simple.

        Whether the text may go on behind this.
        """
        if isinstance(node, ast.Constant):
            return True
        if isinstance(node, ast.Name):
            parts.append(node)
            return True
        reads = self._reads([node])
        if isinstance(reads, Reads) and not any(self._uses(reads, late) for late in waiting):
            parts.append(node)
            return True
        inside: list[ast.expr] = []
        match node:
            case ast.BinOp(left=left, right=right):
                inside = [left, right]
            case ast.Tuple(elts=elements) | ast.List(elts=elements):
                inside = elements
            case ast.Call(func=ast.Name() as func, args=args, keywords=[]):
                inside = [func, *args]
            case ast.Call(func=ast.Attribute() as func, args=args, keywords=[]):
                if isinstance(self._reads([func]), Reads):
                    inside = args
        for one in inside:
            if isinstance(one, ast.Starred) or not self._find(one, parts, waiting):
                break
        return False

    # ---- where values are received -------------------------------------------------------------

    def _receive(self, at: ast.stmt, wanted: Waiting, waiting: Waiting | None = None) -> Waiting:
        if wanted:
            self.before.setdefault(at, set()).update(wanted)
            for late in wanted:
                late.lines.add(at.lineno)
        return (wanted if waiting is None else waiting) - wanted

    def _receive_after(self, last: ast.stmt, wanted: Waiting, waiting: Waiting) -> Waiting:
        if wanted:
            self.after.setdefault(last, set()).update(wanted)
        return waiting - wanted


def _joined(one: Waiting | None, other: Waiting | None) -> Waiting | None:
    """What may be on its way where two ways meet."""
    if one is None or other is None:
        return one if other is None else other
    return one | other
