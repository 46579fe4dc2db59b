"""Who reads a global, as far as the project's text tells."""

from __future__ import annotations

import ast
import os
from collections.abc import Iterator
from typing import Any

from cord.tools.verify.main_script import MAIN
from cord.tools.verify.state import Path, own_modules

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_FORGETS = frozenset(("clear", "cache_clear"))


def reader_of(path: Path, reached: set[tuple[str, int]], main_path: str) -> str | None:
    """A place, besides some functions, that reads a global; None if there is none.

    Args:
        path: The global.
        reached: The functions, by file and first line.
        main_path: The main script's file.
    """
    module, name, part = path
    files = {str(one.__file__): one.__name__ for one in own_modules() if hasattr(one, "__file__")}
    files[main_path] = MAIN
    wanted = part or name
    for file, here in files.items():
        tree = _parsed(file)
        if tree is None:
            continue
        known = {name} if here == module else _imported(tree, module, name)
        for node, line in _outside(tree, file, reached, here == module != MAIN):
            if _reads(node, known, wanted, bool(part)):
                return f"{os.path.basename(file)}:{line}"
    return None


def _parsed(file: str) -> ast.Module | None:
    try:
        with open(file, "rb") as source:
            return ast.parse(source.read())
    except (OSError, SyntaxError, ValueError):
        return None


def _imported(tree: ast.Module, module: str, name: str) -> set[str]:
    """The names under which another module is known, or what it has."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {one.asname or one.name for one in node.names if one.name == module}
        elif isinstance(node, ast.ImportFrom):
            for one in node.names:
                whole = f"{node.module or ''}.{one.name}".lstrip(".")
                if one.name == name or whole == module or module.endswith(f".{whole}"):
                    found.add(one.asname or one.name)
    return found


def _outside(
    tree: ast.Module, file: str, reached: set[tuple[str, int]], is_home: bool
) -> Iterator[tuple[ast.AST, int]]:
    """The nodes that are not part of these functions; at home, not of the module's own lines."""
    stack: list[tuple[Any, bool]] = [(node, False) for node in tree.body]
    while stack:
        node, inside = stack.pop()
        if isinstance(node, _FUNCTIONS):
            first = min([node.lineno, *(one.lineno for one in node.decorator_list)])
            if (file, first) in reached:
                continue
            inside = True
        if (inside or not is_home) and hasattr(node, "lineno"):
            yield node, node.lineno
        for child in ast.iter_child_nodes(node):
            if not (isinstance(child, ast.Attribute) and child.attr in _FORGETS):
                stack.append((child, inside))


def _reads(node: ast.AST, known: set[str], wanted: str, is_part: bool) -> bool:
    if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
        return node.attr == wanted and ast.unparse(node).partition(".")[0] in _heads(known)
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and not is_part:
        return node.id == wanted and node.id in known
    return False


def _heads(known: set[str]) -> set[str]:
    return {name.partition(".")[0] for name in known}
