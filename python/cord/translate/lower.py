"""From a region's Python to the scout's small language (`tree`).

Calls, mutations, comprehensions and short circuits become nodes of their own, in evaluation order.
Whatever a scout must not do becomes `Opaque`: its results are unknown, its effects do not happen.
"""

from __future__ import annotations

import ast
from typing import Any

from . import pure
from .project import Project
from .scope import bound_names, outer_names, target_names
from .sites import Found, Region
from .tree import (
    Assign,
    Call,
    Case,
    Exit,
    For,
    Handler,
    If,
    Lowered,
    Match,
    Mutate,
    Node,
    Opaque,
    Try,
    While,
)

_AHEAD_NOT = "{what} may have effects or depend on more than its arguments"


def lower(project: Project, found: Found, region: Region) -> Lowered:
    """Lower one region."""
    lowering = _Lowering(project, found, region)
    body = lowering.block(region.node.body)
    return Lowered(body, frozenset(lowering.mutated))


class _Lowering:
    def __init__(self, project: Project, found: Found, region: Region) -> None:
        self.project = project
        self.found = found
        self.region = region
        self.outer = outer_names(region.node)
        self.bound = bound_names(region.node)
        self.mutated: set[str] = set()
        self.out: list[Node] = []
        self.renamed: dict[str, str] = {}
        self.temporaries = 0

    # ---- statements ----------------------------------------------------------------------------

    def block(self, statements: list[ast.stmt]) -> list[Node]:
        saved, self.out = self.out, []
        for statement in statements:
            self.statement(statement)
        block, self.out = self.out, saved
        return block

    def statement(self, node: ast.stmt) -> None:
        match node:
            case ast.Expr():
                self.effect(node.value)
            case ast.Assign():
                value = self.expr(node.value)
                if len(node.targets) > 1:
                    name = self.temporary(node)
                    self.out.append(Assign(node.lineno, name, value, shared=True))
                    value = _as_load(name)
                for target in node.targets:
                    self.store(target, value, node.lineno)
            case ast.AnnAssign():
                if node.value is not None:
                    self.store(node.target, self.expr(node.value), node.lineno)
            case ast.AugAssign():
                self.augmented(node)
            case ast.If():
                test = self.expr(node.test)
                body, orelse = self.block(node.body), self.block(node.orelse)
                self.out.append(If(node.lineno, test, body, orelse))
            case ast.For():
                iterable = self.expr(node.iter)
                self.loop(node, node.target, iterable, self.block(node.body), node.orelse)
            case ast.While():
                saved, self.out = self.out, []
                test = self.expr(node.test)
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
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                pass  # bound once the program has passed here; read from the program's own frame
            case ast.Import() | ast.ImportFrom():
                pass
            case ast.AsyncFor():
                names = (*target_names(node.target), *bound_names(ast.Module(node.body, [])))
                self.opaque(node, names, "an asynchronous loop")
            case _:
                pass

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

    def store(self, target: ast.expr, value: ast.expr, line: int) -> None:
        match target:
            case ast.Name():
                if target.id in self.outer:
                    self.opaque(target, (target.id,), f"{target.id} is shared with other functions")
                    return
                renamed = self.target(target)
                self.out.append(Assign(line, renamed, value))
            case ast.Tuple() | ast.List():
                if all(isinstance(part, ast.Name) for part in _leaves(target)):
                    self.out.append(Assign(line, self.target(target), value))
                    return
                for part in _leaves(target):
                    self.store(part, self.unknown(part, "it is unpacked into a container"), line)
            case ast.Subscript(value=ast.Name(id=name)):
                key = self.expr(target.slice)
                self.mutate(line, name, "__setitem__", [key, value], None)
            case ast.Subscript() | ast.Attribute():
                inner = target.value
                self.expr(inner)
                path = access_path(target if isinstance(target, ast.Attribute) else inner)
                if path is not None:
                    self.touch(path)
                    self.opaque(target, (path,), f"{path} is changed here")
            case ast.Starred():
                self.store(target.value, value, line)

    def augmented(self, node: ast.AugAssign) -> None:
        value = self.expr(node.value)
        load = _as_load(node.target)
        current = self.expr(load)
        combined = ast.copy_location(ast.BinOp(current, node.op, value), node)
        self.store(node.target, combined, node.lineno)

    def delete(self, target: ast.expr) -> None:
        match target:
            case ast.Subscript(value=ast.Name(id=name)):
                key = self.expr(target.slice)
                self.mutate(target.lineno, name, "__delitem__", [key], None)
            case ast.Name():
                self.opaque(target, (self.rename(target.id),), f"{target.id} is deleted here")
            case ast.Subscript() | ast.Attribute():
                path = access_path(target.value)
                if path is not None:
                    self.touch(path)
                    self.opaque(target, (path,), f"{path} is changed here")
            case ast.Tuple() | ast.List():
                for part in target.elts:
                    self.delete(part)

    def loop(
        self,
        node: ast.AST,
        target: ast.expr,
        iterable: ast.expr,
        body: list[Node],
        orelse: list[ast.stmt],
    ) -> None:
        line = target.lineno
        number = self.found.loop_of.get(node, -1)
        simple = all(isinstance(part, ast.Name) for part in _leaves(target))
        if simple and not self.outer.intersection(target_names(target)):
            named = self.target(target)
        else:
            named = self.temporary(target)
            saved, self.out = self.out, []
            self.store(target, _as_load(named), line)
            body = [*self.out, *body]
            self.out = saved
        self.out.append(For(line, number, named, iterable, body, self.block(orelse)))

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

    def match_statement(self, node: ast.Match) -> None:
        subject = self.expr(node.subject)
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

    # ---- expressions ---------------------------------------------------------------------------

    def expr(self, node: ast.expr) -> ast.expr:
        """Lower an expression: nodes for its calls and changes go out, what is left is returned."""
        match node:
            case ast.Constant():
                return node
            case ast.Name():
                return ast.copy_location(ast.Name(self.rename(node.id), ast.Load()), node)
            case ast.Call():
                return self.call(node)
            case ast.BoolOp():
                return self.short_circuit(node)
            case ast.IfExp():
                return self.conditional(node)
            case ast.NamedExpr():
                value = self.expr(node.value)
                self.store(node.target, value, node.lineno)
                return self.expr(_as_load(node.target))
            case ast.ListComp() | ast.SetComp() | ast.DictComp():
                return self.comprehension(node)
            case ast.GeneratorExp():
                self.expr(node.generators[0].iter)
                return self.unknown(node, "a generator expression is read elsewhere")
            case ast.Lambda():
                return self.unknown(node, "a lambda")
            case ast.Await() | ast.Yield() | ast.YieldFrom():
                if node.value is not None:
                    self.expr(node.value)
                return self.unknown(node, "it comes from outside this function")
            case (
                ast.BinOp()
                | ast.UnaryOp()
                | ast.Compare()
                | ast.Attribute()
                | ast.Subscript()
                | ast.Slice()
                | ast.Tuple()
                | ast.List()
                | ast.Set()
                | ast.Dict()
                | ast.Starred()
                | ast.JoinedStr()
                | ast.FormattedValue()
            ):
                return self.parts(node)
        return self.unknown(node, "an expression of this kind")

    def parts(self, node: ast.expr) -> ast.expr:
        """Lower every expression directly inside `node`."""
        fields: dict[str, Any] = {}
        for name, value in ast.iter_fields(node):
            if isinstance(value, ast.expr):
                fields[name] = self.expr(value)
            elif isinstance(value, list):
                fields[name] = [self.expr(v) if isinstance(v, ast.expr) else v for v in value]
            else:
                fields[name] = value
        return ast.copy_location(type(node)(**fields), node)

    def short_circuit(self, node: ast.BoolOp) -> ast.expr:
        lowered = [self.separately(value) for value in node.values]
        if not any(nodes for nodes, _ in lowered[1:]):
            self.out.extend(lowered[0][0])
            return ast.copy_location(ast.BoolOp(node.op, [value for _, value in lowered]), node)
        result = self.temporary(node)
        nodes, value = lowered[-1]
        block = [*nodes, Assign(node.lineno, result, value)]
        for nodes, value in reversed(lowered[:-1]):
            test = _as_load(result)
            body, orelse = (block, []) if isinstance(node.op, ast.And) else ([], block)
            block = [
                *nodes,
                Assign(node.lineno, result, value),
                If(node.lineno, test, list(body), list(orelse)),
            ]
        self.out.extend(block)
        return _as_load(result)

    def conditional(self, node: ast.IfExp) -> ast.expr:
        test = self.expr(node.test)
        body_nodes, body = self.separately(node.body)
        else_nodes, orelse = self.separately(node.orelse)
        if not body_nodes and not else_nodes:
            return ast.copy_location(ast.IfExp(test, body, orelse), node)
        result = self.temporary(node)
        self.out.append(
            If(
                node.lineno,
                test,
                [*body_nodes, Assign(node.lineno, result, body)],
                [*else_nodes, Assign(node.lineno, result, orelse)],
            )
        )
        return _as_load(result)

    def separately(self, node: ast.expr) -> tuple[list[Node], ast.expr]:
        saved, self.out = self.out, []
        value = self.expr(node)
        nodes, self.out = self.out, saved
        return nodes, value

    def comprehension(
        self, node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
    ) -> ast.expr:
        """A comprehension is a loop that fills a fresh container."""
        result = self.temporary(node)
        empty: ast.expr
        if isinstance(node, ast.DictComp):
            empty = ast.Dict([], [])
        elif isinstance(node, ast.SetComp):
            empty = ast.Call(ast.Name("set", ast.Load()), [], [])
        else:
            empty = ast.List([], ast.Load())
        self.out.append(Assign(node.lineno, result, ast.copy_location(empty, node)))
        saved = dict(self.renamed)
        self.generators(node, 0, result.id)
        self.renamed = saved
        return _as_load(result)

    def generators(
        self,
        node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp,
        depth: int,
        result: str,
    ) -> None:
        if depth == len(node.generators):
            self.element(node, result)
            return
        generator = node.generators[depth]
        iterable = self.expr(generator.iter)
        for name in target_names(generator.target):
            self.temporaries += 1
            self.renamed[name] = f"{name}:{self.temporaries}"
        outer, self.out = self.out, []
        tests = generator.ifs

        def nested(index: int) -> None:
            if index == len(tests):
                self.generators(node, depth + 1, result)
                return
            test = self.expr(tests[index])
            saved, self.out = self.out, []
            nested(index + 1)
            body, self.out = self.out, saved
            self.out.append(If(tests[index].lineno, test, body, []))

        nested(0)
        body, self.out = self.out, outer
        self.loop(generator, generator.target, iterable, body, [])

    def element(
        self,
        node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp,
        result: str,
    ) -> None:
        if isinstance(node, ast.DictComp):
            key, value = self.expr(node.key), self.expr(node.value)
            self.mutate(node.lineno, result, "__setitem__", [key, value], None)
        else:
            method = "add" if isinstance(node, ast.SetComp) else "append"
            self.mutate(node.lineno, result, method, [self.expr(node.elt)], None)

    # ---- calls ---------------------------------------------------------------------------------

    def call(self, node: ast.Call) -> ast.expr:
        site = self.found.site_of.get(node)
        meaning = self.found.meaning_of.get(node)
        if site is not None:
            func = self.callee(node.func)
            args, keywords = self.arguments(node)
            result = f":r{site.index}"
            helper = not site.remote
            name = site.meaning.dotted
            self.out.append(
                Call(node.lineno, site.index, func, args, keywords, result, helper, name)
            )
            return ast.copy_location(ast.Name(result, ast.Load()), node)
        if isinstance(node.func, ast.Attribute) and meaning is None:
            return self.method(node, node.func)
        if meaning is None:
            self.callee(node.func)
            self.arguments(node)
            self.may_change(node)
            return self.unknown(node, _AHEAD_NOT.format(what=_text(node.func)))
        if meaning.kind == "project" and meaning.dotted not in self.project.assume_pure:
            func = self.callee(node.func)
            args, keywords = self.arguments(node)
            result = self.temporary(node).id
            self.out.append(
                Call(node.lineno, -1, func, args, keywords, result, True, meaning.dotted)
            )
            return ast.copy_location(ast.Name(result, ast.Load()), node)
        name = meaning.dotted
        func = self.callee(node.func)
        args, keywords = self.arguments(node, consumer=meaning.kind == "builtin")
        if self.is_pure(meaning.kind, name):
            return ast.copy_location(ast.Call(func, args, keywords), node)
        if not (meaning.kind == "builtin" and name in pure.HARMLESS_TO_ARGUMENTS):
            self.may_change(node)
        return self.unknown(node, _AHEAD_NOT.format(what=name), f'[assume] pure = ["{name}"]')

    def is_pure(self, kind: str, name: str) -> bool:
        if kind == "builtin":
            return name in pure.BUILTINS
        return name in pure.LIBRARY or name in self.project.assume_pure

    def is_assumed_method(self, name: str) -> bool:
        return any(known.endswith(f".{name}") for known in self.project.assume_pure)

    def method(self, node: ast.Call, func: ast.Attribute) -> ast.expr:
        receiver = func.value
        if func.attr in pure.MUTATOR_NAMES and isinstance(receiver, ast.Name):
            args, keywords = self.arguments(node, consumer=True)
            if keywords or any(isinstance(argument, ast.Starred) for argument in args):
                self.opaque(node, (self.rename(receiver.id),), f"{receiver.id} is changed here")
                return self.unknown(node, f"{receiver.id} is changed here")
            result = self.temporary(node)
            self.mutate(node.lineno, receiver.id, func.attr, args, result.id)
            return _as_load(result)
        value = self.expr(receiver)
        args, keywords = self.arguments(node, consumer=True)
        if func.attr in pure.METHOD_NAMES or self.is_assumed_method(func.attr):
            callee = ast.copy_location(ast.Attribute(value, func.attr, ast.Load()), func)
            return ast.copy_location(ast.Call(callee, args, keywords), node)
        path = access_path(receiver)
        if path is not None and path.partition(".")[0] not in self.found.module.names:
            self.touch(path)
            self.opaque(node, (path,), f"{_text(func)}() may change {path}")
        elif path is None:
            for name in sorted(
                target.id for target in ast.walk(receiver) if isinstance(target, ast.Name)
            ):
                if name not in self.found.module.names:
                    self.touch(self.rename(name))
                    self.opaque(node, (self.rename(name),), f"{_text(func)}() may change {name}")
        self.may_change(node)
        return self.unknown(node, _AHEAD_NOT.format(what=f"{_text(func)}()"))

    def callee(self, node: ast.expr) -> ast.expr:
        """A callee's name is read as it stands; no part of it is a call."""
        if isinstance(node, (ast.Name, ast.Attribute)) and access_path(node) is not None:
            return self.parts(node) if isinstance(node, ast.Attribute) else self.expr(node)
        return self.expr(node)

    def arguments(
        self, node: ast.Call, consumer: bool = False
    ) -> tuple[list[ast.expr], list[ast.keyword]]:
        args: list[ast.expr] = []
        for argument in node.args:
            if consumer and isinstance(argument, ast.GeneratorExp):
                args.append(self.comprehension(argument))
            else:
                args.append(self.expr(argument))
        keywords = [ast.keyword(k.arg, self.expr(k.value)) for k in node.keywords]
        return args, keywords

    def may_change(self, node: ast.Call) -> None:
        """An unknown function may change the objects it is given."""
        for argument in [*node.args, *(k.value for k in node.keywords)]:
            if isinstance(argument, ast.Name):
                name = self.rename(argument.id)
                if name.partition(".")[0] not in self.found.module.names:
                    self.touch(name)
                    reason = f"{_text(node.func)}() may change {argument.id}"
                    self.opaque(node, (name,), reason)

    # ---- small things --------------------------------------------------------------------------

    def mutate(
        self, line: int, name: str, method: str, args: list[ast.expr], result: str | None
    ) -> None:
        renamed = self.rename(name)
        self.touch(renamed)
        self.out.append(Mutate(line, renamed, method, args, result))

    def touch(self, path: str) -> None:
        self.mutated.add(path)

    def unknown(self, node: ast.AST, text: str, remedy: str | None = None) -> ast.expr:
        result = self.temporary(node)
        self.opaque(node, (result.id,), text if remedy is None else f"{text}; remedy: {remedy}")
        return _as_load(result)

    def opaque(self, node: ast.AST, defines: tuple[str, ...], reason: str) -> None:
        self.out.append(Opaque(getattr(node, "lineno", 0), defines, reason))

    def temporary(self, node: ast.AST) -> ast.Name:
        self.temporaries += 1
        name = ast.Name(f":t{self.temporaries}", ast.Store())
        line = getattr(node, "lineno", 1)
        name.lineno, name.col_offset = line, 0
        name.end_lineno, name.end_col_offset = line, 0
        return name

    def rename(self, name: str) -> str:
        return self.renamed.get(name, name)

    def target(self, target: ast.expr) -> ast.expr:
        if isinstance(target, ast.Name):
            return ast.copy_location(ast.Name(self.rename(target.id), ast.Store()), target)
        if isinstance(target, ast.Starred):
            return ast.copy_location(ast.Starred(self.target(target.value), ast.Store()), target)
        assert isinstance(target, (ast.Tuple, ast.List))
        elements = [self.target(part) for part in target.elts]
        return ast.copy_location(ast.Tuple(elements, ast.Store()), target)


