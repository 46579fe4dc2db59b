"""From a region's Python to the scout's small language (`tree`).

Whatever a scout must not do becomes `Opaque`: its results are unknown, its effects do not happen.
"""

from __future__ import annotations

import ast

from cord.knowledge.functions import runs_ahead
from cord.source.operators import IN_PLACE
from cord.source.scope import bound_names, target_names
from cord.source.targets import access_path, as_load
from cord.translate.lower import streams
from cord.translate.sites.project import Project
from cord.translate.sites.sites import Found
from cord.translate.sites.survey import Region

from .expressions import Expressions
from .loops import whole_turns
from .program_order import calls_at_the_end, changes_of, grown_by, is_followed
from .tree import (
    Assign,
    Call,
    Case,
    Exit,
    For,
    Handler,
    If,
    Match,
    Mutate,
    Node,
    Opaque,
    Try,
    While,
    walk,
)

# Why nothing is certain behind a statement that a scout does not do as the program does.
ELSE = "something else is done here"


def lower(project: Project, found: Found, region: Region) -> list[Node]:
    """Lower one region."""
    lowering = Statements(project, found, region)
    if isinstance(region.node, ast.GeneratorExp):
        body = lowering.generator(region.node)
    elif isinstance(region.node, ast.Lambda):
        body = lowering.value(region.node.body)
    else:
        body = lowering.block(region.node.body)
    whole_turns(body)
    for number, node in enumerate(walk(body)):
        if isinstance(node, (For, While)):
            node.name = f"{node.line}.{number}"
    return body


