"""Which functions of a module can be remote, told from its source.

The rule: a function is remote if the module itself defines it with `def` at its top level, its name
has no leading underscore and stands in `__all__` if there is one, and `only` names it if there is
an `only`. A generator function or a coroutine function stays in the program, decorated or not:
what a call of it gives is bound to the process that made it, and cannot travel.
"""

from __future__ import annotations

import ast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from cord.plan.model import RemotePlan

    Function = ast.FunctionDef | ast.AsyncFunctionDef

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_SCOPES = (*_FUNCTIONS, ast.ClassDef, ast.Lambda)


def public_functions(source_ast: ast.Module, only: Iterable[str] | None) -> list[str]:
    """The names of the functions that are remote, in the order of the source.

    Args:
        source_ast: The parsed source of the module.
        only: The names that the plan narrows the module to, or None.
    """
    outline = Outline(source_ast)
    wanted = None if only is None else set(only)
    return [
        name
        for name, function in outline.functions.items()
        if outline.is_public(name)
        and stays_local(function) is None
        and (wanted is None or name in wanted)
    ]


def remote_functions(source_ast: ast.Module, remote: RemotePlan) -> list[str]:
    """The names of the functions that are remote under a plan.

    A function `main` of the main script is the program itself: it is remote only if it is named.

    Args:
        source_ast: The parsed source of the remote module.
        remote: Its plan.
    """
    names = public_functions(source_ast, remote.only)
    if remote.is_program and remote.only is None:
        names = [name for name in names if name != "main"]
    return names


def stays_local(function: Function) -> str | None:
    """Why calls of `function` cannot travel ("a generator function"), or None."""
    generates = any(isinstance(node, (ast.Yield, ast.YieldFrom)) for node in own_nodes(function))
    if isinstance(function, ast.AsyncFunctionDef):
        return "an asynchronous generator function" if generates else "a coroutine function"
    return "a generator function" if generates else None


def own_nodes(function: Function) -> Iterator[ast.AST]:
    """The nodes of a function's body, without those of functions and classes inside it."""
    stack: list[ast.AST] = list(reversed(function.body))
    while stack:
        node = stack.pop()
        yield node
        if not isinstance(node, _SCOPES):
            stack.extend(reversed(list(ast.iter_child_nodes(node))))


class Outline:
    """What a module binds at its top level.

    Attributes:
        functions: The functions defined with `def`, by name; the last definition counts.
        others: What else the names are: "a class", "imported", "assigned".
        has_star_import: Whether names may come from anywhere.
        exported: The names in `__all__`, or None where there is none that can be read.
    """

    def __init__(self, tree: ast.Module) -> None:
        self.functions: dict[str, Function] = {}
        self.others: dict[str, str] = {}
        self.has_star_import = False
        self.exported: set[str] | None = None
        for statement in _top_level(tree.body):
            self._add(statement)

    def is_public(self, name: str) -> bool:
        """Whether `name` is one that the module shows."""
        return not name.startswith("_") and (self.exported is None or name in self.exported)

    def _add(self, statement: ast.stmt) -> None:
        if isinstance(statement, _FUNCTIONS):
            self.functions[statement.name] = statement
        elif isinstance(statement, ast.ClassDef):
            self.others[statement.name] = "a class"
        elif isinstance(statement, (ast.Import, ast.ImportFrom)):
            for alias in statement.names:
                self.has_star_import |= alias.name == "*"
                self.others[alias.asname or alias.name.partition(".")[0]] = "imported"
        else:
            for name in _assigned(statement):
                self.others[name] = "assigned"
            self._note_exports(statement)

    def _note_exports(self, statement: ast.stmt) -> None:
        if isinstance(statement, ast.Assign):
            targets, value = statement.targets, statement.value
        elif isinstance(statement, (ast.AnnAssign, ast.AugAssign)) and statement.value is not None:
            targets, value = [statement.target], statement.value
        else:
            return
        if not any(isinstance(target, ast.Name) and target.id == "__all__" for target in targets):
            return
        listed = _strings(value)
        if listed is None:
            self.exported = None
        elif isinstance(statement, ast.AugAssign):
            if self.exported is not None:
                self.exported |= listed
        else:
            self.exported = listed


def _top_level(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements that run when the module is imported, those inside `if`, `try`, ... too."""
    for statement in body:
        yield statement
        if isinstance(statement, _SCOPES):
            continue
        for field in ("body", "handlers", "cases", "orelse", "finalbody"):
            for part in getattr(statement, field, ()):
                # A handler or a case is no statement, but holds some.
                yield from _top_level([part] if isinstance(part, ast.stmt) else part.body)


def _assigned(statement: ast.stmt) -> Iterator[str]:
    targets: list[ast.expr] = []
    if isinstance(statement, ast.Assign):
        targets = statement.targets
    elif isinstance(statement, (ast.AnnAssign, ast.AugAssign, ast.For)):
        targets = [statement.target]
    elif isinstance(statement, ast.With):
        targets = [item.optional_vars for item in statement.items if item.optional_vars]
    for target in targets:
        for node in ast.walk(target):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                yield node.id


def _strings(value: ast.expr) -> set[str] | None:
    if not isinstance(value, (ast.List, ast.Tuple, ast.Set)):
        return None
    listed = set()
    for element in value.elts:
        if not (isinstance(element, ast.Constant) and isinstance(element.value, str)):
            return None
        listed.add(element.value)
    return listed
