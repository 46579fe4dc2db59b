"""Compiling translated source, and putting native objects in place of their marks."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from types import CodeType

from .emit import Scout
from .guarded import MARK


def compile_scout(scout: Scout, filename: str) -> CodeType:
    """Compile a scout; returns the code of its generator function, marks still in it."""
    module = ast.Module([scout.function], [])
    ast.fix_missing_locations(module)
    code = compile(module, f"<scout of {filename}>", "exec", dont_inherit=True)
    return next(constant for constant in code.co_consts if isinstance(constant, CodeType))


def patch(code: CodeType, native: Callable[[str], object]) -> CodeType:
    """Replace every marked constant, in nested code too.

    Args:
        code: Compiled code.
        native: Gives the object for a mark, its `MARK` prefix cut off.
    """
    changed = False
    constants: list[object] = []
    for constant in code.co_consts:
        new = constant
        if isinstance(constant, CodeType):
            new = patch(constant, native)
        elif isinstance(constant, str) and constant.startswith(MARK):
            new = native(constant[len(MARK) :])
        changed = changed or new is not constant
        constants.append(new)
    return code.replace(co_consts=tuple(constants)) if changed else code


def nested(code: CodeType) -> Iterator[CodeType]:
    """A code object and all those inside."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from nested(constant)
