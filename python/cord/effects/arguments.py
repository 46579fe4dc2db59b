"""The arguments of a call, and the defaults of parameters."""

from __future__ import annotations

import ast

from cord.source.records import dataclass, field

from .values import NOTHING, Value


@dataclass(slots=True)
class Arguments:
    """The arguments of a call; `rest` is what `*` and `**` spread."""

    positional: list[Value] = field(default_factory=list)
    keywords: dict[str, Value] = field(default_factory=dict)
    rest: Value = NOTHING

    def all(self) -> Value:
        """Every argument."""
        return frozenset().union(*self.positional, *self.keywords.values(), self.rest)


def default_of(spec: ast.arguments, name: str) -> ast.expr | None:
    """The default of a parameter."""
    positional = [*spec.posonlyargs, *spec.args]
    first = len(positional) - len(spec.defaults)
    for number, argument in enumerate(positional):
        if argument.arg == name:
            return spec.defaults[number - first] if number >= first else None
    for argument, default in zip(spec.kwonlyargs, spec.kw_defaults, strict=True):
        if argument.arg == name:
            return default
    return None
