"""Lowering of what reads no further than to an element that decides: `any`, `all`, `next` and `in`.

Over remote calls these are loops with a `break`.
"""

from __future__ import annotations

import ast
from collections.abc import Callable

from cord.source.targets import as_load
from cord.translate.lower import streams
from cord.translate.sites.project import Meaning

from .tree import Assign, Exit, If, Node

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .expressions import Expressions

_KINDS = frozenset({"any", "all", "next"})


def searched(low: Expressions, node: ast.Call, meaning: Meaning | None) -> ast.expr | None:
    """The result of such a call, lowered; None if it is something else."""
    if meaning is None or meaning.kind != "builtin" or meaning.name not in _KINDS:
        return None
    most = 2 if meaning.name == "next" else 1
    if node.keywords or not 1 <= len(node.args) <= most or not _calls(low, node.args[0]):
        return None
    result = low.temporary(node)
    start: ast.expr = ast.Constant(meaning.name == "all")
    if meaning.name == "next" and len(node.args) > 1:
        start = low.expr(node.args[1])
    elif meaning.name == "next":
        start = low.unknown(node, "next() finds nothing")
    low.out.append(Assign(node.lineno, result, start))

    def look(value: ast.expr, over: list[Node]) -> list[Node]:
        if meaning.name == "next":
            return [Assign(node.lineno, result, value), *over]
        ends = [Assign(node.lineno, result, ast.Constant(meaning.name == "any")), *over]
        body, orelse = (ends, []) if meaning.name == "any" else ([], ends)
        return [If(node.lineno, value, body, orelse)]

    _search(low, node.args[0], look)
    return as_load(result)


def contained(low: Expressions, node: ast.Compare) -> ast.expr | None:
    """Whether a value is among those that are made one by one, lowered."""
    if len(node.ops) != 1 or not isinstance(node.ops[0], (ast.In, ast.NotIn)):
        return None
    if not _calls(low, node.comparators[0]):
        return None
    wanted = low.expr(node.left)
    result = low.temporary(node)
    inside = isinstance(node.ops[0], ast.In)
    found, absent = ast.Constant(inside), ast.Constant(not inside)
    low.out.append(Assign(node.lineno, result, absent))

    def look(value: ast.expr, over: list[Node]) -> list[Node]:
        test = ast.copy_location(ast.Compare(value, [ast.Eq()], [wanted]), node)
        return [If(node.lineno, test, [Assign(node.lineno, result, found), *over], [])]

    _search(low, node.comparators[0], look)
    return as_load(result)


def _calls(low: Expressions, walked: ast.expr) -> bool:
    """Whether the elements are made one by one, with calls that a scout makes."""
    if isinstance(walked, ast.Name) and walked.id in low.lazies:
        walked = low.lazies[walked.id]
    if not isinstance(walked, ast.GeneratorExp) and not streams.is_lazy(low, walked):
        return False
    return any(part in low.found.site_of for part in ast.walk(walked))


def _search(
    low: Expressions, walked: ast.expr, look: Callable[[ast.expr, list[Node]], list[Node]]
) -> None:
    """The loop; `look` gives what is done with an element and, if that decides, to end the loop."""
    end: Node = Exit(walked.lineno, "break")
    if not isinstance(walked, ast.GeneratorExp):
        item = low.temporary(walked)
        source = streams.source(low, walked)
        assert source is not None
        streams.walk(low, source, item, look(as_load(item), [end]), [])
        return
    saved = dict(low.renamed)
    over = None  # tells the outer loops that the inner one has found something
    ends = [end]
    if len(walked.generators) > 1:
        over = low.temporary(walked)
        low.out.append(Assign(walked.lineno, over, ast.Constant(False)))
        ends = [Assign(walked.lineno, over, ast.Constant(True)), end]

    def element() -> None:
        low.out.extend(look(low.expr(walked.elt), ends))

    low.generators(walked, 0, element, over)
    low.renamed = saved
