"""Lowering of expressions; `lower` does the statements.

Calls, mutations, comprehensions and short circuits become nodes of their own, in evaluation order;
what is left of an expression is pure.
"""

from __future__ import annotations

import ast
from collections.abc import Callable

from cord.knowledge.functions import builtin, find, runs_ahead
from cord.knowledge.methods import AHEAD_NAMES, CHANGER_NAMES, may_fill
from cord.source.functions import DEFINED, place
from cord.source.scope import target_names
from cord.source.targets import access_path, as_load, leaves, text_of
from cord.translate.lower import closures, searches, streams
from cord.translate.sites.project import Meaning

from .lowered import GENERATES, Lowered
from .making import why_not_made
from .tree import ANYTHING, Assign, Exit, For, If, Mutate, Node, Store

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_AHEAD_NOT = "{what} may have effects or depend on more than its arguments"


class Expressions(Lowered):
    """Lowers expressions; the nodes they need go to `out`."""

    def store(self, target: ast.expr, value: ast.expr, line: int) -> None:
        match target:
            case ast.Name():
                if target.id in self.outer:
                    self.opaque(target, (target.id,), f"{target.id} is shared with other functions")
                    return
                renamed = self.target(target)
                self.out.append(Assign(line, renamed, value))
            case ast.Tuple() | ast.List():
                if all(isinstance(part, ast.Name) for part in leaves(target)):
                    self.out.append(Assign(line, self.target(target), value))
                    return
                taken = self.taken_apart(target)
                self.out.append(Assign(line, taken, value))
                for part, item in zip(leaves(target), leaves(taken), strict=True):
                    self.store(part, as_load(item), line)
            case ast.Subscript():
                name, path = self.owner(target.value)
                key = self.expr(target.slice)
                self.mutate(line, name, "__setitem__", [key, self.moved(value)], None, path)
            case ast.Attribute():
                self.keep(target, line)
            case ast.Starred():
                self.store(target.value, value, line)

    def keep(self, target: ast.Attribute, line: int) -> None:
        """`owner.attribute = value`."""
        path = access_path(target)
        if path is not None and path.partition(".")[0] in self.found.module.names:
            self.opaque(target, (path,), f"{path} is changed here")  # of an imported module
            return
        self.expr(target.value)
        self.out.append(Store(line, target.attr, path))

    def owner(self, node: ast.expr) -> tuple[str, str | None]:
        """A name for an object that is changed, and the path that leads to it if it had none."""
        if isinstance(node, ast.Name):
            return self.rename(node.id), None
        value = self.expr(node)
        if isinstance(value, ast.Name) and value.id.startswith(":"):
            return value.id, access_path(node)
        name = self.temporary(node)
        self.out.append(Assign(getattr(node, "lineno", 0), name, value))
        return name.id, access_path(node)

    def walk(
        self,
        node: ast.AST,
        target: ast.expr,
        found: streams.Source,
        body: list[Node],
        orelse: list[Node],
    ) -> None:
        """A loop over what `walked` says."""
        if found.steps:
            streams.walk(self, found, target, body, orelse)
        else:
            self.loop(node, target, found.walked, body, orelse, found.made)

    def walked(self, iterable: ast.expr) -> streams.Source:
        """What a loop walks: an expression, or a `map` or `filter` that becomes a part of it."""
        return streams.source(self, iterable) or streams.plain(self, -1, [iterable])

    def loop(
        self,
        node: ast.AST,
        target: ast.expr,
        iterable: ast.expr,
        body: list[Node],
        orelse: list[Node],
        source: list[Node],
    ) -> None:
        line = target.lineno
        number = self.loop_number(node)
        simple = all(isinstance(part, ast.Name) for part in leaves(target))
        if simple and not self.outer.intersection(target_names(target)):
            named = self.target(target)
        else:
            named = self.temporary(target)
            saved, self.out = self.out, []
            self.store(target, as_load(named), line)
            body = [*self.out, *body]
            self.out = saved
        self.out.append(For(line, number, named, iterable, body, orelse, source))

    # ---- expressions ---------------------------------------------------------------------------

    def expr(self, node: ast.expr) -> ast.expr:
        """Lower an expression: nodes for its calls and changes go out, what is left is returned."""
        match node:
            case ast.Constant():
                return node
            case ast.Name():
                return self.name(node)
            case ast.Attribute() if node in self.found.site_of:
                return self.operation(self.found.site_of[node], self.parts(node))
            case ast.Call():
                return self.call(node)
            case ast.BoolOp():
                return self.short_circuit(node)
            case ast.IfExp():
                return self.conditional(node)
            case ast.NamedExpr():
                value = self.expr(node.value)
                self.store(node.target, value, node.lineno)
                return self.expr(as_load(node.target))
            case ast.ListComp() | ast.SetComp() | ast.DictComp():
                return self.comprehension(node)
            case ast.GeneratorExp():
                self.expr(node.generators[0].iter)
                return self.unknown(node, "a generator expression is read elsewhere")
            case ast.Lambda():
                value_ = closures.function_value(self, place(node), node)
                return value_ or self.unknown(node, "a lambda")
            case ast.Starred() if streams.is_lazy(self, node.value):
                value = streams.collected(self, node.value)
                return ast.copy_location(ast.Starred(value, ast.Load()), node)
            case ast.Yield():
                if node.value is not None:
                    self.expr(node.value)
                self.give(node)
                return self.unknown(node, "it comes from outside this function")
            case ast.YieldFrom():
                item = self.temporary(node)
                self.walk(node, item, self.walked(node.value), [], [])
                self.give(node)
                return self.unknown(node, "it comes from outside this function")
            case ast.Await():
                self.expr(node.value)
                return self.unknown(node, "it comes from outside this function")
            case ast.Compare():
                return searches.contained(self, node) or self.parts(node)
            case ast.Attribute() if self.project.is_stored(node.attr):
                value = self.parts(node)
                name = self.temporary(node)
                self.out.append(Assign(node.lineno, name, value))
                return as_load(name)
            case (
                ast.BinOp()
                | ast.UnaryOp()
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

    def name(self, node: ast.Name) -> ast.expr:
        if node.id not in self.renamed and node.id in self.bound:
            meaning = self.region.local.get(node.id)
            if meaning is not None and meaning.startswith(DEFINED):
                value = closures.function_value(self, meaning.removeprefix(DEFINED), node)
                if value is not None:
                    return value
        return ast.copy_location(ast.Name(self.rename(node.id), ast.Load()), node)

    def parts(self, node: ast.expr) -> ast.expr:
        """Lower every expression directly inside `node`."""
        fields: dict[str, Any] = {}
        for name, value in ast.iter_fields(node):
            if isinstance(value, ast.expr):
                fields[name] = self.expr(value)
            elif isinstance(value, list) and isinstance(node, ast.Compare):
                fields[name] = [self.argument(v) if isinstance(v, ast.expr) else v for v in value]
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
            test = as_load(result)
            body, orelse = (block, []) if isinstance(node.op, ast.And) else ([], block)
            block = [
                *nodes,
                Assign(node.lineno, result, value),
                If(node.lineno, test, list(body), list(orelse)),
            ]
        self.out.extend(block)
        return as_load(result)

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
        return as_load(result)

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
        self.generators(node, 0, lambda: self.element(node, result.id))
        self.renamed = saved
        return as_load(result)

    def generator(self, node: ast.GeneratorExp) -> list[Node]:
        """A generator expression as a region of its own."""

        def element() -> None:
            self.expr(node.elt)
            self.give(node)

        self.generators(node, 0, element)
        return self.out

    def generators(
        self,
        node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp,
        depth: int,
        element: Callable[[], None],
        over: ast.Name | None = None,
    ) -> None:
        """The loops of a comprehension; `over` is set when there is no need for more elements."""
        if depth == len(node.generators):
            element()
            return
        generator = node.generators[depth]
        whole = depth == 0 and node is self.region.node
        walked = streams.whole(self, generator.iter) if whole else self.walked(generator.iter)
        for name in target_names(generator.target):
            self.fresh_name(name)
        outer, self.out = self.out, []
        tests = generator.ifs

        def nested(index: int) -> None:
            if index == len(tests):
                self.generators(node, depth + 1, element, over)
                return
            test = self.expr(tests[index])
            saved, self.out = self.out, []
            nested(index + 1)
            body, self.out = self.out, saved
            self.out.append(If(tests[index].lineno, test, body, []))

        nested(0)
        body, self.out = self.out, outer
        self.walk(generator, generator.target, walked, body, [])
        if over is not None and depth > 0:
            end = Exit(over.lineno, "break")
            self.out.append(If(over.lineno, as_load(over), [end], []))

    def element(
        self,
        node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp,
        result: str,
    ) -> None:
        if isinstance(node, ast.DictComp):
            key, value = self.expr(node.key), self.moved(self.expr(node.value))
            self.mutate(node.lineno, result, "__setitem__", [key, value], None)
        else:
            method = "add" if isinstance(node, ast.SetComp) else "append"
            value = self.moved(self.expr(node.elt))
            change = Mutate(node.lineno, result, method, [value], None)
            change.fresh = method == "append"
            self.out.append(change)

    # ---- calls ---------------------------------------------------------------------------------

    def call(self, node: ast.Call) -> ast.expr:
        site = self.found.site_of.get(node)
        meaning = self.found.meaning_of.get(node)
        applied = self.found.applied_of.get(node)
        if applied is not None:
            return streams.applied_call(self, node, applied)
        if meaning is not None and site is None and self.project.generates(meaning) is None:
            meaning = None
        if site is not None:
            func = self.callee(node.func)
            args, keywords = self.arguments(node)
            return self.site_call(site, func, args, keywords)
        found = searches.searched(self, node, meaning)
        if found is not None:
            return found
        if isinstance(node.func, ast.Attribute) and meaning is None:
            method = self.project.method(node.func)
            if method is None or self.project.has_builtin_name(node.func.attr):
                return self.method(node, node.func)
            meaning = method
        if meaning is None and self.may_be_any(node.func):
            func = self.callee(node.func)
            args, keywords = self.arguments(node)
            return self.helper_call(node, func, args, keywords, ANYTHING)
        if meaning is None:
            self.callee(node.func)
            self.arguments(node)
            self.may_change(node)
            return self.unknown(node, _AHEAD_NOT.format(what=text_of(node.func)))
        if meaning.kind == "class":
            func = self.callee(node.func)
            args, keywords = self.arguments(node)
            refused = why_not_made(self.project, meaning)
            if refused is not None:
                return self.unknown(node, refused, meaning.dotted)
            return ast.copy_location(ast.Call(func, args, keywords), node)
        inside = meaning.kind in ("project", "method")
        if inside and meaning.dotted not in self.project.assume_pure:
            func = self.callee(node.func)
            args, keywords = self.arguments(node)
            name = meaning.dotted if meaning.module else f".{meaning.name}"
            if self.project.generates(meaning):
                return self.unknown(node, GENERATES)
            return self.helper_call(node, func, args, keywords, name)
        name = meaning.dotted
        if name == "super" and not node.args and "__class__" in self.region.local:
            return closures.super_call(self, node)
        func = self.callee(node.func)
        args, keywords = self.arguments(node, consumer=meaning.kind == "builtin")
        if self.is_pure(meaning) and not _gives_function(node, meaning):
            return ast.copy_location(ast.Call(func, args, keywords), node)
        row = builtin(name) if meaning.kind == "builtin" else None
        if row is None or not row.keeps_arguments:
            self.may_change(node, name)
        return self.unknown(node, _AHEAD_NOT.format(what=name), name)

    def may_be_any(self, func: ast.expr) -> bool:
        """Whether a callee without a meaning may be a function or class that is passed around."""
        return self.project.may_be_any(self.found.module, func, self.region.local)

    def applied_function(
        self, node: ast.Call, function: ast.expr, func: ast.expr, args: list[ast.expr]
    ) -> ast.expr:
        """A call of a function that is no site, once for each element."""
        meaning = self.project.meaning(self.found.module, function, self.region.local)
        if meaning is not None and self.is_pure(meaning):
            return ast.copy_location(ast.Call(func, args, []), node)
        if meaning is not None and meaning.kind == "class":
            refused = why_not_made(self.project, meaning)
            if refused is not None:
                return self.unknown(node, refused, meaning.dotted)
            return ast.copy_location(ast.Call(func, args, []), node)
        if meaning is not None and meaning.kind == "project":
            return self.helper_call(node, func, args, [], meaning.dotted)
        return self.unknown(node, _AHEAD_NOT.format(what=text_of(function)))

    def is_pure(self, meaning: Meaning) -> bool:
        known = meaning.kind in ("builtin", "library") and runs_ahead(meaning.of_library)
        return known or self.project.assumes(meaning)

    def method(self, node: ast.Call, func: ast.Attribute) -> ast.expr:
        receiver = func.value
        if func.attr in CHANGER_NAMES and access_path(receiver) is not None:
            name, path = self.owner(receiver)
            args, keywords = self.arguments(node, consumer=True)
            if _is_spread(node):
                self.opaque(node, (path or name,), f"{text_of(receiver)} is changed here")
                return self.unknown(node, f"{text_of(receiver)} is changed here")
            result = self.temporary(node)
            args = [self.moved(argument) for argument in args]
            self.mutate(node.lineno, name, func.attr, args, result.id, path, keywords)
            return as_load(result)
        value = self.expr(receiver)
        args, keywords = self.arguments(node, consumer=True)
        reads = func.attr in AHEAD_NAMES and not may_fill(
            func.attr, len(args), [keyword.arg for keyword in keywords]
        )
        if reads or self.project.assumes_method(func.attr):
            callee = ast.copy_location(ast.Attribute(value, func.attr, ast.Load()), func)
            return ast.copy_location(ast.Call(callee, args, keywords), node)
        path = access_path(receiver)
        if path is not None and path.partition(".")[0] not in self.found.module.names:
            reason = f"{text_of(func)}() may change {path}"
            self.opaque(node, (path,), reason, f".{func.attr}")
        elif path is None:
            for name in sorted(
                target.id for target in ast.walk(receiver) if isinstance(target, ast.Name)
            ):
                if name not in self.found.module.names:
                    reason = f"{text_of(func)}() may change {name}"
                    self.opaque(node, (self.rename(name),), reason, f".{func.attr}")
        base = (path or "").partition(".")[0]
        named = None if base in self.found.module.names else f".{func.attr}"
        self.may_change(node, named)
        return self.unknown(node, _AHEAD_NOT.format(what=f"{text_of(func)}()"), named)

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
                args.append(self.argument(argument))
        keywords = [ast.keyword(k.arg, self.expr(k.value)) for k in node.keywords]
        return args, keywords

    def argument(self, node: ast.expr) -> ast.expr:
        """A value for something that reads a `map` or `filter` to its end, most likely."""
        return streams.collected(self, node) if streams.is_lazy(self, node) else self.expr(node)


def _gives_function(node: ast.Call, meaning: Meaning) -> bool:
    """Whether a call gives the library a function to call."""
    row = find(meaning.of_library)
    if row is None or row.calls is None:
        return False
    if isinstance(row.calls, int) and len(node.args) > row.calls:
        return True
    return any(k.arg in (row.calls, "func") for k in node.keywords)


def _is_spread(node: ast.Call) -> bool:
    """Whether some of the arguments come from an iterable or a mapping."""
    unnamed = any(keyword.arg is None for keyword in node.keywords)
    return unnamed or any(isinstance(argument, ast.Starred) for argument in node.args)
