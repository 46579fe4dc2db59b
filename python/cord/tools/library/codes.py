"""Putting translated code into functions that are alive, and taking it out again.

Only `__code__` is changed. So every reference to the function, wherever it is held, calls the
translated code, and none has to be found.
"""

from __future__ import annotations

import ast
from types import CodeType, FunctionType

from cord._core import running_code
from cord.errors import CordError
from cord.translate.code import nested


class Codes:
    """The functions whose code is replaced."""

    def __init__(self) -> None:
        self._replaced: list[tuple[FunctionType, CodeType, CodeType]] = []

    def replace(self, function: FunctionType, plain: CodeType, new: CodeType) -> None:
        """Let a function run other code.

        Args:
            function: The function.
            plain: What its source compiles to.
            new: The same, translated.

        Raises:
            CordError: The function's code is not what its source says.
        """
        old = running_code(function)
        if not is_same(old, plain) or old.co_freevars != new.co_freevars:
            raise CordError(
                f"{function.__qualname__} is not what its source says "
                f"({old.co_filename}:{old.co_firstlineno})",
                "import it anew if the file has changed; code that a tool has rewritten, such as "
                "pytest its tests with assertions, cannot be translated",
            )
        self._replaced.append((function, old, new))
        function.__code__ = new

    def has(self, function: FunctionType) -> bool:
        """Whether a function runs translated code."""
        return any(function is known for known, _, _ in self._replaced)

    def restore(self) -> None:
        """Give all functions their own code back."""
        while self._replaced:
            function, old, new = self._replaced.pop()
            if running_code(function) is new:
                function.__code__ = old


def find(code: CodeType, function: FunctionType) -> CodeType | None:
    """The code of a function in its module's code."""
    own = running_code(function)
    for inner in nested(code):
        if (inner.co_qualname, inner.co_firstlineno) == (own.co_qualname, own.co_firstlineno):
            return inner
    return None


def compiled_alone(module: ast.Module, path: str, function: FunctionType) -> CodeType | None:
    """The code of a function that is compiled without its file, as IPython compiles statements.

    An attribute of a module that the same text imports is compiled in another way.

    Args:
        module: The parsed file.
        path: What the file is called.
        function: The function.
    """
    line = running_code(function).co_firstlineno
    for node in module.body:
        decorators = getattr(node, "decorator_list", ())
        first = min([node.lineno, *(one.lineno for one in decorators)])
        if first <= line <= (node.end_lineno or node.lineno):
            alone = ast.Module([node], [])
            return find(compile(alone, path, "exec", dont_inherit=True), function)
    return None


def is_same(one: CodeType, other: CodeType) -> bool:
    """Whether two code objects do the same, whatever their files are called."""
    if (one.co_code, one.co_names, one.co_varnames, one.co_freevars, one.co_cellvars) != (
        other.co_code,
        other.co_names,
        other.co_varnames,
        other.co_freevars,
        other.co_cellvars,
    ):
        return False
    if len(one.co_consts) != len(other.co_consts):
        return False
    return all(map(_is_same_constant, one.co_consts, other.co_consts))


def _is_same_constant(one: object, other: object) -> bool:
    if isinstance(one, CodeType) and isinstance(other, CodeType):
        return is_same(one, other)
    return type(one) is type(other) and one == other