class Statements(Expressions):
    """Lowers statements."""

    def value(self, body: ast.expr) -> list[Node]:
        """A lambda's body."""
        result = self.expr(body)
        return [*self.out, Exit(body.lineno, "return", result)]

    def block(self, statements: list[ast.stmt]) -> list[Node]:
        saved, self.out = self.out, []
        for statement in statements:
            self.statement(statement)
        block, self.out = self.out, saved
        return block

    def statement(self, node: ast.stmt) -> None:
        if not self.project.has_independent:
            self.lowered(node)
        elif is_followed(node):
            grown = grown_by(node)
            into = None if grown is None else self.rename(grown[0])
            self.last.update(dict.fromkeys(calls_at_the_end(node), into))
            start = len(self.out)
            if isinstance(node, ast.Expr):
                self.looked_at(node.value)
            else:
                self.lowered(node)
            self.check(node, start)
        else:
            self.doubt(node)
            self.lowered(node)
            self.doubt(node)

    def check(self, node: ast.stmt, start: int) -> None:
        """Whether a followed statement's own nodes change no more than it says."""
        own: list[Node] = []
        for one in self.out[start:]:
            if one is not self.out[-1] or not isinstance(one, (For, While, If, Try)):
                own.extend(walk([one]))
            elif isinstance(one, While):
                own.extend(walk(one.pre))
        changes = [one for one in own if isinstance(one, Mutate) and not one.fresh]
        if len(changes) > changes_of(node):
            for one in walk(self.out[start:]):
                if isinstance(one, Call):
                    one.last = False
                elif isinstance(one, While):
                    one.pre.append(Opaque(node.lineno, (), ELSE))
            self.out.insert(start, Opaque(node.lineno, (), ELSE))
            self.out.append(Opaque(node.lineno, (), ELSE))

    def looked_at(self, node: ast.expr) -> None:
        """An expression whose value nobody uses; it may fail."""
        value = self.expr(node)
        if not isinstance(value, ast.Constant) and not _is_temporary(value):
            self.out.append(Assign(node.lineno, self.temporary(node), value))

    def doubt(self, node: ast.stmt) -> None:
        """The program may do more here than a scout sees."""
        if self.project.has_independent and not is_followed(node):
            self.opaque(node, (), ELSE)

    def lowered(self, node: ast.stmt) -> None:
        match node:
            case ast.Expr():
                self.effect(node.value)
            case ast.Assign():
                self.assignment(node)
            case ast.AnnAssign():
                if node.value is not None and not self.keeps([node.target], node.value):
                    self.store(node.target, self.expr(node.value), node.lineno)
            case ast.AugAssign():
                self.augmented(node)
            case ast.If():
                test = self.expr(node.test)
                body, orelse = self.block(node.body), self.block(node.orelse)
                self.out.append(If(node.lineno, test, body, orelse))
            case ast.For():
                walked = self.walked(node.iter)
                body, orelse = self.turn(node), self.block(node.orelse)
                self.walk(node, node.target, walked, body, orelse)
            case ast.While():
                saved, self.out = self.out, []
                test = self.expr(node.test)
                self.doubt(node)
                pre, self.out = self.out, saved
                body, orelse = self.block(node.body), self.block(node.orelse)
                self.out.append(While(node.lineno, pre, test, body, orelse))
            case ast.Try() | ast.TryStar():
                self.try_statement(node)
            case ast.With() | ast.AsyncWith():
                self.with_statement(node)
            case ast.Match():
                self.match_statement(node)
            case ast.Return() | ast.Break() | ast.Continue() | ast.Raise():
                self.leave(node)
            case ast.Delete():
                for target in node.targets:
                    self.delete(target)
            case ast.Assert():
                self.expr(node.test)
            case ast.ClassDef():
                self.class_body(node)
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                pass  # bound once the program has passed here; read from the program's own frame
            case ast.Import() | ast.ImportFrom():
                pass
            case ast.AsyncFor():
                names = (*target_names(node.target), *bound_names(ast.Module(node.body, [])))
                self.opaque(node, names, "an asynchronous loop")
            case _:
                pass

    def turn(self, node: ast.For) -> list[Node]:
        """The body of a loop."""
        saved, self.out = self.out, []
        self.doubt(node)
        before, self.out = self.out, saved
        return [*before, *self.block(node.body)]

    def class_body(self, node: ast.ClassDef) -> None:
        """A class body runs where it stands, with variables of its own."""
        saved = dict(self.renamed)
        for name in sorted(bound_names(node)):
            self.fresh_name(name)
        self.out.extend(self.block(node.body))
        self.renamed = saved

    def assignment(self, node: ast.Assign) -> None:
        if self.keeps(node.targets, node.value):
            return
        one = len(node.targets) == 1
        unpacked = one and isinstance(node.targets[0], (ast.Tuple, ast.List))
        value = self.argument(node.value) if unpacked else self.expr(node.value)
        if not one:
            name = self.temporary(node)
            self.out.append(Assign(node.lineno, name, value, shared=True))
            value = as_load(name)
        for target in node.targets:
            self.store(target, value, node.lineno)

    def keeps(self, targets: list[ast.expr], value: ast.expr) -> bool:
        """Whether a `map` or `filter` is kept in a variable: it becomes a part of what reads it."""
        target = targets[0]
        if len(targets) > 1 or not isinstance(target, ast.Name) or target.id not in self.once:
            return False
        if not isinstance(value, ast.Call) or not streams.is_lazy(self, value):
            return False
        self.lazies[target.id] = value
        self.opaque(value, (self.rename(target.id),), f"{target.id} is read elsewhere")
        return True

    def leave(self, node: ast.Return | ast.Break | ast.Continue | ast.Raise) -> None:
        value: ast.expr | None = None
        if isinstance(node, ast.Return) and node.value is not None:
            value = self.expr(node.value)
        elif isinstance(node, ast.Raise):
            for part in (node.exc, node.cause):
                if part is not None:
                    self.expr(part)
        self.out.append(Exit(node.lineno, type(node).__name__.lower(), value))

    def effect(self, node: ast.expr) -> None:
        """An expression whose value nobody uses."""
        if isinstance(node, ast.Call):
            self.call(node)
        elif not isinstance(node, ast.Constant):
            self.expr(node)

    def augmented(self, node: ast.AugAssign) -> None:
        current = self.expr(as_load(node.target))
        value = self.expr(node.value)
        op = IN_PLACE[type(node.op)]() if self.project.has_independent else node.op
        combined = ast.copy_location(ast.BinOp(current, op, value), node)
        self.store(node.target, combined, node.lineno)

    def delete(self, target: ast.expr) -> None:
        match target:
            case ast.Subscript():
                name, path = self.owner(target.value)
                key = self.expr(target.slice)
                self.mutate(target.lineno, name, "__delitem__", [key], None, path)
            case ast.Name():
                self.opaque(target, (self.rename(target.id),), f"{target.id} is deleted here")
            case ast.Attribute():
                path = access_path(target.value)
                if path is not None:
                    self.opaque(target, (path,), f"{path} is changed here")
            case ast.Tuple() | ast.List():
                for part in target.elts:
                    self.delete(part)

    def try_statement(self, node: ast.Try | ast.TryStar) -> None:
        handlers: list[Handler] = []
        for handler in node.handlers:
            body = self.block(handler.body)
            handlers.append(Handler(handler.type, handler.name, body))
        self.out.append(
            Try(
                node.lineno,
                self.block(node.body),
                handlers,
                self.block(node.orelse),
                self.block(node.finalbody),
            )
        )

    def with_statement(self, node: ast.With | ast.AsyncWith) -> None:
        for item in node.items:
            self.expr(item.context_expr)
            if item.optional_vars is not None:
                for name in target_names(item.optional_vars):
                    self.opaque(node, (self.rename(name),), "it comes from a context manager")
        self.out.extend(self.block(node.body))

    def named(self, value: ast.expr, node: ast.AST) -> ast.expr:
        """A value under a name of its own."""
        name = self.temporary(node)
        self.out.append(Assign(name.lineno, name, value))
        return as_load(name)

    def match_statement(self, node: ast.Match) -> None:
        subject = self.named(self.expr(node.subject), node)
        cases: list[Case] = []
        for case in node.cases:
            saved, self.out = self.out, []
            guard = None if case.guard is None else self.expr(case.guard)
            hoisted, self.out = self.out, saved
            body = self.block(case.body)
            if hoisted or not _plain_pattern(case.pattern):
                subject = self.unknown(node, "a pattern that looks into objects")
                guard = None
            cases.append(Case(case.pattern, guard, body))
        self.out.append(Match(node.lineno, subject, cases))


def _is_temporary(value: ast.expr) -> bool:
    return isinstance(value, ast.Name) and value.id.startswith(":")


def _plain_pattern(pattern: ast.pattern) -> bool:
    """Whether matching looks only at builtin values, given a subject made of these."""
    for node in ast.walk(pattern):
        if isinstance(node, ast.MatchClass):
            simple = isinstance(node.cls, ast.Name) and runs_ahead(f"builtins.{node.cls.id}")
            if not simple or node.kwd_attrs:
                return False
    return True
