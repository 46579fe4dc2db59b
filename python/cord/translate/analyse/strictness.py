"""What only passes values on without looking at them, so that they need not be there yet."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from cord.knowledge.functions import MAKER_NAMES
from cord.knowledge.methods import FRONT_NAMES, GROWER_NAMES, KEEPER_NAMES
from cord.translate.lower.access_paths import reads
from cord.translate.lower.tree import Assign, For, Mutate, Node, blocks, defined, walk

from .facts import Facts
from .report import Reason


def is_moved(node: Assign, facts: Facts) -> bool:
    """Whether an assignment looks at none of the values that are pending."""
    whole = not isinstance(node.target, (ast.Tuple, ast.List))
    if not whole and not isinstance(node.value, (ast.Tuple, ast.List)):
        return False
    if not whole and len(list(elements_of(node))) != len(node.value.elts):  # type: ignore[attr-defined]
        return False
    return _is_moved(node.value, facts)


def keeps_value(node: Mutate, facts: Facts) -> bool:
    """Whether a change of a container only puts a pending value into it."""
    if node.method not in KEEPER_NAMES or node.keywords:
        return False
    *others, kept = node.args
    return not any(facts.waits(reads(other)) for other in others) and _is_moved(kept, facts)


def _is_moved(value: ast.expr, facts: Facts) -> bool:
    if isinstance(value, (ast.Name, ast.Attribute)):
        return isinstance(value, ast.Name) or not facts.waits(reads(value.value))
    if isinstance(value, (ast.Tuple, ast.List)):
        return all(_is_moved(part, facts) for part in value.elts)
    if isinstance(value, ast.Dict):
        keys = [key for key in value.keys if key is not None]
        if len(keys) < len(value.keys) or any(facts.waits(reads(key)) for key in keys):
            return False
        return all(_is_moved(part, facts) for part in value.values)
    return not facts.waits(reads(value))


def works_at_front(node: Mutate) -> bool:
    """Whether a change of a container is the same whatever may have been added at its end."""
    if node.method == "pop":
        return len(node.args) == 1 and ast.unparse(node.args[0]) == "0"
    return node.method in FRONT_NAMES


def grown_names(nodes: Iterable[Node]) -> frozenset[str]:
    """Names of containers that these nodes at most add to at the end."""
    changes: dict[str, set[str]] = {}
    other: set[str] = set()
    for node in nodes:
        if isinstance(node, Mutate) and node.path is None:
            changes.setdefault(node.name, set()).add(node.method)
        else:
            other.update(defined([node]))
    return frozenset(n for n, methods in changes.items() if methods <= GROWER_NAMES) - other


def grown_in(node: Node) -> frozenset[str]:
    """Names of containers to which a compound node at most adds at the end."""
    return grown_names(inner for block in blocks(node) for inner in walk(block))


def changed_in(node: Node) -> frozenset[str]:
    """Names of containers that a compound node changes."""
    inside = (inner for block in blocks(node) for inner in walk(block))
    return frozenset(inner.name for inner in inside if isinstance(inner, Mutate))


def changed_names(nodes: Iterable[Node]) -> frozenset[str]:
    """Names whose objects these nodes change, under that name or one it is passed on to."""
    nodes = list(nodes)
    changed = {node.name for node in nodes if isinstance(node, Mutate)}
    moves = [pair for node in nodes if isinstance(node, Assign) for pair in elements_of(node)]
    before = -1
    while len(changed) != before:
        before = len(changed)
        for name, value in moves:
            if name in changed and isinstance(value, ast.Name):
                changed.add(value.id)
    return frozenset(changed)


def aliases(nodes: Iterable[Node]) -> dict[str, set[str]]:
    """Names that may stand for one object or for parts of it, by each of them."""
    groups: dict[str, set[str]] = {}
    for node in nodes:
        if not isinstance(node, (Assign, For)):
            continue
        for name, value in elements_of(node):
            root = value
            while isinstance(root, ast.Subscript):
                root = root.value
            if isinstance(root, ast.Name) and root.id != name:
                both = groups.get(name, {name}) | groups.get(root.id, {root.id})
                groups.update(dict.fromkeys(both, both))
    return groups


def elements_of(node: Assign | For) -> Iterator[tuple[str, ast.expr]]:
    """The names that are bound, each with the expression that its value is, or comes out of.

    `a, b = c, d` gives a and c, b and d; `for i, x in enumerate(xs)` gives x and xs. Other names
    that are unpacked are left out.
    """
    value = node.value if isinstance(node, Assign) else node.iter
    target = node.target
    if isinstance(node, For):
        yield from _walked(target, value)
    elif isinstance(target, ast.Name):
        yield target.id, value
    elif isinstance(target, (ast.Tuple, ast.List)) and isinstance(value, (ast.Tuple, ast.List)):
        starred = any(isinstance(part, ast.Starred) for part in [*target.elts, *value.elts])
        if len(target.elts) == len(value.elts) and not starred:
            for part, item in zip(target.elts, value.elts, strict=True):
                if isinstance(part, ast.Name):
                    yield part.id, item


def _walked(target: ast.expr, iterable: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    if isinstance(iterable, ast.Name):
        if isinstance(target, ast.Name):
            yield target.id, iterable
        return
    if not isinstance(iterable, ast.Call) or not isinstance(iterable.func, ast.Name):
        return
    match iterable.func.id, iterable.args, target:
        case "reversed" | "list" | "tuple", [inner], _:
            yield from _walked(target, inner)
        case "enumerate", [inner, *_], ast.Tuple(elts=[_, part]):
            yield from _walked(part, inner)
        case "zip", inners, ast.Tuple(elts=parts) if len(inners) == len(parts):
            for part, inner in zip(parts, inners, strict=True):
                yield from _walked(part, inner)


def is_fresh(value: ast.expr, facts: Facts, rebound: tuple[str, ...]) -> bool:
    """Whether an expression makes a new container (or passes on one that only the scout has)."""
    if isinstance(value, (ast.List, ast.Dict, ast.Set)):
        return True
    if isinstance(value, ast.Call):
        name = getattr(value.func, "attr", None) or getattr(value.func, "id", None)
        return name in MAKER_NAMES
    if isinstance(value, ast.Name) and (value.id.startswith(":") or value.id in rebound):
        return value.id in facts.owned
    return False


def behind_strand(node: Node, facts: Facts, inside: Facts | None, reason: Reason) -> Facts:
    """The facts behind a strand, given those before it and at its end."""
    nodes = [inner for block in blocks(node) for inner in walk(block)]
    grown = grown_in(node) & facts.owned
    names = [name for name in defined([node, *nodes]) if name not in grown]
    if inside is None:
        return facts.lose([*names, *grown], reason)
    for name in names:
        facts = facts.await_(name, reason)
    lost = [name for name in inside.unknown if name not in facts.unknown.keys() | grown]
    for name in grown:
        facts = facts.doubt(name, reason)
    return facts.lose(lost, reason)
