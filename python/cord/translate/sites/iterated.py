"""Calls whose value is only iterated over: what they give may be read through a buffer.

A buffer between the program and an iterator looks like that iterator to everything that only takes
the next item from it. So it is put where the text shows that nothing else is done: in a `for`, in
what reads or wraps an iterable, or in a variable that stands nowhere but in such places.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from cord.knowledge.functions import find
from cord.knowledge.methods import WALKER_NAMES

from .applied import FRAME_READERS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .project import Meaning

_READING = WALKER_NAMES | {"writelines"}
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.Module)


def iterated_calls(
    tree: ast.Module,
    is_wanted: Callable[[ast.Call], bool],
    meaning_of: dict[ast.Call, Meaning | None],
) -> set[ast.Call]:
    """The calls of one module whose values are only iterated over.

    Args:
        tree: The module.
        is_wanted: Tells which calls to look at.
        meaning_of: The meaning of each call.
    """
    finder = _Finder(tree, meaning_of)
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and is_wanted(node)]
    return {call for call in calls if finder.is_iterated(call)}


def wraps_iterables(meaning: Meaning) -> bool:
    """Whether a call gives an iterator that takes its items from the arguments, one by one."""
    if meaning.kind == "builtin":
        return meaning.name in ("enumerate", "zip")
    return meaning.kind == "library" and meaning.module == "itertools"


def is_next(node: ast.Call, meaning: Meaning | None) -> bool:
    """Whether a call takes one item from an iterator."""
    named = meaning is not None and meaning.kind == "builtin" and meaning.name == "next"
    return named and bool(node.args) and not isinstance(node.args[0], ast.Starred)


class _Finder:
    def __init__(self, tree: ast.Module, meaning_of: dict[ast.Call, Meaning | None]) -> None:
        self.meaning_of = meaning_of
        self.parents: dict[ast.AST, ast.AST] = {}
        self.following: set[str] = set()
        for node in ast.walk(tree):
            for child in ast.iter_child_nodes(node):
                self.parents[child] = node

    def is_iterated(self, node: ast.expr) -> bool:
        """Whether the value of an expression goes nowhere but into iterations."""
        parent = self.parents[node]
        match parent:
            case ast.For() | ast.comprehension():
                return parent.iter is node
            case ast.Starred():
                return isinstance(parent.ctx, ast.Load)
            case ast.Compare(ops=[ast.In() | ast.NotIn()]):
                return parent.left is not node
            case ast.Call():
                return node in parent.args and self.reads(parent, node)
            case ast.Assign(targets=[ast.Name(id=name)]):
                return self.is_variable_iterated(name, parent, None)
            case ast.Assign(targets=[ast.Tuple() | ast.List()]):
                return True
            case ast.withitem(optional_vars=ast.Name(id=name)):
                block = self.parents[parent]
                return self.is_variable_iterated(name, block, block)
        return False

    def reads(self, call: ast.Call, argument: ast.expr) -> bool:
        """Whether a call only takes items from an argument."""
        meaning = self.meaning_of.get(call)
        if meaning is None or meaning.kind not in ("builtin", "library"):
            return isinstance(call.func, ast.Attribute) and call.func.attr in _READING
        if (meaning.kind, meaning.name) == ("builtin", "iter"):  # gives what it is given
            return len(call.args) == 1 and self.is_iterated(call)
        row = find(meaning.of_library)
        return row is not None and row.walks is not None and argument in call.args[row.walks]

    def is_variable_iterated(self, name: str, at: ast.AST, inside: ast.AST | None) -> bool:
        """Whether every place that reads a variable, `inside` a node if given, iterates over it."""
        if name in self.following:  # it is bound to what is read from itself
            return True
        self.following.add(name)
        found = self.are_all_iterated(name, at, inside)
        self.following.discard(name)
        return found

    def are_all_iterated(self, name: str, at: ast.AST, inside: ast.AST | None) -> bool:
        scope = at
        while not isinstance(scope, _SCOPES):
            scope = self.parents[scope]
            if isinstance(scope, ast.ClassDef):
                return False
        for node in ast.walk(scope):
            if isinstance(node, (ast.Global, ast.Nonlocal)) and name in node.names:
                return False
            if not isinstance(node, ast.Name):
                continue
            if node.id in FRAME_READERS:
                return False
            if node.id != name or not isinstance(node.ctx, ast.Load):
                continue
            # behind its `with` block the iterator is closed, and so is the buffer
            counts = inside is None or inside in self.around(node)
            if counts and not self.is_iterated(node):
                return False
        return True

    def around(self, node: ast.AST) -> Iterator[ast.AST]:
        while node in self.parents:
            node = self.parents[node]
            yield node
