"""The program's classes, and of which of them a value may be, as far as the text tells.

For explanations: nothing here decides what a scout does.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Iterator

from cord.knowledge.classes import LIKE_BUILTINS
from cord.knowledge.functions import OWN_RESULTS
from cord.source.functions import class_around, is_getter
from cord.source.modules import Module
from cord.source.records import dataclass
from cord.source.scope import own_nodes, target_names

from .project import Meaning, Project
from .survey import Region

_MADE = (ast.Constant, ast.JoinedStr, ast.Compare, ast.Tuple, ast.List, ast.Set, ast.Dict)
_ELEMENTS = (ast.List, ast.Tuple, ast.Set)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.GeneratorExp)
_DEEPEST = 30  # so long chains of names are followed


@dataclass(eq=False, slots=True)
class Kind:
    """A class of the program's.

    Attributes:
        name: Its name.
        bases: Those of its bases that are the program's.
        builtin: The name of what it is made from that is built in or a library's; empty if nothing.
        methods: The names of the functions in its body and in those of its bases.
        getters: Those that reading an attribute calls.
        stored: The attributes that its methods set.
        body: What stands in its body and is no function.
        named: Whether it is a named tuple.
        described: What its body makes of a class that has `__get__`.
    """

    name: str
    bases: tuple[Kind, ...]
    builtin: str
    methods: frozenset[str]
    getters: frozenset[str]
    stored: frozenset[str]
    body: frozenset[str]
    named: bool
    described: frozenset[str]

    def is_a(self, other: Kind) -> bool:
        """Whether it is this class or below it."""
        return self is other or any(base.is_a(other) for base in self.bases)


@dataclass(frozen=True, slots=True)
class Kinds:
    """Classes of which a value may be; `complete`: it is of no other class of the program's."""

    found: frozenset[Kind]
    complete: bool

    def joined(self, other: Kinds) -> Kinds:
        return Kinds(self.found | other.found, self.complete and other.complete)


_NONE = Kinds(frozenset(), True)
_ANY = Kinds(frozenset(), False)


# A variable of a scope (by the scope's identity), and whether its own class is asked for or that of
# its elements, or of its values where it is a dict.
_Asked = tuple[int, str, str]
# What a variable is bound to, and whether it is bound to the elements of that.
_Binding = tuple[ast.expr | None, bool]