def access_path(node: ast.expr) -> str | None:
    """`a.b[i].c` → `a.b`: the longest chain of names at the root of an expression, if any."""
    parts: list[str] = []
    while True:
        if isinstance(node, ast.Name):
            parts.append(node.id)
            return ".".join(reversed(parts))
        if isinstance(node, ast.Attribute):
            parts.append(node.attr)
            node = node.value
        elif isinstance(node, ast.Subscript):
            parts.clear()
            node = node.value
        else:
            return None


def _leaves(target: ast.expr) -> list[ast.expr]:
    if isinstance(target, (ast.Tuple, ast.List)):
        return [leaf for part in target.elts for leaf in _leaves(part)]
    if isinstance(target, ast.Starred):
        return _leaves(target.value)
    return [target]


def _as_load(node: ast.expr) -> ast.expr:
    if isinstance(node, ast.Name):
        return ast.copy_location(ast.Name(node.id, ast.Load()), node)
    if isinstance(node, ast.Attribute):
        return ast.copy_location(ast.Attribute(node.value, node.attr, ast.Load()), node)
    assert isinstance(node, ast.Subscript)
    return ast.copy_location(ast.Subscript(node.value, node.slice, ast.Load()), node)


def _text(node: ast.expr) -> str:
    return ast.unparse(node)


def _plain_pattern(pattern: ast.pattern) -> bool:
    """Whether matching looks only at builtin values, given a subject made of these."""
    for node in ast.walk(pattern):
        if isinstance(node, ast.MatchClass):
            simple = isinstance(node.cls, ast.Name) and node.cls.id in pure.BUILTINS
            if not simple or node.kwd_attrs:
                return False
    return True
