"""Which lines of a loop are worth a function of their own, from where a run was looked at.

Source text and counts in, advice out. It is about a loop whose work stands in line; what it says of
names is what the text shows: which the lines read, and which of those that they set are read later.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from cord.source.scope import bound_names, own_nodes

LEAST_SHARE = 0.5  # of the looks, in one loop
_MOST_OF = 0.9  # of the looks at a loop's body that its hot lines have
_LOOPS = (ast.For, ast.AsyncFor, ast.While)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_DEFINITIONS = (*_FUNCTIONS, ast.ClassDef, ast.Import, ast.ImportFrom)
CHANGERS = frozenset("append add extend insert update appendleft setdefault".split())


@dataclass(frozen=True, slots=True)
class Hot:
    """A loop that takes most of the time.

    Attributes:
        line: Where it begins.
        share: How much of the time it takes.
        first: The first of the lines in it that take the time.
        last: The last of them.
        takes: What a function of these lines would be given.
        gives: What it would return.
        carried: What they need of the turn before; empty if nothing is seen.
        loops: Whether there is a loop among them, so that one turn may take some time.
    """

    line: int
    share: float
    first: int
    last: int
    takes: tuple[str, ...]
    gives: tuple[str, ...]
    carried: tuple[str, ...]
    loops: bool


def hot_loop(source: str, counts: dict[int, int], total: int) -> Hot | None:
    """The loop of a file whose turns are worth a function.

    Of loops in one another, also by way of functions, the outermost whose turns need nothing of one
    another; where all do, the outermost. A loop has every look that one inside it has.

    Args:
        source: The file's text.
        counts: In how many looks each line was under way.
        total: How many looks there were.
    """
    tree = ast.parse(source)
    found = []
    for scope in _scopes(tree):
        for node in own_nodes(scope):
            if isinstance(node, _LOOPS):
                share = _within(counts, node.body) / max(1, total)
                if share >= LEAST_SHARE:
                    found.append(_hot(tree, scope, node, counts, share))
    found.sort(key=lambda hot: (-hot.share, hot.line))
    return next((hot for hot in found if not hot.carried), found[0] if found else None)


def _scopes(tree: ast.Module) -> Iterator[ast.Module | ast.FunctionDef | ast.AsyncFunctionDef]:
    yield tree
    for node in ast.walk(tree):
        if isinstance(node, _FUNCTIONS):
            yield node


def _within(counts: dict[int, int], body: list[ast.stmt]) -> int:
    first, last = body[0].lineno, body[-1].end_lineno or body[-1].lineno
    return sum(count for line, count in counts.items() if first <= line <= last)


def _hot(
    tree: ast.Module,
    scope: ast.AST,
    loop: ast.For | ast.AsyncFor | ast.While,
    counts: dict[int, int],
    share: float,
) -> Hot:
    lines = _hot_statements(loop.body, counts)
    first = loop.body.index(lines[0])
    built = _changed(lines) | _added_up(lines)
    while any(names_set([one]) & built for one in loop.body[:first]):  # where it is begun, too
        first -= 1
        lines = [loop.body[first], *lines]
    before = loop.body[:first]
    variables = _variables(tree, scope)
    made = names_set(before) | (
        _names(loop.target) if isinstance(loop, (ast.For, ast.AsyncFor)) else set()
    )
    added = _added_up(lines)
    read = [name for name in read_first(lines) if name in variables - added]
    set_here, changed = names_set(lines), _changed(lines)
    set_in_turn = names_set(loop.body) | _changed(loop.body)
    carried = [name for name in read if name in set_in_turn and name not in made | changed]
    carried += [name for name in read if name in changed and _is_looked_at(lines, name)]
    outside = _read_outside(scope, lines)
    gives = sorted((set_here & outside) | (changed & variables - set_here))
    nodes = [node for one in lines for node in ast.walk(one)]
    return Hot(
        loop.lineno,
        min(1.0, share),
        lines[0].lineno,
        lines[-1].end_lineno or lines[-1].lineno,
        tuple(name for name in read if name not in changed),
        tuple(gives),
        tuple(dict.fromkeys(carried)),
        any(isinstance(node, (*_LOOPS, ast.comprehension)) for node in nodes),
    )


def _hot_statements(body: list[ast.stmt], counts: dict[int, int]) -> list[ast.stmt]:
    """The fewest statements in a row that have most of the looks."""
    weights = [_within(counts, [one]) for one in body]
    enough = _MOST_OF * sum(weights)
    for length in range(1, len(body) + 1):
        for first in range(len(body) - length + 1):
            if sum(weights[first : first + length]) >= enough:
                return body[first : first + length]
    return body


def _variables(tree: ast.Module, scope: ast.AST) -> set[str]:
    """The names of values that a scope works on: no functions, classes and modules."""
    if scope is not tree:
        return bound_names(scope)
    fixed: set[str] = set()
    for node in own_nodes(tree):
        if isinstance(node, _DEFINITIONS):
            fixed |= bound_names(ast.Module([node], []))
    return bound_names(tree) - fixed


def _names(node: ast.AST) -> set[str]:
    return {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}


def names_set(body: list[ast.stmt]) -> set[str]:
    """The names that lines bind."""
    return bound_names(ast.Module(body, []))


def _changed(body: list[ast.stmt]) -> set[str]:
    """The names of containers in which something is put."""
    found = set()
    for node in (node for one in body for node in ast.walk(one)):
        base: ast.expr | None = None
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store):
            base = node.value
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            base = node.func.value if node.func.attr in CHANGERS else None
        while isinstance(base, ast.Subscript):
            base = base.value
        if isinstance(base, ast.Name):
            found.add(base.id)
    return found - names_set(body)


def _added_up(body: list[ast.stmt]) -> set[str]:
    """The names of variables that lines only add something to."""
    nodes = [node for one in body for node in ast.walk(one)]
    found = {
        node.target.id
        for node in nodes
        if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name)
    }
    return found - {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}


def _is_looked_at(body: list[ast.stmt], name: str) -> bool:
    """Whether a container that lines change is also read by them."""
    reads = 0
    for node in (node for one in body for node in ast.walk(one)):
        reads += isinstance(node, ast.Name) and node.id == name
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store):
            reads -= name in _base_of(node)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            reads -= node.func.attr in CHANGERS and name in _base_of(node.func.value)
    return reads > 0


def _base_of(node: ast.expr) -> set[str]:
    while isinstance(node, ast.Subscript):
        node = node.value
    return {node.id} if isinstance(node, ast.Name) else set()


def read_first(body: list[ast.stmt]) -> list[str]:
    """The names that lines read, unless they have set them before, as far as the order tells."""
    found: dict[str, bool] = {}
    for one in body:
        _note_reads(one, found)
    return [name for name, read in found.items() if read]


def _note_reads(node: ast.AST, found: dict[str, bool]) -> None:
    """Note of each name whether it is read first; values come before targets, as they are run."""
    if isinstance(node, ast.Name):
        found.setdefault(node.id, isinstance(node.ctx, ast.Load))
        return
    parts = list(ast.iter_child_nodes(node))
    if isinstance(node, ast.AugAssign):
        for name in _names(node.target):
            found.setdefault(name, True)
    if isinstance(node, (ast.Assign, ast.AnnAssign, ast.NamedExpr, ast.For, ast.comprehension)):
        value = node.iter if isinstance(node, (ast.For, ast.comprehension)) else node.value
        parts.sort(key=lambda part: part is not value)
    if isinstance(node, (ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp)):
        parts.sort(key=lambda part: not isinstance(part, ast.comprehension))
    for part in parts:
        _note_reads(part, found)


def _read_outside(scope: ast.AST, body: list[ast.stmt]) -> set[str]:
    """The names that a scope reads elsewhere than in some of its lines."""
    inside = {id(node) for one in body for node in ast.walk(one)}
    names = (node for node in ast.walk(scope) if isinstance(node, ast.Name))
    return {n.id for n in names if isinstance(n.ctx, ast.Load) and id(n) not in inside}
