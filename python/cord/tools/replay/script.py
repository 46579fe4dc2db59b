"""What the main script defines now, without running it."""

from __future__ import annotations

import ast
import sys
from contextlib import suppress
from types import CodeType
from typing import TYPE_CHECKING

from cord.errors import CordError

if TYPE_CHECKING:
    from collections.abc import Iterator

_DEFINED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


class Script:
    """The definitions of a script: its imports, functions, classes and constants.

    Other names are what they were when a call was made: they come with it.

    Args:
        path: The file.

    Raises:
        CordError: It cannot be read.
    """

    def __init__(self, path: str) -> None:
        self._path = path
        try:
            with open(path, "rb") as file:
                text = file.read()
            self._tree = ast.parse(text, path)
        except (OSError, SyntaxError, ValueError) as exc:
            reason = exc.strerror if isinstance(exc, OSError) else exc
            hint = "calls are made again with the program that has made them: its main file"
            raise CordError(f"{path} cannot be read: {reason}", hint) from None
        self._named = _named_in(compile(text, path, "exec", dont_inherit=True))
        self._once = _bound_once(self._tree)

    def put_in_place(self) -> None:
        """Give `__main__` what the text defines now; what fails there stays as it was."""
        main = vars(sys.modules["__main__"])
        for statement in self._statements(self._tree.body):
            if not self._counts(statement, main):
                continue
            code = compile(ast.Module([statement], []), self._path, "exec", dont_inherit=True)
            with suppress(Exception):  # what it needs comes with no call
                exec(code, main)

    def _statements(self, body: list[ast.stmt]) -> Iterator[ast.stmt]:
        """Those that may define something."""
        for statement in body:
            match statement:
                case ast.Assign() | ast.AnnAssign(value=ast.expr()):
                    yield statement
                case ast.Try() if _imports_only(statement):
                    yield statement
                case ast.Import() | ast.ImportFrom():
                    yield statement
                case _ if isinstance(statement, _DEFINED):
                    yield statement

    def _counts(self, statement: ast.stmt, main: dict[str, object]) -> bool:
        if not isinstance(statement, (ast.Assign, ast.AnnAssign)):
            return True
        names = {node.id for node in _targets(statement) if isinstance(node, ast.Name)}
        assert statement.value is not None
        if _is_literal(statement.value):
            return names <= self._once
        # something that is new, as a compiled pattern: not what was read or computed before
        is_new = names.isdisjoint(main) and bool(names & self._named)
        return is_new and names <= self._once and not self._calls_own(statement.value)

    def _calls_own(self, value: ast.expr) -> bool:
        own = {one.name for one in self._tree.body if isinstance(one, _DEFINED)}
        return any(isinstance(node, ast.Name) and node.id in own for node in ast.walk(value))


def _targets(statement: ast.Assign | ast.AnnAssign) -> list[ast.expr]:
    return statement.targets if isinstance(statement, ast.Assign) else [statement.target]


def _imports_only(statement: ast.Try) -> bool:
    inside = [*statement.body, *statement.orelse, *statement.finalbody]
    inside += [one for handler in statement.handlers for one in handler.body]
    plain = (ast.Import, ast.ImportFrom, ast.Assign, ast.Pass)
    return all(isinstance(one, plain) for one in inside)


def _is_literal(value: ast.expr) -> bool:
    try:
        ast.literal_eval(value)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return False
    return True


def _bound_once(tree: ast.Module) -> frozenset[str]:
    """Names that are bound in one place, so that the text tells what they stand for."""
    bound: list[str] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, (ast.Store, ast.Del)):
            bound.append(node.id)
        elif isinstance(node, ast.Global):
            bound += node.names * 2
    return frozenset(name for name in bound if bound.count(name) == 1)


def _named_in(code: CodeType) -> frozenset[str]:
    """Names that functions and classes of the script use."""
    names: frozenset[str] = frozenset()
    for one in code.co_consts:
        if isinstance(one, CodeType):
            names |= frozenset(one.co_names) | _named_in(one)
    return names