class Classes:
    """Answers for one project.

    Variables depend on one another, in circles too. What they hold is the least solution of what
    the text says of them: all begin as of no class, and are looked at until nothing changes
    (Kildall, "A unified approach to global program optimization", 1973).

    Args:
        project: The project.
    """

    def __init__(self, project: Project) -> None:
        self.project = project
        self._bound_in: dict[int, dict[str, list[_Binding]]] = {}  # by the identity of a scope
        self._solved: dict[_Asked, Kinds] = {}
        self._found: dict[_Asked, Kinds] = {}  # not solved yet
        self._met: set[_Asked] = set()  # looked at in this round
        self._kinds: dict[tuple[str, str], Kind] = {}
        for module in project.modules.values():
            for name in module.classes:
                self._kind(module, name, 0)

    @property
    def all(self) -> list[Kind]:
        return list(self._kinds.values())

    def of(self, module: str, region: Region, value: ast.expr) -> Kinds:
        """The classes of which a value may be.

        Args:
            module: The module that it is computed in.
            region: The region there.
            value: How it is computed; a name stands for what it may be bound to.
        """
        return self._of(self.project.modules[module], region, value, 0)

    # ---- classes -------------------------------------------------------------------------------

    def _kind(self, module: Module, name: str, depth: int) -> Kind | None:
        key = (module.name, name)
        if key in self._kinds or depth > _DEEPEST:
            return self._kinds.get(key)
        node = module.classes[name]
        bases: list[Kind] = []
        builtin = ""
        for base in node.bases:
            above = self.project.meaning(module, base, {})
            if above is not None and above.kind == "class":
                kind = self._kind(self.project.modules[above.module], above.name, depth + 1)
                bases += [] if kind is None else [kind]
            else:
                builtin = builtin or _builtin(base, above)
        functions = [one for one in node.body if isinstance(one, ast.FunctionDef)]
        stored = {
            part.attr
            for function in functions
            for part in ast.walk(function)
            if isinstance(part, ast.Attribute) and isinstance(part.ctx, ast.Store)
        }
        self._kinds[key] = Kind(
            name,
            tuple(bases),
            builtin or next((base.builtin for base in bases if base.builtin), ""),
            frozenset(f.name for f in functions).union(*(base.methods for base in bases)),
            frozenset(f.name for f in functions if is_getter(f)).union(*(b.getters for b in bases)),
            frozenset(stored).union(*(base.stored for base in bases)),
            frozenset(_in_body(node)).union(*(base.body for base in bases)),
            any("namedtuple" in ast.unparse(base).lower() for base in node.bases)
            or any(base.named for base in bases),
            self._described(module, node, depth).union(*(base.described for base in bases)),
        )
        return self._kinds[key]

    def _described(self, module: Module, node: ast.ClassDef, depth: int) -> frozenset[str]:
        names: set[str] = set()
        for statement in node.body:
            if not isinstance(statement, ast.Assign) or not isinstance(statement.value, ast.Call):
                continue
            made = self.project.meaning(module, statement.value.func, {})
            if made is None or made.kind != "class":
                continue
            kind = self._kind(self.project.modules[made.module], made.name, depth + 1)
            if kind is not None and "__get__" in kind.methods:
                names.update(name for one in statement.targets for name in target_names(one))
        return frozenset(names)

    def makers(self, module: str, region: Region, name: str) -> list[str]:
        """The functions of libraries that gave what a variable holds, by their dotted names."""
        source = self.project.modules[module]
        found: list[str] = []
        for value, walked in self._bindings(source, region, name):
            if isinstance(value, ast.Call) and not walked:
                meaning = self.project.meaning(source, value.func, region.local)
                if meaning is not None and meaning.kind == "library":
                    found.append(meaning.dotted)
        return found

    def _named(self, module: Module, region: Region | None, name: ast.expr) -> Kinds:
        """Instances of the class that an expression names."""
        local = {} if region is None else region.local
        meaning = self.project.meaning(module, name, local)
        if meaning is None or meaning.kind != "class":
            return _ANY
        kind = self._kinds.get((meaning.module, meaning.name))
        return _ANY if kind is None else Kinds(frozenset({kind}), True)

    # ---- values --------------------------------------------------------------------------------

    def _solve(self, asked: _Asked, look: Callable[[], Kinds]) -> Kinds:
        """The classes of a variable, of which `look` tells in terms of others."""
        if asked in self._solved:
            return self._solved[asked]
        if asked in self._met:
            return self._found[asked]
        is_first = not self._met
        while True:
            self._met.add(asked)
            before = dict(self._found) if is_first else {}
            self._found.setdefault(asked, _NONE)
            self._found[asked] = look()
            if not is_first:
                return self._found[asked]
            self._met.clear()
            if self._found == before:
                self._solved.update(before)
                self._found.clear()
                return self._solved[asked]

    def _of(self, module: Module, region: Region, value: ast.expr, depth: int) -> Kinds:
        if isinstance(value, (*_MADE, *_COMPREHENSIONS, ast.DictComp)):
            return _NONE
        if depth > _DEEPEST:
            return _ANY
        if isinstance(value, ast.Call):
            if isinstance(value.func, ast.Name) and value.func.id in OWN_RESULTS:
                return _NONE
            return self._named(module, region, value.func)
        if isinstance(value, ast.Name):
            return self._bound(module, region, value.id, depth)
        if isinstance(value, ast.Subscript):
            return self._elements(module, region, value.value, depth + 1, values=True)
        if isinstance(value, ast.BinOp):
            left = self._of(module, region, value.left, depth + 1)
            right = self._of(module, region, value.right, depth + 1)
            return left.joined(right).joined(_ANY if left.found or right.found else _NONE)
        if isinstance(value, ast.IfExp):
            either = (
                self._of(module, region, one, depth + 1) for one in (value.body, value.orelse)
            )
            return next(either).joined(next(either))
        return _ANY

    def _elements(
        self, module: Module, region: Region, walked: ast.expr, depth: int, values: bool = False
    ) -> Kinds:
        """What is in a container: the keys of a dict, unless its values are asked for."""
        found = self._named(module, region, walked)
        if found.found:
            return found  # what an enumeration consists of
        if isinstance(walked, ast.Name) and depth <= _DEEPEST:
            of = "values" if values else "elements"
            asked = (id(_scope_of(module, region, walked.id)), walked.id, of)
            found = self._solve(
                asked, lambda: self._in_bound(module, region, walked.id, depth, values)
            )
        elif isinstance(walked, ast.Dict):
            inside = walked.values if values else walked.keys
            found = _joined(self._of(module, region, one, depth + 1) for one in inside if one)
        elif isinstance(walked, _ELEMENTS):
            found = _joined(self._of(module, region, one, depth + 1) for one in walked.elts)
        elif isinstance(walked, _COMPREHENSIONS):
            found = self._of(module, region, walked.elt, depth + 1)
        elif isinstance(walked, ast.Constant) or _is_range(walked):
            found = _NONE
        return found

    def _in_bound(
        self, module: Module, region: Region, name: str, depth: int, values: bool
    ) -> Kinds:
        parts = [
            _ANY
            if value is None or inner
            else self._elements(module, region, value, depth + 1, values)
            for value, inner in self._bindings(module, region, name)
        ]
        return _joined(parts) if parts else _ANY

    def elements(self, module: str, region: Region, value: ast.expr) -> Kinds:
        """The classes of which the elements of a value may be, as `of` tells its own."""
        return self._elements(self.project.modules[module], region, value, 0)

    def _bound(self, module: Module, region: Region, name: str, depth: int) -> Kinds:
        if name not in region.local and name in module.names:
            return self._imported(module.names[name])
        asked = (id(_scope_of(module, region, name)), name, "")
        return self._solve(asked, lambda: self._of_bound(module, region, name, depth))

    def _of_bound(self, module: Module, region: Region, name: str, depth: int) -> Kinds:
        parts: list[Kinds] = []
        for value, walked in self._bindings(module, region, name):
            if value is None:
                parts.append(_ANY)
            elif walked:
                parts.append(self._elements(module, region, value, depth + 1))
            else:
                parts.append(self._of(module, region, value, depth + 1))
        parts += self._given(module, region, name)
        return _joined(parts) if parts else _ANY

    def _bindings(self, module: Module, region: Region, name: str) -> list[_Binding]:
        """What a variable is bound to."""
        scope = _scope_of(module, region, name)
        if id(scope) not in self._bound_in:
            self._bound_in[id(scope)] = _bindings_in(scope)
        return self._bound_in[id(scope)].get(name, [])

    def _imported(self, dotted: str) -> Kinds:
        project = self.project
        if dotted in project.modules or dotted in project.remote:
            return _NONE
        return _ANY if dotted.rpartition(".")[0] in project.modules else _NONE

    def _given(self, module: Module, region: Region, name: str) -> list[Kinds]:
        """What a parameter of this name is: an instance where it is that of a method."""
        arguments = getattr(region.node, "args", None)
        if not isinstance(arguments, ast.arguments):
            return []
        every = [*arguments.posonlyargs, *arguments.args]
        owner = class_around(module.tree, region.node)
        for index, one in enumerate([*every, *arguments.kwonlyargs]):
            if one.arg != name:
                continue
            if index == 0 and owner in module.classes:
                kind = self._kinds[module.name, owner]
                return [Kinds(frozenset(one for one in self.all if one.is_a(kind)), True)]
            named = None if one.annotation is None else self._named(module, None, one.annotation)
            return [_ANY if named is None else named]
        return []


