"""The priority of a call, told from its arguments.

It is told when the call is issued, by scouts too, and so under the guard of scouts: the expression
looks at plain values only, and runs no code of the program. Where it cannot be told, the program
must not notice: the call has priority 0, and stderr has one line about it.
"""

from __future__ import annotations

import ast
import builtins
import os
from time import monotonic
from types import CodeType, FunctionType
from typing import Any

from cord import _core
from cord.plan import expressions
from cord.translate.code import patch
from cord.translate.emit.guarded import Guarded

CO_VARARGS = 4
CO_VARKEYWORDS = 8
LONG = 0.25  # seconds, and more than that a call is held up for nothing


def _leave(*_: object) -> None:
    """Nothing is gone into."""
    raise _core.ScoutEnd


_GUARD = _core.Guard(_leave, _leave)


class Priority:
    """Tells the priority of calls of one function.

    Args:
        name: The function, for messages.
        compute: Gives the value, from the arguments of a call.
    """

    __slots__ = ("_compute", "_name", "_told")

    def __init__(self, name: str, compute: FunctionType) -> None:
        self._name = name
        self._compute = compute
        self._told = False

    @classmethod
    def of(cls, text: str, name: str, original: Any) -> Priority | None:
        """The priority of a function; None where the function has not the parameters for it.

        Args:
            text: The expression, which has been checked.
            name: The function, for messages.
            original: The function.
        """
        while hasattr(original, "__wrapped__"):
            original = original.__wrapped__
        code = getattr(original, "__code__", None)
        tree = expressions.parse(text)
        if not isinstance(code, CodeType):
            return None
        if not set(expressions.names(tree)) <= set(_parameters(code)):
            return None
        return cls(name, _compiled(tree, original, code))

    def __call__(self, *args: Any, **kwargs: Any) -> float:
        """The priority of a call with these arguments."""
        began = monotonic()
        try:
            return _number(self._compute(*args, **kwargs))
        except _core.ScoutEnd:
            self._tell("it would run code of the program, or take too long")
        except Exception as error:
            self._tell(f"{type(error).__name__}: {error}")
        finally:
            took = monotonic() - began
            if took > LONG:
                self._say(f"the priority of {self._name} takes {took:.1f} s to be told, each time")
        return 0.0

    def _tell(self, why: str) -> None:
        self._say(f"the priority of {self._name} is 0 where it cannot be told: {why}")

    def _say(self, what: str) -> None:
        if not self._told:
            self._told = True
            os.write(2, f"cord: {what}\n".encode(errors="backslashreplace"))


def _parameters(code: CodeType) -> tuple[str, ...]:
    starred = bool(code.co_flags & CO_VARARGS) + bool(code.co_flags & CO_VARKEYWORDS)
    return code.co_varnames[: code.co_argcount + code.co_kwonlyargcount + starred]


def _number(value: Any) -> float:
    is_number = hasattr(type(value), "__float__") and _core.is_plain(value)
    if not is_number:
        raise TypeError(f"{type(value).__name__} is not a number")
    try:
        return float(value)
    except OverflowError:
        return float("inf") if value > 0 else float("-inf")


def _compiled(tree: ast.Expression, original: Any, code: CodeType) -> FunctionType:
    """A function with the parameters of `original` that gives the expression's value."""
    value = Guarded().expr(tree.body)
    function = ast.Expression(ast.Lambda(_arguments(code), value))
    compiled = compile(ast.fix_missing_locations(function), "<priority>", "eval", dont_inherit=True)
    inner = next(one for one in compiled.co_consts if isinstance(one, CodeType))
    scope = {"__builtins__": builtins, **expressions.FUNCTIONS}
    made = FunctionType(patch(inner, lambda _: _GUARD), scope)
    made.__defaults__ = original.__defaults__
    made.__kwdefaults__ = original.__kwdefaults__
    return made


def _arguments(code: CodeType) -> ast.arguments:
    named = [ast.arg(name) for name in _parameters(code)]
    plain, after = code.co_argcount, code.co_argcount + code.co_kwonlyargcount
    starred = iter(named[after:])
    return ast.arguments(
        posonlyargs=named[: code.co_posonlyargcount],
        args=named[code.co_posonlyargcount : plain],
        vararg=next(starred) if code.co_flags & CO_VARARGS else None,
        kwonlyargs=named[plain:after],
        kw_defaults=[None] * code.co_kwonlyargcount,
        kwarg=next(starred) if code.co_flags & CO_VARKEYWORDS else None,
        defaults=[],
    )
