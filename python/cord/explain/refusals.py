"""Where guards refuse objects of the program's classes, as far as the text tells; for explanations.

A scout goes into most methods of the program's. What it does not go into ends it there: hooks for
attributes that are missing, methods of what is made from a builtin class, and the like.
"""

from __future__ import annotations

import ast
import builtins
import copy
from collections.abc import Iterable, Iterator

from cord.knowledge.functions import builtin
from cord.source.records import dataclass
from cord.translate.lower.tree import Assign, Call, For, If, Mutate, Node, While
from cord.translate.sites.classes import Classes, Kind, Kinds
from cord.translate.sites.project import Project
from cord.translate.sites.survey import Region

# Special methods that say nothing of how an instance prints.
_SILENT = frozenset("__init__ __post_init__ __init_subclass__ __call__ __enter__ __exit__".split())
_SHOWN = ("__format__", "__str__", "__repr__")

_OWN = "is no builtin container"


@dataclass(frozen=True, slots=True)
class Refusal:
    """An operation that a scout does not do with objects of a class.

    Attributes:
        line: Its line.
        operation: The operation, as it is written.
        kind: The name of the class.
        why: What it is about that class, after its name and "which".
    """

    line: int
    operation: str
    kind: str
    why: str


class Refusals:
    """Answers for one project.

    Args:
        project: The project.
        encoding: The methods by which classes take their instances apart.
    """

    def __init__(self, project: Project, encoding: Iterable[str]) -> None:
        self.project = project
        self.encoding = (*encoding, "__getattr__", "__getattribute__")
        self.classes = Classes(project)
        self._looks: dict[tuple[int, int], _Look] = {}  # by the addresses of body and region
        self._hooking = {
            module.name for module in project.modules.values() if "__getattr__" in module.functions
        }

    def first(
        self, module: str, region: Region, nodes: Iterable[Node], body: list[Node]
    ) -> Refusal | None:
        """The first operation that a scout may be refused.

        Args:
            module: The module that it is a scout of.
            region: The region there.
            nodes: What the scout does.
            body: What it goes through: all that binds its names. It is the same list for all
                calls that a scout comes to.
        """
        if not self.classes.all and not self._hooking:
            return None
        key = id(body), id(region)
        look = self._looks.get(key)
        if look is None:
            look = self._looks[key] = _Look(self, module, region, _temporaries(body))
        return next((found for node in nodes if (found := look.into(node)) is not None), None)

    def changed_array(self, module: str, region: Region, nodes: Iterable[Node]) -> Refusal | None:
        """The first change of an array: scouts that are born with one have no copy of it."""
        for node in nodes:
            if isinstance(node, Mutate):
                makers = self.classes.makers(module, region, node.name)
                if any(one == "array.array" or one.startswith("numpy.") for one in makers):
                    return Refusal(node.line, node.name, "array", "is changed in place")
        return None


