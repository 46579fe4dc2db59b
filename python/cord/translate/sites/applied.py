"""Calls that call a function for each element: `map`, `filter`, `sorted(key=)` and the like."""

from __future__ import annotations

import ast

from cord.knowledge.functions import find
from cord.source.records import dataclass
from cord.source.scope import own_nodes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .project import Meaning

# What is read as its values are asked for, and what reads all at once.
LAZY = frozenset({"map", "filter", "filterfalse", "takewhile", "starmap"})
_CHOOSING = frozenset({"filter", "filterfalse", "takewhile"})
_HEAPED = frozenset({"nlargest", "nsmallest"})
_KEYED = frozenset({"sorted", "sort", "min", "max"}) | _HEAPED
_LOWERED = LAZY | _KEYED | {"reduce"}
FRAME_READERS = frozenset({"locals", "vars", "dir", "eval", "exec"})


@dataclass(frozen=True, slots=True)
class Applied:
    """A call of `kind` that calls a function for each element of what it walks."""

    kind: str
    node: ast.Call

    @property
    def lazy(self) -> bool:
        return self.kind in LAZY

    @property
    def keyed(self) -> bool:
        return self.kind in _KEYED

    @property
    def chooses(self) -> bool:
        """Whether the function only tells which elements are passed on."""
        return self.kind in _CHOOSING

    @property
    def by_truth(self) -> bool:
        """Whether the elements themselves tell that."""
        return self.chooses and _is_none(self.node.args[0])

    @property
    def sorts(self) -> bool:
        """Whether it gives all, or the first, in the order of what the function gives.

        It is given what it walks as it is, for it may read all of that before it calls anything,
        or ask for its length.
        """
        return self.kind in ("sorted", "sort") or self.kind in _HEAPED

    @property
    def most(self) -> ast.expr | None:
        """How many it gives at most."""
        return self.node.args[0] if self.kind in _HEAPED else None

    @property
    def backwards(self) -> bool:
        """Whether the largest come first."""
        return self.kind in ("max", "nlargest")

    @property
    def receiver(self) -> ast.Name | None:
        """The list that is sorted in place."""
        owner = self.node.func.value if isinstance(self.node.func, ast.Attribute) else None
        return owner if self.kind == "sort" and isinstance(owner, ast.Name) else None

    @property
    def function(self) -> ast.expr:
        if self.keyed:
            return self._key().value
        return self.node.args[0]

    def replace_function(self, value: ast.expr) -> None:
        """Put another expression where the function stands."""
        if self.keyed:
            self._key().value = value
        else:
            self.node.args[0] = value

    @property
    def walked(self) -> slice:
        """Where among the positional arguments stands what is walked."""
        if self.keyed:
            return slice(int(self.most is not None), len(self.node.args))
        return slice(1, None) if self.kind == "map" else slice(1, 2)

    @property
    def inlined(self) -> ast.Lambda | None:
        """The lambda that is the function, if its body can count as a part of the code around."""
        function = self.function
        if not isinstance(function, ast.Lambda):
            return None
        arguments = function.args
        simple = not (
            arguments.vararg
            or arguments.kwarg
            or arguments.kwonlyargs
            or arguments.defaults
            or arguments.posonlyargs
        )
        if not simple:
            return None
        given = {"map": len(self.node.args) - 1, "reduce": 2, "starmap": len(arguments.args)}
        if len(arguments.args) != given.get(self.kind, 1):
            return None
        for inner in own_nodes(function):
            if isinstance(inner, (ast.NamedExpr, ast.Yield, ast.YieldFrom, ast.Await)):
                return None
            if isinstance(inner, ast.Name) and inner.id in FRAME_READERS:
                return None
        return function

    def _key(self) -> ast.keyword:
        return next(keyword for keyword in self.node.keywords if keyword.arg == "key")


def find_applied(node: ast.Call, meaning: Meaning | None) -> Applied | None:
    """What a call of this meaning applies to each element, if it does."""
    kind = _kind(node, meaning)
    if kind is None or any(isinstance(argument, ast.Starred) for argument in node.args):
        return None
    count = len(node.args)
    if kind in _KEYED:
        keys = [k for k in node.keywords if k.arg == "key"]
        plain = all(k.arg is not None for k in node.keywords)
        found = len(keys) == 1 and plain and not _is_none(keys[0].value)
        found = found and count == (0 if kind == "sort" else 2 if kind in _HEAPED else 1)
    elif node.keywords:
        found = False
    elif kind == "map":
        found = count >= 2
    elif kind == "reduce":
        found = count in (2, 3)
    elif kind in ("filter", "filterfalse"):
        found = count == 2
    else:
        found = count == 2 and not _is_none(node.args[0])
    return Applied(kind, node) if found else None


def _kind(node: ast.Call, meaning: Meaning | None) -> str | None:
    if meaning is None:
        func = node.func
        sorts = isinstance(func, ast.Attribute) and func.attr == "sort"
        return "sort" if sorts and isinstance(func.value, ast.Name) else None  # type: ignore[attr-defined]
    known = meaning.kind in ("builtin", "library") and meaning.name in _LOWERED
    row = find(meaning.of_library) if known else None
    return meaning.name if row is not None and row.calls is not None else None


def is_simple(node: ast.GeneratorExp) -> bool:
    """Whether a generator expression does nothing but choose and compute, in one loop."""
    if len(node.generators) != 1 or node.generators[0].is_async:
        return False
    kinds = (ast.NamedExpr, ast.Await, ast.Yield, ast.YieldFrom, ast.Lambda)
    return not any(
        isinstance(inner, kinds) or (isinstance(inner, ast.Name) and inner.id in FRAME_READERS)
        for inner in ast.walk(node)
    )


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None
