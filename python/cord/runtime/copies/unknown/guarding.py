"""Statements of a function with handlers: one that hangs on what is not known is passed by."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from .rests import LOSE, LOST, PASSES, UNKNOWN

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    _Place = ast.Name | ast.Attribute | ast.Subscript

_AS_THEY_ARE = (
    *(ast.Import, ast.ImportFrom, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef),
    *(ast.Pass, ast.Break, ast.Continue, ast.Raise),
)
SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_TARGETS = (ast.Name, ast.Attribute, ast.Subscript)


class Guards:
    """The statements of one function, or module, each made once.

    What is made refers to parts of the text, and is located in it: it is never changed.

    Args:
        own: The function's variables; None of a module.
    """

    def __init__(self, own: set[str] | None) -> None:
        self._own = own
        self._guarded: dict[tuple[ast.stmt, str], ast.stmt] = {}
        self._lost: dict[ast.stmt, list[ast.stmt]] = {}

    def guarded(self, statement: ast.stmt, catches: str = UNKNOWN) -> ast.stmt:
        """A statement that is passed by if something is not known."""
        key = statement, catches
        if key not in self._guarded:
            self._guarded[key] = self._guard(statement, catches)
        return self._guarded[key]

    def all(self, block: list[ast.stmt], catches: str = UNKNOWN) -> list[ast.stmt]:
        """The same of several."""
        return [self.guarded(one, catches) for one in block]

    def handled(self, made: ast.stmt, statement: ast.stmt, catches: str = UNKNOWN) -> ast.stmt:
        """What was made of a statement, passed by as that is."""
        instead = self.lost(statement) or [ast.Pass()]
        handler = ast.ExceptHandler(name_of(catches), None, instead)
        guarded = ast.Try([made], [handler], [], [])
        locate(guarded, statement)
        return guarded

    def lost(self, statement: ast.stmt) -> list[ast.stmt]:
        """What is done in place of a statement: all that it sets is lost."""
        if statement not in self._lost:
            self._lost[statement] = [*self._losses(statement)]
            for one in self._lost[statement]:
                locate(one, statement)
        return self._lost[statement]

    def _guard(self, statement: ast.stmt, catches: str) -> ast.stmt:
        if isinstance(statement, (ast.Global, ast.Nonlocal)):
            return ast.copy_location(ast.Pass(), statement)  # they stand at the beginning
        if isinstance(statement, _AS_THEY_ARE):
            return statement
        made = _copied(statement)
        if isinstance(made, ast.Try):
            made.body = self.all(made.body, PASSES if made.handlers else catches)
            made.handlers = [self._with_body(one, catches) for one in made.handlers]
            made.orelse = self.all(made.orelse, catches)
            made.finalbody = self.all(made.finalbody, catches)
        elif isinstance(made, (ast.If, ast.For, ast.While)):
            made.body = self.all(made.body, catches)
            made.orelse = self.all(made.orelse, catches)
        elif isinstance(made, ast.With):
            made.body = self.all(made.body, catches)
        elif isinstance(made, ast.Match):
            made.cases = [self._with_body(one, catches) for one in made.cases]
        return self.handled(made, statement, catches)

    def _with_body(self, part: Any, catches: str) -> Any:
        made = _copied(part)
        made.body = self.all(part.body, catches)
        return made

    def _losses(self, statement: ast.stmt) -> Iterator[ast.stmt]:
        if isinstance(statement, ast.Return):
            yield ast.Return(name_of(LOST))
            return
        for target in _targets(statement):
            assign = ast.Assign([target], name_of(LOST))
            if isinstance(target, ast.Name):
                yield assign
            else:
                yield _if_possible(assign, self._losing_owner(target))
        for changed, method in _changed(statement):
            yield self._losing(changed, method)
        for asked in _asked(statement):
            yield self._losing(asked, None)

    def _losing(self, owner: _Place, method: str | None) -> ast.stmt:
        """What a name, an attribute or an item leads to is not known any more, if it can change.

        Args:
            owner: That.
            method: What was called of it, for nothing else; None: something, for what that gives.
        """
        target: ast.expr = _for(owner, ast.Store())
        if isinstance(owner, ast.Name) and self._own is not None and owner.id not in self._own:
            home = ast.Call(name_of("globals"), [], [])
            target = ast.Subscript(home, ast.Constant(owner.id), ast.Store())
        value = ast.Call(name_of(LOSE), [_for(owner, ast.Load()), ast.Constant(method)], [])
        return _if_possible(ast.Assign([target], value), self._losing_owner(owner))

    def _losing_owner(self, target: ast.expr) -> list[ast.stmt]:
        """What is lost where the key of an item is not known."""
        if isinstance(target, ast.Subscript) and isinstance(target.value, _TARGETS):
            return [self._losing(target.value, "")]
        return []


def _for(place: _Place, context: ast.expr_context) -> _Place:
    made: _Place = _copied(place)
    made.ctx = context
    return made


def _if_possible(statement: ast.stmt, instead: list[ast.stmt]) -> ast.stmt:
    handler = ast.ExceptHandler(name_of("BaseException"), None, instead or [ast.Pass()])
    return ast.Try([statement], [handler], [], [])


def _changed(node: ast.AST) -> Iterator[tuple[_Place, str]]:
    """What a statement may change by calling a method of it, for nothing else; and which one."""
    match node:
        case ast.Expr(
            ast.Call(ast.Attribute(ast.Name() | ast.Attribute() | ast.Subscript() as owner, method))
        ):
            yield owner, method
        case ast.stmt() if not isinstance(node, SCOPES):
            for child in ast.iter_child_nodes(node):
                yield from _changed(child)
        case ast.ExceptHandler() | ast.match_case():
            for child in node.body:
                yield from _changed(child)


def _asked(node: ast.AST) -> Iterator[_Place]:
    """What a statement calls methods of for what they give, or `next`: it may be another then."""
    match node:
        case ast.Expr(ast.Call(ast.Attribute(), args, keywords)):
            for child in (*args, *keywords):
                yield from _asked(child)
            return
        case ast.Call(ast.Attribute(ast.Name() | ast.Attribute() | ast.Subscript() as owner)):
            yield owner
        case ast.Call(ast.Name("next"), [ast.Name() | ast.Attribute() as owner, *_]):
            yield owner
    if not isinstance(node, (*SCOPES, *_COMPREHENSIONS)):
        for child in ast.iter_child_nodes(node):
            yield from _asked(child)


def _targets(node: ast.AST) -> Iterator[_Place]:
    """What a statement sets: names, attributes and items; what it adds to is lost as well."""
    if isinstance(node, (*SCOPES, *_COMPREHENSIONS)):
        return
    if isinstance(getattr(node, "ctx", None), ast.Store) and isinstance(node, _TARGETS):
        yield node
    for child in ast.iter_child_nodes(node):
        yield from _targets(child)


def _copied(node: Any) -> Any:
    """One that is like a node: `copy.copy` asks in copies whether that is known."""
    made: Any = ast.AST.__new__(type(node))  # without what its `__init__` asks for
    vars(made).update(vars(node))
    return made


def name_of(name: str) -> ast.Name:
    """A name that is read."""
    return ast.Name(name, ast.Load())


def locate(node: ast.AST, place: ast.stmt) -> None:
    """Have what was made stand where a statement does, but for parts that stand somewhere."""
    if "lineno" in node._attributes:
        ast.copy_location(node, place)
    for child in ast.iter_child_nodes(node):
        if not hasattr(child, "lineno"):
            locate(child, place)
