"""Attributes in which there may be containers of results, so that who reads them may have to wait.

An attribute is known by its name alone. What makes it late is seen in the functions that make
remote calls: there a value is a result if it was computed from one.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

from cord.source.scope import target_names
from cord.translate.lower.access_paths import node_reads, reads
from cord.translate.lower.tree import Assign, Call, For, Mutate, Node, walk


def late_attributes(regions: Iterable[list[Node]]) -> frozenset[str]:
    """The attributes into whose containers these regions may put results."""
    found: set[str] = set()
    bodies = [walk(body) for body in regions]
    before = -1
    while before != len(found):
        before = len(found)
        for nodes in bodies:
            _collect(nodes, found)
    return frozenset(found)


def _collect(nodes: list[Node], found: set[str]) -> None:
    results = _results(nodes, found)
    for node in nodes:
        if isinstance(node, Mutate) and node.path is not None:
            kept = frozenset().union(*(reads(argument) for argument in node.args))
            if not results.isdisjoint(kept):
                found.add(node.path.rpartition(".")[2])


def _results(nodes: list[Node], late: set[str]) -> set[str]:
    """The names that results get, directly or by what is computed from them."""
    results: set[str] = set()
    before = -1
    while before != len(results):
        before = len(results)
        for node in nodes:
            match node:
                case Call() if node.site >= 0 or not results.isdisjoint(node_reads(node)):
                    results.add(node.result)
                case Assign():
                    reads_late = isinstance(node.value, ast.Attribute) and node.value.attr in late
                    if reads_late or not results.isdisjoint(reads(node.value)):
                        results.update(target_names(node.target))
                case For() if not results.isdisjoint(reads(node.iter)):
                    results.update(target_names(node.target))
                case Mutate() if not results.isdisjoint(node_reads(node)):
                    results.add(node.name)
                    if node.result is not None:
                        results.add(node.result)
    return results
