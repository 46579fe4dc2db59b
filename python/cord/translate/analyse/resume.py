"""What is left of a region after one of its calls: where a scout that is born there goes on.

The result is a region of the same language. A loop around the call appears once, with the rest of
the iteration that the program is in as its `first` part.
"""

from __future__ import annotations

from cord import stdlib
from cord.translate.lower.tree import (
    Call,
    Exit,
    For,
    If,
    Match,
    Node,
    Try,
    While,
    blocks,
    walk,
)


def rest_after(block: list[Node], site: int) -> list[Node] | None:
    """The nodes that may run after a call, or None if it is not in the block."""
    for index, node in enumerate(block):
        if _is_at(node, site):
            return copies(block[index + 1 :])
        if any(_holds(inner, site) for inner in blocks(node)):
            return [*_rest_inside(node, site), *copies(block[index + 1 :])]
    return None


def _rest_inside(node: Node, site: int) -> list[Node]:
    match node:
        case If():
            return rest_after(node.body, site) or rest_after(node.orelse, site) or []
        case For():
            if not _holds(node.body, site):
                return rest_after(node.orelse, site) or []
            loop = _copy(node)
            assert isinstance(loop, For)
            loop.first = rest_after(node.body, site) or []
            loop.source = copies(node.source)
            return [loop]
        case While():
            return _rest_of_while(node, site)
        case Try():
            return _rest_of_try(node, site)
        case Match():
            for case in node.cases:
                if _holds(case.body, site):
                    return rest_after(case.body, site) or []
    return []


def _rest_of_while(node: While, site: int) -> list[Node]:
    if _holds(node.orelse, site):
        return rest_after(node.orelse, site) or []
    loop = _copy(node)
    assert isinstance(loop, While)
    if _holds(node.pre, site):
        ending = [*copies(node.orelse), Exit(node.line, "break")]
        test = If(node.line, node.test, copies(node.body), ending)
        loop.first = [*(rest_after(node.pre, site) or []), test]
    else:
        loop.first = rest_after(node.body, site) or []
    return [loop]


def _rest_of_try(node: Try, site: int) -> list[Node]:
    if _holds(node.body, site):
        left = _copy(node)
        assert isinstance(left, Try)
        left.body = rest_after(node.body, site) or []
        return [left]
    for handler in node.handlers:
        if _holds(handler.body, site):
            return [*(rest_after(handler.body, site) or []), *copies(node.final)]
    if _holds(node.orelse, site):
        return [*(rest_after(node.orelse, site) or []), *copies(node.final)]
    return rest_after(node.final, site) or []


def _holds(block: list[Node], site: int) -> bool:
    return any(_is_at(node, site) for node in walk(block))


def _is_at(node: Node, site: int) -> bool:
    return isinstance(node, Call) and node.site == site


def copies(block: list[Node]) -> list[Node]:
    """Copies of the nodes of a block and of those inside."""
    return [_copy(node) for node in block]


def _copy(node: Node) -> Node:
    """A copy of a node and the nodes inside; expressions are shared, as nothing changes them."""
    new: Node = stdlib.copy.copy(node)
    match new:
        case If():
            new.body, new.orelse = copies(new.body), copies(new.orelse)
        case For() | While():
            new.body, new.orelse = copies(new.body), copies(new.orelse)
            if isinstance(new, While):
                new.pre = copies(new.pre)
            if new.first is not None:
                new.first = copies(new.first)
        case Try():
            new.body, new.orelse = copies(new.body), copies(new.orelse)
            new.final = copies(new.final)
            new.handlers = [stdlib.copy.copy(handler) for handler in new.handlers]
            for handler in new.handlers:
                handler.body = copies(handler.body)
        case Match():
            new.cases = [stdlib.copy.copy(case) for case in new.cases]
            for case in new.cases:
                case.body = copies(case.body)
    return new