class _Look:
    def __init__(
        self, answers: Refusals, module: str, region: Region, made: dict[str, ast.expr]
    ) -> None:
        self.answers = answers
        self.module = module
        self.region = region
        self.made = made
        self._found: dict[Node, Refusal | None] = {}

    def into(self, node: Node) -> Refusal | None:
        """The first that may be refused of one node."""
        if node not in self._found:
            found = next(self._refused(node), None)
            if found is None:
                self._found[node] = None
            else:
                kind, why, operation = found
                written = _text(self._written(operation))
                self._found[node] = Refusal(node.line, written, kind, why)
        return self._found[node]

    def _refused(self, node: Node) -> Iterator[tuple[str, str, ast.expr]]:
        match node:
            case Assign(target=ast.Tuple()):
                for kind in self._surely(node.value):
                    if not kind.named:
                        yield (kind.name, _OWN, node.value)
            case Call() if not node.helper:
                for given in [*node.args, *(keyword.value for keyword in node.keywords)]:
                    yield from self._travels(given)
            case For():
                yield from self._walked(node.iter)
            case If() | While():
                yield from self._builtin(node.test, node.test)
            case Mutate():
                name = ast.Name(node.name, ast.Load())
                yield from self._builtin(name, name)
        for top in _expressions(node):
            for part in ast.walk(top):
                yield from self._operation(part)

    def _operation(self, part: ast.AST) -> Iterator[tuple[str, str, ast.expr]]:
        match part:
            case ast.Attribute():
                yield from self._read(part)
            case ast.Subscript():
                yield from self._builtin(part.value, part)
                yield from self._keyed(self._surely(part.slice), part)
                yield from self._keyed(self._keys(part.value), part)
            case ast.BinOp():
                yield from self._builtin(part.left, part)
                yield from self._builtin(part.right, part)
            case ast.Compare():
                for operand in (part.left, *part.comparators):
                    yield from self._builtin(operand, part)
            case ast.FormattedValue():
                yield from self._builtin(part.value, part.value)
                for kind in self._surely(part.value):
                    speaks = sorted(filter(_special, kind.methods - _SILENT), key=_shows)
                    if speaks:
                        yield (kind.name, f"has {speaks[0]}()", part.value)
            case ast.Call():
                for argument in part.args:
                    given = argument.value if isinstance(argument, ast.Starred) else argument
                    if isinstance(part.func, ast.Name) and hasattr(builtins, part.func.id):
                        yield from self._builtin(given, part)
                        row = builtin(part.func.id)
                        if row is not None and not row.changes and (row.walks or row.lazy):
                            yield from self._stepped(given)
                            yield from self._taken(given)
            case ast.Starred():
                for kind in self._surely(part.value):
                    if not kind.named:
                        yield (kind.name, _OWN, part)

    def _read(self, node: ast.Attribute) -> Iterator[tuple[str, str, ast.expr]]:
        """An attribute is read."""
        target = self._dotted(node.value)
        if target in self.answers._hooking:
            module = self.answers.project.modules[target]
            if node.attr not in module.defined | module.names.keys():
                yield (target, "has __getattr__()", node)
            return
        kinds = self._kinds(node.value)
        for kind in self.answers.classes.all:
            if not _may_be(kinds, kind) or _special(node.attr):
                continue
            if node.attr in kind.described:
                yield (kind.name, f"makes {node.attr} by a class with __get__()", node)
            elif "__getattribute__" in kind.methods:
                yield (kind.name, "has __getattribute__()", node)
            elif "__getattr__" in kind.methods and not _is_there(kind, node.attr):
                yield (kind.name, "has __getattr__()", node)
            elif kind.builtin and (
                node.attr in kind.getters
                or (kind in kinds.found and _has(kind, node.attr))
                or (node.attr in kind.methods and kind in kinds.found)
            ):
                yield (kind.name, _made_from(kind), node)

    def _builtin(self, value: ast.expr, operation: ast.expr) -> Iterator[tuple[str, str, ast.expr]]:
        """Something is done with a value that is the matter of what its class is made from."""
        for kind in self._surely(value):
            if kind.builtin:
                yield (kind.name, _made_from(kind), operation)

    def _keyed(
        self, kinds: Iterable[Kind], operation: ast.expr
    ) -> Iterator[tuple[str, str, ast.expr]]:
        for kind in kinds:
            for name in ("__eq__", "__hash__"):
                if name in kind.methods:
                    yield (kind.name, f"has {name}()", operation)

    def _stepped(self, value: ast.expr) -> Iterator[tuple[str, str, ast.expr]]:
        """Items are taken from a value: scouts do not go into what gives them."""
        match self._written(value):
            case ast.Call(func=ast.Name(id="enumerate" | "zip"), args=inner):
                for one in inner:
                    yield from self._stepped(one)
        for kind in self._surely(value):
            for name in ("__next__", "__iter__"):
                if name in kind.methods and not kind.builtin:
                    yield (kind.name, f"has {name}()", value)

    def _walked(self, value: ast.expr) -> Iterator[tuple[str, str, ast.expr]]:
        yield from self._builtin(value, value)
        yield from self._stepped(value)
        kinds = self._kinds(value)
        for kind in self.answers.classes.all:
            by_index = "__getitem__" in kind.methods and "__iter__" not in kind.methods
            if by_index and not kind.builtin and _may_be(kinds, kind):
                yield (kind.name, "has __getitem__() and no __iter__()", value)

    def _taken(self, value: ast.expr) -> Iterator[tuple[str, str, ast.expr]]:
        """All items are taken at once."""
        for kind in self._surely(value):
            if "__getitem__" in kind.methods and not kind.builtin:
                yield (kind.name, "has __getitem__()", value)

    def _travels(self, value: ast.expr) -> Iterator[tuple[str, str, ast.expr]]:
        """A value, or what is in it, is encoded."""
        given = value.value if isinstance(value, ast.Starred) else value
        written = self._written(given)
        if isinstance(written, (ast.List, ast.Tuple, ast.Set)):
            for part in written.elts:
                yield from self._travels(part)
            return
        kinds = self._kinds(written)
        for kind in self.answers.classes.all:
            if _may_be(kinds, kind):
                for name in self.answers.encoding:
                    if name in kind.methods:
                        yield (kind.name, f"has {name}()", given)

    # ---- values --------------------------------------------------------------------------------

    def _surely(self, value: ast.expr) -> list[Kind]:
        """The classes of which a value is seen to be."""
        return sorted(self._kinds(value).found, key=lambda kind: kind.name)

    def _keys(self, value: ast.expr) -> list[Kind]:
        written = self._written(value)
        found = self.answers.classes.elements(self.module, self.region, written).found
        return sorted(found, key=lambda kind: kind.name)

    def _kinds(self, value: ast.expr) -> Kinds:
        return self.answers.classes.of(self.module, self.region, self._written(value))

    def _written(self, value: ast.expr) -> ast.expr:
        return _Expanded(self.made).visit(_copied(value)) if self.made else value

    def _dotted(self, value: ast.expr) -> str:
        if not isinstance(value, ast.Name) or value.id in self.region.local:
            return ""
        return self.answers.project.modules[self.module].names.get(value.id, "")