def _joined(parts: list[Kinds] | Iterator[Kinds]) -> Kinds:
    found = _NONE
    for part in parts:
        found = found.joined(part)
    return found


def _scope_of(module: Module, region: Region, name: str) -> ast.AST:
    """Where a variable is bound."""
    return region.node if name in region.local else module.tree


def _bindings_in(scope: ast.AST) -> dict[str, list[_Binding]]:
    """What each variable is bound to in a scope."""
    found: dict[str, list[_Binding]] = {}
    for node in own_nodes(scope):
        targets: list[ast.expr] = []
        value: ast.expr | None = None
        walked = False
        if isinstance(node, ast.Assign):
            targets, value = node.targets, node.value
        elif isinstance(node, (ast.AnnAssign, ast.NamedExpr)):
            targets, value = [node.target], node.value
        elif isinstance(node, (ast.For, ast.comprehension)):
            targets, value, walked = [node.target], node.iter, True
        elif isinstance(node, ast.withitem) and node.optional_vars is not None:
            targets = [node.optional_vars]
        for target in targets:
            for name in dict.fromkeys(target_names(target)):
                if isinstance(target, ast.Name):
                    bound = [(value, walked)]
                elif isinstance(target, ast.Tuple) and not walked and isinstance(value, ast.Tuple):
                    bound = list(_unpacked(target, value, name))
                else:
                    bound = [(None, False)]
                found.setdefault(name, []).extend(bound)
    return found


def _unpacked(
    target: ast.Tuple, value: ast.Tuple, name: str
) -> Iterator[tuple[ast.expr | None, bool]]:
    stars = any(isinstance(one, ast.Starred) for one in [*target.elts, *value.elts])
    if stars or len(target.elts) != len(value.elts):
        yield from [(None, False)] if name in target_names(target) else []
        return
    for one, part in zip(target.elts, value.elts, strict=True):
        if name in target_names(one):
            yield part if isinstance(one, ast.Name) else None, False


def _is_range(value: ast.expr) -> bool:
    return (
        isinstance(value, ast.Call)
        and isinstance(value.func, ast.Name)
        and value.func.id in ("range", "str")
    )


def _builtin(base: ast.expr, meaning: Meaning | None) -> str:
    """The name of a base that is built in, or behaves as if it were; empty for all others."""
    name = ast.unparse(base).partition("[")[0].rpartition(".")[2]
    found = getattr(builtins, name, None)
    if isinstance(found, type):
        return "" if found is object or issubclass(found, BaseException) else name
    of_library = meaning is not None and meaning.of_library in LIKE_BUILTINS
    return name if of_library else ""


def _in_body(node: ast.ClassDef) -> set[str]:
    """The attributes that stand in the body of a class and are no functions."""
    names: set[str] = set()
    for statement in node.body:
        if isinstance(statement, ast.Assign):
            names.update(name for target in statement.targets for name in target_names(target))
        elif isinstance(statement, ast.AnnAssign):
            names.update(target_names(statement.target))
    return names
