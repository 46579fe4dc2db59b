"""Which text is free of effects: what may run while the value of a remote call is on its way.

Less is asked here than of a scout, for the program's own code runs, not a slice of it; and more,
for nothing is guarded while it runs. So the text must show which functions are called, and what it
relies on (`Reads`) is looked at once, before it runs: see `runtime/births/lateness.py`.
"""

from __future__ import annotations

import ast
import builtins

from cord.knowledge.functions import find, runs_ahead
from cord.knowledge.methods import CHANGER_NAMES, TYPES, ahead_of
from cord.source.functions import is_plain
from cord.source.scope import outer_names

from .owned import Owned, light
from .reads import FunctionId, LoudError, Reads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from cord.source.modules import Module
    from cord.translate.sites.project import Meaning, Project

Names = dict[str, str | None]

_LOOKERS = frozenset().union(*(ahead_of(name) for name in TYPES if not name.startswith("pathlib.")))
_REFLECTING = frozenset({"getattr", "super", "type"})
_ALSO = frozenset(
    {"map", "filter", "callable", "collections.Counter", "collections.OrderedDict"}
    | {"collections.deque", "itertools.groupby"}
)
_ERRORS = frozenset(
    name
    for name, value in vars(builtins).items()
    if isinstance(value, type) and issubclass(value, Exception)
)
# Not numpy, which may warn of what it computes.
_MODULES = frozenset(
    """math cmath re itertools bisect struct zlib base64 binascii statistics operator
    json""".split()
)