class _Expanded(ast.NodeTransformer):
    """Puts in place of temporaries what they were made from."""

    def __init__(self, made: dict[str, ast.expr], depth: int = 0) -> None:
        self.made = made
        self.depth = depth

    def visit_Name(self, node: ast.Name) -> ast.expr:
        value = self.made.get(node.id)
        if value is None or self.depth > 4:
            return node
        expanded: ast.expr = _Expanded(self.made, self.depth + 1).visit(_copied(value))
        return expanded


def _copied(value: ast.expr) -> ast.expr:
    parsed: ast.expr = ast.fix_missing_locations(copy.deepcopy(value))
    return parsed


def _text(value: ast.expr) -> str:
    """A value as the program writes it: variables of comprehensions are numbered here."""
    shown = _copied(value)
    for part in ast.walk(shown):
        if isinstance(part, ast.Name):
            part.id = part.id.partition(":")[0] or part.id
    return ast.unparse(shown)


def _temporaries(body: Iterable[Node]) -> dict[str, ast.expr]:
    """What the names hold that the program has not."""
    made: dict[str, ast.expr] = {}
    for node in body:
        if isinstance(node, Assign) and isinstance(node.target, ast.Name):
            name, value = node.target.id, node.value
        elif isinstance(node, Call):
            name, value = node.result, ast.Call(node.func, node.args, node.keywords)
        else:
            continue
        if name.startswith(":"):
            made[name] = value
    return made


def _expressions(node: Node) -> Iterator[ast.expr]:
    for name in ("value", "test", "iter", "func", "args", "keywords", "subject"):
        if name == "iter" and isinstance(node, For) and node.first is not None:
            continue
        found = getattr(node, name, None)
        for part in found if isinstance(found, list) else [found]:
            if isinstance(part, ast.expr):
                yield part
            elif isinstance(part, ast.keyword):
                yield part.value


def _may_be(kinds: Kinds, kind: Kind) -> bool:
    return kind in kinds.found or not kinds.complete


def _is_there(kind: Kind, name: str) -> bool:
    """Whether a scout reads an attribute past a `__getattr__`."""
    found = name in kind.stored or name in kind.methods
    return found and name not in kind.body


def _has(kind: Kind, name: str) -> bool:
    return hasattr(getattr(builtins, kind.builtin, None), name)


def _special(name: str) -> bool:
    return name.startswith("__") and name.endswith("__")


def _shows(name: str) -> tuple[bool, str]:
    return name not in _SHOWN, name


def _made_from(kind: Kind) -> str:
    return f"is a kind of {kind.builtin}"
