"""Effects that a function visibly has, read from its source.

What is reported is there; what is not reported may still be: a call into another module is not
followed.
"""

from __future__ import annotations

import ast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from cord.plan.public import Function, Outline

_CALLS = {
    "print": "prints",
    "open": "opens a file",
    "input": "reads standard input",
}
_MUTATORS = frozenset(
    "add append appendleft clear discard extend extendleft insert pop popitem popleft remove "
    "reverse setdefault sort update".split()
)


class Effect:
    """One effect.

    Attributes:
        line: Where it is.
        text: What it is, as the end of a sentence: "writes the global count".
        function: The function of the module that has it.
    """

    __slots__ = ("function", "line", "text")

    def __init__(self, line: int, text: str, function: str) -> None:
        self.line = line
        self.text = text
        self.function = function


def visible_effects(name: str, outline: Outline) -> list[Effect]:
    """The effects of a function and of the module's own functions that it calls.

    Args:
        name: A function that the module defines.
        outline: The module's top level.
    """
    effects: list[Effect] = []
    seen = {name}
    waiting = [name]
    while waiting:
        reader = _Reader(waiting.pop(), outline)
        effects += reader.effects()
        called = [helper for helper in reader.helpers() if helper not in seen]
        seen.update(called)
        waiting += called
    return sorted(effects, key=lambda effect: effect.line)


class _Reader:
    """Reads one function, the functions inside it included."""

    def __init__(self, name: str, outline: Outline) -> None:
        self._name = name
        self._outline = outline
        self._function = outline.functions[name]
        self._declared = {
            name
            for node in ast.walk(self._function)
            if isinstance(node, ast.Global)
            for name in node.names
        }
        self._local = _bound_names(self._function) - self._declared

    def effects(self) -> Iterator[Effect]:
        for statement in self._function.body:
            for node in ast.walk(statement):
                text = self._effect_of(node)
                if text is not None:
                    yield Effect(getattr(node, "lineno", 0), text, self._name)

    def helpers(self) -> Iterator[str]:
        """The functions of the same module that are called by name."""
        for node in ast.walk(self._function):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                name = node.func.id
                if name in self._outline.functions and name not in self._local:
                    yield name

    def _effect_of(self, node: ast.AST) -> str | None:
        if isinstance(node, ast.Name):
            written = isinstance(node.ctx, (ast.Store, ast.Del)) and node.id in self._declared
            return f"writes the global {node.id}" if written else None
        if isinstance(node, (ast.Subscript, ast.Attribute)):
            if isinstance(node.ctx, (ast.Store, ast.Del)):
                return self._change_of(node.value)
            return None
        if isinstance(node, ast.Call):
            return self._effect_of_call(node.func)
        return None

    def _effect_of_call(self, function: ast.expr) -> str | None:
        if isinstance(function, ast.Name):
            return _CALLS.get(function.id) if self._is_builtin(function.id) else None
        if not isinstance(function, ast.Attribute):
            return None
        if ast.unparse(function) in ("sys.stdout.write", "sys.stderr.write"):
            return "prints"
        target = function.value
        if function.attr in _MUTATORS and isinstance(target, ast.Name):
            # A module's or a class's function of that name would be something else.
            assigned = self._outline.others.get(target.id) == "assigned"
            return self._change_of(target) if assigned else None
        return None

    def _change_of(self, target: ast.expr) -> str | None:
        """The effect of storing into what `target` stands for."""
        while isinstance(target, (ast.Subscript, ast.Attribute)):
            target = target.value
        if not isinstance(target, ast.Name) or target.id in self._local:
            return None
        known = target.id in self._outline.others or target.id in self._outline.functions
        return f"changes the global {target.id}" if known else None

    def _is_builtin(self, name: str) -> bool:
        outline = self._outline
        rebound = name in self._local or name in outline.functions or name in outline.others
        return not rebound and not outline.has_star_import


def _bound_names(function: Function) -> set[str]:
    """Every name that is bound somewhere inside the function."""
    names: set[str] = set()
    for node in ast.walk(function):
        if isinstance(node, ast.arg):
            names.add(node.arg)
        elif isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            names.add(node.id)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            if node is not function:
                names.add(node.name)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            names.update(alias.asname or alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, (ast.ExceptHandler, ast.MatchAs, ast.MatchStar)):
            names.add(node.name or "")
        elif isinstance(node, ast.MatchMapping) and node.rest:
            names.add(node.rest)
    return names
