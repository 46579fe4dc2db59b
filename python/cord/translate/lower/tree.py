"""The small language that scouts are made from.

`lower` writes it; `resume`, `paths`, `known`, `needed` and `emit` read it.

Expressions stay Python `ast` expressions, free of remote calls, helper calls, mutations and
comprehensions: those become nodes of their own, in evaluation order, with a temporary as result.
Names that a program cannot write (they hold a colon) never clash with the program's own.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

from cord.source.records import dataclass, field
from cord.source.scope import target_names

# The name of a callee that shows only at run time.
ANYTHING = "?"
# Stands before the kind and name of what an operation calls: of a property, or of a class.
OPERATION = ":"


@dataclass(eq=False, slots=True)
class Node:
    """One step; `line` is the program's line, `path` keys are names or dotted attribute paths."""

    line: int


@dataclass(eq=False, slots=True)
class Assign(Node):
    """`target = value`, where target holds only names, tuples, lists and stars.

    `shared` when the same value gets another name as well.
    """

    target: ast.expr
    value: ast.expr
    shared: bool = False


@dataclass(eq=False, slots=True)
class Opaque(Node):
    """Something a scout does not do; what it defines or changes is unknown afterwards.

    `callee` is the dotted name of the function that it does not know, if it is one that the user
    could declare.
    """

    defines: tuple[str, ...]
    reason: str
    callee: str | None = None


@dataclass(eq=False, slots=True)
class Mutate(Node):
    """A change of the object that `name` is bound to: `result = name.method(*args)`.

    The last of the arguments have `keywords`, those before have none. `method` may also be
    `__setitem__` or `__delitem__`. Where the program has no name for the object, `path` is the
    longest chain of names that leads to it. `fresh`: the object is a list that is being made, so
    that this cannot fail.
    """

    name: str
    method: str
    args: list[ast.expr]
    result: str | None
    path: str | None = None
    fresh: bool = False
    keywords: tuple[str, ...] = ()


@dataclass(eq=False, slots=True)
class Store(Node):
    """`owner.attribute = value`, which a scout does not do: it changes no object of the program's.

    From then on it reads no attribute of this name. `path` is the owner's and the attribute's, if
    they have names.
    """

    attribute: str
    path: str | None


@dataclass(eq=False, slots=True)
class Call(Node):
    """A remote call (`helper` false) or a call of a function of the project (`helper` true).

    `last`: nothing of its statement is done behind it, but for what is done with its result.
    `into`: the name of the list that this is appended to, in the same statement. `operation`:
    `func` is no callee, but an operation that calls such a function. `refused`: why no scout makes
    the call.
    """

    site: int
    func: ast.expr
    args: list[ast.expr]
    keywords: list[ast.keyword]
    result: str
    helper: bool
    callee: str
    last: bool = False
    into: str | None = None
    operation: bool = False
    refused: str | None = None


@dataclass(eq=False, slots=True)
class If(Node):
    """A condition."""

    test: ast.expr
    body: list[Node]
    orelse: list[Node]


@dataclass(eq=False, slots=True)
class For(Node):
    """A `for` loop or a comprehension's generator.

    When a scout is born inside, `first` is the rest of the iteration the program is in, and the
    loop goes on with a copy of the program's own iterator; where there is none to be had, with one
    that is made anew: by the nodes `source` and the expression `iter`. `name` is one for all copies
    of the loop, and tells it from others of the module.
    """

    loop: int
    target: ast.expr
    iter: ast.expr
    body: list[Node]
    orelse: list[Node]
    source: list[Node] = field(default_factory=list)
    first: list[Node] | None = None
    name: str = ""


@dataclass(eq=False, slots=True)
class While(Node):
    """A `while` loop; `pre` computes what its test needs. `first` and `name` are as in `For`."""

    pre: list[Node]
    test: ast.expr
    body: list[Node]
    orelse: list[Node]
    first: list[Node] | None = None
    name: str = ""


@dataclass(eq=False, slots=True)
class Handler:
    """An `except` clause."""

    types: ast.expr | None
    name: str | None
    body: list[Node]


@dataclass(eq=False, slots=True)
class Try(Node):
    """A `try` statement."""

    body: list[Node]
    handlers: list[Handler]
    orelse: list[Node]
    final: list[Node]


@dataclass(eq=False, slots=True)
class Case:
    """A `case` clause."""

    pattern: ast.pattern
    guard: ast.expr | None
    body: list[Node]


@dataclass(eq=False, slots=True)
class Match(Node):
    """A `match` statement."""

    subject: ast.expr
    cases: list[Case]


@dataclass(eq=False, slots=True)
class Exit(Node):
    """`break`, `continue`, `return` or `raise`."""

    kind: str
    value: ast.expr | None = None


def blocks(node: Node) -> list[list[Node]]:
    """The blocks inside a compound node, in the order in which they may run."""
    match node:
        case If():
            return [node.body, node.orelse]
        case For():
            return [node.first or [], node.body, node.orelse]
        case While():
            return [node.first or [], node.pre, node.body, node.orelse]
        case Try():
            return [node.body, *(h.body for h in node.handlers), node.orelse, node.final]
        case Match():
            return [case.body for case in node.cases]
    return []


def walk(block: list[Node]) -> list[Node]:
    """Every node of a block, outer ones first."""
    found: list[Node] = []
    stack = list(reversed(block))
    while stack:
        node = stack.pop()
        found.append(node)
        for inner in reversed(blocks(node)):
            stack.extend(reversed(inner))
    return found


def defined(nodes: Iterable[Node]) -> tuple[str, ...]:
    """The names and paths that these nodes, not those inside them, may bind or change."""
    names: list[str] = []
    for node in nodes:
        match node:
            case Assign():
                names.extend(target_names(node.target))
            case Opaque():
                names.extend(node.defines)
            case Mutate():
                names.append(node.name)
                if node.path is not None:
                    names.append(node.path)
                if node.result is not None:
                    names.append(node.result)
            case Store():
                if node.path is not None:
                    names.append(node.path)
            case Call():
                names.append(node.result)
            case For():
                names.extend(target_names(node.target))
            case Try():
                names.extend(h.name for h in node.handlers if h.name is not None)
            case Match():
                for case in node.cases:
                    names.extend(pattern_names(case.pattern))
    return tuple(names)


def pattern_names(pattern: ast.pattern) -> list[str]:
    """The names that a pattern binds."""
    parts = ast.walk(pattern)
    names = (getattr(part, "name", None) or getattr(part, "rest", None) for part in parts)
    return [name for name in names if isinstance(name, str)]


def ways_out(node: Node) -> frozenset[str]:
    """The kinds of exits inside a compound node that lead out of it."""

    def ways(node: Node, in_loop: bool) -> set[str]:
        in_loop = in_loop or isinstance(node, (For, While))
        found: set[str] = set()
        for block in blocks(node):
            for inner in block:
                if not isinstance(inner, Exit):
                    found |= ways(inner, in_loop)
                elif inner.kind in ("return", "raise") or not in_loop:
                    found.add(inner.kind)
            if isinstance(node, Try) and node.handlers and block is node.body:
                found.discard("raise")
        return found

    return frozenset(ways(node, False))


def leaves_at_end(block: list[Node], caught: bool) -> bool:
    """Whether only an exception that is caught keeps a block from leading out of what is around.

    Args:
        block: What is done.
        caught: Exceptions of it are caught within that code.
    """
    match block[-1:]:
        case [Exit(kind="return" | "break")]:
            return caught
        case [Try() as last]:
            return leaves_at_end(last.orelse or last.body, caught or bool(last.handlers))
    return False
