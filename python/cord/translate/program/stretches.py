"""Lists of statements in which the values of calls are received late."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from cord.source.records import dataclass, field
from cord.source.scope import own_nodes

from .reads import Reads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cord.translate.sites.sites import Site


@dataclass(eq=False, slots=True)
class Late:
    """A call whose value may be received late.

    Attributes:
        site: The call.
        statement: The statement that it is the value of.
        reads: What the text relies on that runs while it is on its way.
        targets: The variables that get the value.
        lines: The lines before which it may be received.
        at_end: It may be received at the end of the stretch.
        fresh: The variables that are bound to something made then, before they are read.
    """

    site: Site
    statement: ast.Assign | ast.AnnAssign | ast.AugAssign | ast.Expr
    targets: frozenset[str]
    reads: Reads = field(default_factory=Reads)
    lines: set[int] = field(default_factory=set)
    at_end: bool = False
    fresh: set[str] = field(default_factory=set)

    @property
    def holder(self) -> str:
        """The variable that the value is added or appended to; "" if it is not."""
        holds = isinstance(self.statement, (ast.AugAssign, ast.Expr))
        return next(iter(self.targets), "") if holds else ""

    @property
    def unpacked(self) -> int:
        """Into how many variables the value is unpacked; 0 if it is not."""
        if isinstance(self.statement, ast.Assign):
            target = self.statement.targets[0]
            if isinstance(target, (ast.Tuple, ast.List)):
                return len(target.elts)
        return 0


@dataclass(slots=True)
class Split:
    """A statement of which a part is computed first: `local_work()` in `r + local_work()`.

    Attributes:
        late: A value that it waits for.
        waits: The variables that hold values which may be on their way.
        parts: What is computed first, and the variables that are read before that, in order.
    """

    late: Late
    waits: frozenset[str]
    parts: list[ast.expr] = field(default_factory=list)


@dataclass(slots=True)
class Stretch:
    """A list of statements, of which some are under way with values to be received.

    Attributes:
        body: The statements.
        calls: The calls in it whose values are received late.
        before: What may have to be received before a statement runs.
        after: What may have to be received behind the last statement of a list.
        split: What is computed before what a statement waits for.
        first, last: The statements of `body` between which something is on its way.
    """

    body: list[ast.stmt]
    calls: list[Late]
    before: dict[ast.stmt, list[Late]] = field(default_factory=dict)
    after: dict[ast.stmt, list[Late]] = field(default_factory=dict)
    split: dict[ast.stmt, Split] = field(default_factory=dict)
    first: int = 0
    last: int = 0


def bodies(scope: ast.AST) -> Iterator[list[ast.stmt]]:
    """The lists of statements of a function or module that are stretches."""
    assert isinstance(scope, (ast.FunctionDef, ast.Module))
    yield scope.body
    for node in own_nodes(scope):
        match node:
            case ast.Try() | ast.TryStar():
                yield node.body
                for handler in node.handlers:
                    yield handler.body
                yield node.orelse
                yield node.finalbody
            case ast.With():
                yield node.body
            case ast.Match():
                for case in node.cases:
                    yield case.body


def statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements of a stretch."""
    for statement in body:
        yield statement
        if isinstance(statement, (ast.If, ast.For, ast.While)):
            yield from statements(statement.body)
            yield from statements(statement.orelse)
