"""Small questions about expressions and assignment targets."""

from __future__ import annotations

import ast


def access_path(node: ast.expr) -> str | None:
    """`a.b[i].c` → `a.b`: the longest chain of names at the root of an expression, if any."""
    parts: list[str] = []
    while True:
        if isinstance(node, ast.Name):
            parts.append(node.id)
            return ".".join(reversed(parts))
        if isinstance(node, ast.Attribute):
            parts.append(node.attr)
            node = node.value
        elif isinstance(node, ast.Subscript):
            parts.clear()
            node = node.value
        else:
            return None


def leaves(target: ast.expr) -> list[ast.expr]:
    """The names, attributes and subscripts that an assignment target consists of."""
    if isinstance(target, (ast.Tuple, ast.List)):
        return [leaf for part in target.elts for leaf in leaves(part)]
    if isinstance(target, ast.Starred):
        return leaves(target.value)
    return [target]


def as_load(node: ast.expr) -> ast.expr:
    """Read what an assignment target names."""
    if isinstance(node, ast.Name):
        return ast.copy_location(ast.Name(node.id, ast.Load()), node)
    if isinstance(node, ast.Attribute):
        return ast.copy_location(ast.Attribute(node.value, node.attr, ast.Load()), node)
    assert isinstance(node, ast.Subscript)
    return ast.copy_location(ast.Subscript(node.value, node.slice, ast.Load()), node)


def text_of(node: ast.expr) -> str:
    """An expression as source text."""
    return ast.unparse(node)
