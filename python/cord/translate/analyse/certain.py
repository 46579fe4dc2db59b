"""Whether the program is certain to make a call, and to make it as the scout would.

A call with effects is issued ahead only then. From such a call on, nothing but its exception keeps
the program from going on, and of that the user says that it does not count. Certainty ends where
the scout passes something by, where results decide or may fail, and at every call that may raise
an exception. What shows only at run time (code of the program's that an operation runs, an iterator
that others read, an exception that the scout itself catches) ends it then: see `Run.doubt`.
"""

from __future__ import annotations

import ast

from cord.translate.lower.tree import Assign, Call, Mutate, Node, Opaque, Store

from .report import Reason, called


def doubt_behind(
    node: Node, passed: Reason | None, deferred: bool, committed: bool
) -> Reason | None:
    """Why the program may not go on as a scout does behind a node, the nodes inside it left out.

    Args:
        node: The node.
        passed: Why the scout does not do it; None if it does.
        deferred: Whether it waits for results.
        committed: Whether it is a call with effects that is issued.
    """
    match node:
        case Opaque():
            return Reason(node.line, node.reason)
        case Call() if not committed and (node.helper or passed is None):
            return Reason(node.line, f"{called(node.callee)} is called before")
        case Store():
            return Reason(node.line, "something else is done here")
    if deferred:
        return Reason(node.line, "a result is looked at before")
    return None if passed is None or _cannot_fail(node) else passed


def _cannot_fail(node: Node) -> bool:
    """Whether a node does nothing but keep what a comprehension gives."""
    if isinstance(node, Assign):
        names = isinstance(node.target, ast.Name) and isinstance(node.value, ast.Name)
        return names and node.value.id.startswith(":")  # type: ignore[attr-defined]
    return isinstance(node, Mutate) and node.fresh


def why_not(
    node: Call, doubt: Reason | None, waits: Reason | None, handling: bool
) -> Reason | None:
    """Why a call with effects is not issued ahead; None if it is.

    Args:
        node: The call.
        doubt: Why the program may not come here.
        waits: The result that its arguments wait for; None if there is none.
        handling: Whether it stands in a handler of exceptions.
    """
    if handling:
        doubt = Reason(node.line, "it stands where an exception is handled")
    elif not node.last:
        doubt = Reason(node.line, "it is a part of a larger expression")
    doubt = waits or doubt
    if doubt is None or not doubt.line:
        return doubt
    return Reason(
        doubt.line, f"{doubt.text}, so it is not certain that the program makes this call"
    )
