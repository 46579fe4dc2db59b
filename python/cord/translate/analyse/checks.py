"""Calls that raise exceptions: a loop may end there as it may end at a `break`."""

from __future__ import annotations

import ast
from collections.abc import Collection

from cord.translate.lower.tree import Call, Exit, For, If, Node, Try, While, blocks


def checked(block: list[Node], raising: Collection[int]) -> list[Node]:
    """A block with a condition behind each call that may end the loop it stands in.

    Args:
        block: Changed where blocks inside of it are.
        raising: The sites of calls that raise exceptions.
    """
    return _checked(block, raising, False) if raising else block


def _checked(block: list[Node], raising: Collection[int], ends: bool) -> list[Node]:
    """`ends` tells whether an exception would end a loop."""
    out: list[Node] = []
    for node in block:
        out.append(node)
        if isinstance(node, Call) and node.site in raising and ends:
            out.append(_condition(node))
        _check_inside(node, raising, ends)
    return out


def _check_inside(node: Node, raising: Collection[int], ends: bool) -> None:
    if isinstance(node, Try):
        node.body[:] = _checked(node.body, raising, ends and not node.handlers)
        inside = [*(handler.body for handler in node.handlers), node.orelse, node.final]
    elif isinstance(node, (For, While)):
        turns = [node.first or [], node.body, *([node.pre] if isinstance(node, While) else [])]
        for block in turns:
            block[:] = _checked(block, raising, True)
        inside = [node.orelse]
    else:
        inside = blocks(node)
    for block in inside:
        block[:] = _checked(block, raising, ends)


def _condition(call: Call) -> If:
    """An exit that is never taken, for all that a scout knows: to look at the value raises."""
    value = ast.Name(call.result, ast.Load())
    never = ast.Compare(value, [ast.IsNot()], [value])
    return If(call.line, never, [Exit(call.line, "raise")], [])