class Quiet:
    """Answers for the text of a project."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self._owned: dict[ast.AST, Owned] = {}
        self._direct: dict[FunctionId, Reads | LoudError] = {}

    def text(
        self,
        module: Module,
        local: Names,
        scope: ast.AST,
        nodes: Sequence[ast.AST],
    ) -> Reads:
        """What statements or expressions of a function or module rely on, with all they call.

        Raises:
            LoudError: They may have effects.
        """
        is_module = isinstance(scope, ast.Module)
        looker = _Looker(self, module, local, scope, None, is_module)
        looker.around = self._around(module, local, scope)
        looker.look(nodes)
        reads = looker.reads
        self._follow(reads, getattr(nodes[0], "lineno", 0))
        return reads

    def _around(self, module: Module, local: Names, scope: ast.AST) -> Owned | None:
        if scope not in self._owned and isinstance(scope, (ast.FunctionDef, ast.Module)):
            self._owned[scope] = Owned(self.project, module, scope, local)
        return self._owned.get(scope)

    def _follow(self, reads: Reads, line: int) -> None:
        """Adds what the called functions rely on, and those that these call."""
        waiting, seen = list(reads.functions), set(reads.functions)
        while waiting:
            found = self._function(waiting.pop())
            if isinstance(found, LoudError):
                raise LoudError(line, found.what, found.callee)
            reads.add_called(found)
            waiting += [one for one in found.functions if one not in seen]
            seen |= found.functions

    def _function(self, function: FunctionId) -> Reads | LoudError:
        if function not in self._direct:
            try:
                self._direct[function] = self._look_into(function)
            except LoudError as error:
                key = function[1]
                name = key if key.replace(".", "").isidentifier() else "the function"
                where = f"{name}() may have effects (line {error.line}: {error.what})"
                self._direct[function] = LoudError(error.line, where, name)
        return self._direct[function]

    def _look_into(self, function: FunctionId) -> Reads:
        name, key = function
        module, found = self.project.modules[name], self.project.surveys[name]
        known = found.functions[key]
        node = known.node
        line = node.lineno
        if isinstance(node, ast.Lambda):
            raise LoudError(line, "it is a lambda")
        if key in module.methods:
            if node.decorator_list and not _is_static(node):
                raise LoudError(line, "it has a decorator")
        elif not is_plain(node):
            raise LoudError(line, "it has a decorator")
        if known.captured:
            raise LoudError(line, f"it reads {known.captured[0]} of the function around")
        if module.served:
            raise LoudError(line, "it stands in a remote module")
        owned = Owned(self.project, module, node, found.region_of[node].local)
        local = found.region_of[node].local
        looker = _Looker(self, module, local, node, owned, False)
        looker.look(node.body)
        looker.reads.names.clear()
        looker.reads.assigned.clear()
        looker.reads.heavy = True
        return looker.reads


def _computes(meaning: Meaning) -> bool:
    """Whether a call of a builtin, or of a library, does nothing but compute or change a list."""
    if meaning.dotted in _ALSO or _changes_first(meaning):
        return True
    known = meaning.kind == "builtin" or meaning.module.partition(".")[0] in _MODULES
    return known and meaning.name not in _REFLECTING and runs_ahead(meaning.of_library)


def _changes_first(meaning: Meaning) -> bool:
    """Whether it changes its first argument, a list, and nothing else."""
    row = find(meaning.dotted) if meaning.module == "bisect" else None
    return row is not None and bool(row.changes)


def _is_static(node: ast.FunctionDef) -> bool:
    return [ast.unparse(one) for one in node.decorator_list] == ["staticmethod"]


class _Looker:
    """Looks through statements of one function, or of the code around a call."""

    def __init__(
        self,
        quiet: Quiet,
        module: Module,
        local: Names,
        scope: ast.AST,
        owned: Owned | None,
        is_module: bool,
    ) -> None:
        self.quiet = quiet
        self.project = quiet.project
        self.module = module
        self.local = local
        self.owned = owned  # of a function that is called; None in the code around the call
        self.is_module = is_module
        self.around: Owned | None = None  # what the code around the call has made
        self.outer = set() if is_module else outer_names(scope)
        self.inner: list[set[str]] = []  # variables of comprehensions and lambdas
        self.reads = Reads()

    def look(self, nodes: Sequence[ast.AST]) -> None:
        for node in nodes:
            if isinstance(node, ast.stmt):
                self.statement(node)
            elif isinstance(node, ast.expr):
                self.expression(node)

    # ---- statements ----------------------------------------------------------------------------

    def statement(self, node: ast.stmt) -> None:
        match node:
            case ast.Assign():
                self.expression(node.value)
                for target in node.targets:
                    self.target(target)
            case ast.AnnAssign(simple=1) if not self.is_module and node.value is not None:
                self.expression(node.value)
                self.target(node.target)
            case ast.AugAssign():
                self.augmented(node)
            case ast.Expr():
                self.expression(node.value)
            case ast.If():
                self.expression(node.test)
                self.look([*node.body, *node.orelse])
            case ast.While():
                self.reads.heavy = True
                self.expression(node.test)
                self.look([*node.body, *node.orelse])
            case ast.For():
                self.reads.heavy = True
                self.expression(node.iter)
                self.target(node.target)
                self.look([*node.body, *node.orelse])
            case ast.Try():
                self.guarded(node)
            case ast.Assert():
                self.look([part for part in (node.test, node.msg) if part is not None])
            case ast.Raise(exc=error, cause=None) if error is not None:
                self.error(error)
            case ast.Return(value=value) if self.owned is not None:
                if value is not None:
                    self.expression(value)
            case ast.Pass() | ast.Break() | ast.Continue():
                pass
            case ast.Global() | ast.Nonlocal() if self.owned is not None:
                pass  # to bind such a name is what counts
            case _:
                raise LoudError(node.lineno, f"{_kind(node)} may have an effect")

    def guarded(self, node: ast.Try) -> None:
        for handler in node.handlers:
            if handler.type is not None:
                names = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
                for name in names:
                    self.error(name)
            if handler.name is not None:
                self.binds(handler.name, handler.lineno)
        bodies = [handler.body for handler in node.handlers]
        for body in (node.body, *bodies, node.orelse, node.finalbody):
            self.look(body)

    def error(self, node: ast.expr) -> None:
        """A builtin exception, or one that is made."""
        called = node.func if isinstance(node, ast.Call) else node
        meaning = self.project.meaning(self.module, called, self.local)
        if meaning is None or meaning.kind != "builtin" or meaning.name not in _ERRORS:
            raise LoudError(node.lineno, f"{ast.unparse(called)} is no builtin exception")
        self.calls(called, meaning)
        if isinstance(node, ast.Call):
            self.look([*node.args, *(keyword.value for keyword in node.keywords)])

    def augmented(self, node: ast.AugAssign) -> None:
        self.expression(node.value)
        match node.target:
            case ast.Name(id=name):
                self.variable(name, node.lineno)
                self.binds(name, node.lineno)
                if not self.makes(name):
                    self.change(node.target)
            case ast.Subscript(value=owner, slice=index):
                self.look([owner, index])
                if self.owned is None or not self.owned.makes_inside(node.target):
                    self.reads.changes = True  # what is there may be a container
                self.change(owner)
            case _:
                raise LoudError(node.lineno, f"{ast.unparse(node.target)} is set")

    def target(self, node: ast.expr) -> None:
        match node:
            case ast.Name(id=name):
                self.binds(name, node.lineno)
            case ast.Tuple(elts=parts) | ast.List(elts=parts):
                for part in parts:
                    self.target(part)
            case ast.Starred(value=value):
                self.target(value)
            case ast.Subscript(value=owner, slice=index):
                self.look([owner, index])
                self.change(owner)
            case _:
                raise LoudError(node.lineno, f"{ast.unparse(node)} is set")

    def binds(self, name: str, line: int) -> None:
        if name in self.outer:
            raise LoudError(line, f"{name} is set, which others may read")
        if not any(name in names for names in self.inner):
            self.reads.assigned.add(name)

    def makes(self, name: str) -> bool:
        """Whether whatever a variable holds was made here."""
        return self.owned is not None and self.owned.makes(name)

    def change(self, owner: ast.expr) -> None:
        """A container is changed in place."""
        if isinstance(owner, ast.Name):
            if self.makes(owner.id):
                return
            alone = self.around is not None and self.around.is_alone(owner.id)
            others = [*self.inner, self.outer]
            if alone and not any(owner.id in names for names in others):
                self.reads.changed.add(owner.id)
                return
        elif self.owned is not None and self.owned.makes_inside(owner):
            return
        self.reads.changes = True

    # ---- expressions ---------------------------------------------------------------------------

    def expression(self, node: ast.expr) -> None:
        match node:
            case ast.Constant():
                pass
            case ast.Name():
                self.name(node)
            case ast.Attribute():
                self.attribute(node)
            case ast.Call():
                self.call(node)
            case ast.NamedExpr(target=ast.Name(id=name), value=value):
                self.expression(value)
                self.binds(name, node.lineno)
            case ast.ListComp() | ast.SetComp() | ast.GeneratorExp():
                self.comprehension(node.generators, [node.elt])
            case ast.DictComp():
                self.comprehension(node.generators, [node.key, node.value])
            case ast.Yield(value=value) if self.owned is not None:
                if value is not None:
                    self.expression(value)
            case (
                ast.BinOp()
                | ast.BoolOp()
                | ast.UnaryOp()
                | ast.Compare()
                | ast.IfExp()
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
                for child in ast.iter_child_nodes(node):
                    if isinstance(child, ast.expr):
                        self.expression(child)
            case _:
                raise LoudError(node.lineno, f"{ast.unparse(node)} may have an effect")

    def comprehension(self, generators: list[ast.comprehension], made: list[ast.expr]) -> None:
        self.reads.heavy = True
        names: set[str] = set()
        self.inner.append(names)
        for part in generators:
            if part.is_async:
                raise LoudError(part.iter.lineno, "an asynchronous comprehension")
            self.expression(part.iter)
            names.update(one.id for one in ast.walk(part.target) if isinstance(one, ast.Name))
            self.look(part.ifs)
        self.look(made)
        self.inner.pop()

    def variable(self, name: str, line: int) -> None:
        if any(name in names for names in self.inner):
            return
        if name in self.local:
            if self.local[name] is not None:
                raise LoudError(line, f"{name} is imported or defined in the function")
            self.reads.names.add(name)
        else:
            self.reads.paths.add((self.module.name, name))

    def name(self, node: ast.Name) -> None:
        inside = any(node.id in names for names in self.inner)
        meaning = None if inside else self.project.meaning(self.module, node, self.local)
        if meaning is None or meaning.kind == "value":
            self.variable(node.id, node.lineno)
        elif meaning.kind == "library":
            if _computes(meaning):
                self.calls(node, meaning)
            else:
                self.variable(node.id, node.lineno)
        else:
            self.passes_on(node, meaning)

    def passes_on(self, node: ast.expr, meaning: Meaning) -> None:
        """A function that may be called: by `map`, or as a key."""
        if meaning.kind == "builtin" and _computes(meaning):
            self.calls(node, meaning)
        elif meaning.kind == "project":
            self.enters(node, meaning)
        else:
            raise LoudError(node.lineno, f"{ast.unparse(node)} may have an effect")

    def attribute(self, node: ast.Attribute) -> None:
        path = dotted(node)
        first = path.partition(".")[0] if path else ""
        if path and first not in self.local and first in self.module.names:
            meaning = self.project.meaning(self.module, node, self.local)
            if meaning is not None and meaning.kind == "library" and _computes(meaning):
                self.calls(node, meaning)
            elif meaning is not None and meaning.kind == "project":
                self.enters(node, meaning)
            else:
                self.reads.paths.add((self.module.name, path))
                for name in path.split(".")[1:]:
                    self.looked_up(name)
            return
        self.expression(node.value)
        self.looked_up(node.attr)

    def looked_up(self, attribute: str) -> None:
        """An attribute of some object is read."""
        meaning = self.project.property(attribute)
        if meaning is not None:
            self.reads.functions.update(self.project.candidates(meaning))
        self.reads.attributes.add(attribute)

    # ---- calls ---------------------------------------------------------------------------------

    def call(self, node: ast.Call) -> None:
        self.arguments(node)
        meaning = self.project.meaning(self.module, node.func, self.local)
        name = ast.unparse(node.func)
        if not light(node, meaning):
            self.reads.heavy = True
        match meaning.kind if meaning is not None else None:
            case "builtin" | "library" if meaning is not None and _computes(meaning):
                self.calls(node.func, meaning)
                if _changes_first(meaning) and node.args:
                    self.change(node.args[0])
            case "project" if meaning is not None:
                self.enters(node.func, meaning)
            case "remote":
                raise LoudError(node.lineno, f"{name}() is called")
            case None | "value" if isinstance(node.func, ast.Attribute):
                self.method(node, node.func)
            case _:
                of_library = meaning is not None and meaning.kind == "library"
                callee = name if of_library else None
                raise LoudError(node.lineno, f"{name}() may have an effect", callee)

    def arguments(self, node: ast.Call) -> None:
        for argument in [*node.args, *(keyword.value for keyword in node.keywords)]:
            if isinstance(argument, ast.Lambda):
                spec = argument.args
                every = [*spec.posonlyargs, *spec.args, *spec.kwonlyargs]
                if spec.defaults or spec.kw_defaults or spec.vararg or spec.kwarg:
                    raise LoudError(argument.lineno, "a lambda with defaults")
                self.inner.append({one.arg for one in every})
                self.expression(argument.body)
                self.inner.pop()
            else:
                self.expression(argument)

    def method(self, node: ast.Call, func: ast.Attribute) -> None:
        name = func.attr
        known = self.project.method(func)
        stored = self.project.is_stored(name) and not self.project.has_builtin_name(name)
        if stored or not (known or name in CHANGER_NAMES or name in _LOOKERS):
            raise LoudError(node.lineno, f".{name}() may have an effect")
        self.expression(func.value)
        if known is not None:
            candidates = self.project.candidates(known)
            if not candidates:
                raise LoudError(node.lineno, f".{name}() may have an effect")
            self.reads.heavy = True
            self.reads.methods.add(name)
            self.reads.functions.update(candidates)
        if name in CHANGER_NAMES:
            self.change(func.value)

    def calls(self, func: ast.expr, meaning: Meaning) -> None:
        path = dotted(func)
        first = (path or "").partition(".")[0]
        if path is None or first in self.local or any(first in names for names in self.inner):
            raise LoudError(func.lineno, f"{ast.unparse(func)} may be anything")
        self.reads.callees.add((self.module.name, path, meaning))

    def enters(self, func: ast.expr, meaning: Meaning) -> None:
        found = self.project.surveys[meaning.module].functions.get(meaning.name)
        if found is None or self.project.reaches_remote(meaning):
            name = ast.unparse(func)
            raise LoudError(func.lineno, f"{name}() leads to remote calls")
        self.calls(func, meaning)
        self.reads.functions.add((meaning.module, meaning.name))


def dotted(node: ast.expr) -> str | None:
    """`a.b.c` as text; None for what is no chain of names."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return ".".join([node.id, *reversed(parts)]) if isinstance(node, ast.Name) else None


def _kind(node: ast.stmt) -> str:
    names = {"Import": "an import", "ImportFrom": "an import", "With": "with", "Delete": "del"}
    kind = type(node).__name__
    return names.get(kind, kind.lower())
