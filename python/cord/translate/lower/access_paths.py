"""Which names and attribute paths an expression reads."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from cord.source.scope import prefixes

from .tree import Call, For, If, Match, Mutate, Node, Store, Try, While


def reads(node: ast.AST | None) -> frozenset[str]:
    """Names and dotted paths read; a path that is read as a whole ends in `.*`.

    `f(a.b, c)` reads `f`, `a`, `a.b`, `a.b.*`, `c` and `c.*`.
    """
    if node is None:
        return frozenset()
    return frozenset(_reads(node))


def _reads(node: ast.AST) -> Iterator[str]:
    path = _path(node)
    if path is not None:
        yield from prefixes(path)
        yield path + ".*"
        return
    if isinstance(node, ast.Subscript):
        path = _path(node.value)
        if path is not None:
            yield from prefixes(path)
            yield path + ".*"
            yield from _reads(node.slice)
            return
    for child in ast.iter_child_nodes(node):
        yield from _reads(child)


def is_unknown(read: str, unknown: str) -> bool:
    """Whether what is read under `read` is touched by a change of `unknown`."""
    if read.endswith(".*"):
        base = read[:-2]
        return unknown == base or unknown.startswith(base + ".")
    return read == unknown


def _path(node: ast.AST) -> str | None:
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return None
    parts.append(node.id)
    return ".".join(reversed(parts))


def node_reads(node: Node) -> frozenset[str]:
    """What a node reads itself, the nodes inside it left out."""
    match node:
        case Mutate():
            return frozenset({node.name}).union(*(reads(argument) for argument in node.args))
        case Call():
            found = [reads(argument) for argument in node.args]
            found += [reads(keyword.value) for keyword in node.keywords]
            return reads(node.func).union(*found)
        case If() | While():
            return reads(node.test)
        case For():
            return reads(node.iter) if node.first is None else frozenset()
        case Match():
            return reads(node.subject).union(*(reads(case.guard) for case in node.cases))
        case Try() | Store():
            return frozenset()
    return reads(getattr(node, "value", None))
