"""`match` over classes, as conditions that are guarded like any others.

Python's own `match` would look into objects unguarded. `case Add(n, k=0) if n > 1` becomes
`isinstance(s, Add) and (n := getattr(s, Add.__match_args__[0])) ... and s.k == 0 and n > 1`.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from . import pure
from .project import Meaning
from .targets import access_path
from .tree import If, Node

if TYPE_CHECKING:
    from .expressions import Expressions
    from .lower import Statements


class _Unknown(Exception):
    """A pattern that is not followed."""


def by_class(low: Statements, node: ast.Match, subject: ast.expr) -> list[Node] | None:
    """The conditions that a `match` stands for; None where it has none over classes of a program.

    Args:
        low: The lowering of the region.
        node: The statement.
        subject: The name of what it looks at.
    """
    patterns = [part for case in node.cases for part in ast.walk(case.pattern)]
    if not any(isinstance(part, ast.MatchClass) and not _is_builtin(part) for part in patterns):
        return None
    try:
        tests = [_tests(low, case.pattern, subject) for case in node.cases]
    except _Unknown:
        return None
    return _conditions(low, node.cases, tests)


def _conditions(
    low: Statements, cases: list[ast.match_case], tests: list[list[ast.expr]]
) -> list[Node]:
    if not cases:
        return []
    case, all_ = cases[0], list(tests[0])
    if case.guard is not None:
        all_.append(case.guard)
    if not all_:
        return low.block(case.body)
    test = all_[0] if len(all_) == 1 else _at(case.pattern, ast.BoolOp(ast.And(), all_))
    saved, low.out = low.out, []
    lowered = low.expr(test)
    out, low.out = low.out, saved
    body, others = low.block(case.body), _conditions(low, cases[1:], tests[1:])
    return [*out, If(case.pattern.lineno, lowered, body, others)]


def _tests(low: Expressions, pattern: ast.pattern, value: ast.expr) -> list[ast.expr]:
    """What must be true of a value; what is bound is bound on the way."""
    match pattern:
        case ast.MatchValue():
            return [_at(pattern, ast.Compare(value, [ast.Eq()], [pattern.value]))]
        case ast.MatchSingleton():
            one = ast.Constant(pattern.value)
            return [_at(pattern, ast.Compare(value, [ast.Is()], [one]))]
        case ast.MatchAs():
            inner = [] if pattern.pattern is None else _tests(low, pattern.pattern, value)
            return inner if pattern.name is None else [*inner, _bind(pattern, pattern.name, value)]
        case ast.MatchOr():
            every = [_tests(low, one, value) for one in pattern.patterns]
            if not all(every):
                raise _Unknown
            each: list[ast.expr] = [
                one[0] if len(one) == 1 else _at(pattern, ast.BoolOp(ast.And(), one))
                for one in every
            ]
            return [_at(pattern, ast.BoolOp(ast.Or(), each))]
        case ast.MatchClass():
            return _class_tests(low, pattern, value)
    raise _Unknown


def _class_tests(low: Expressions, pattern: ast.MatchClass, value: ast.expr) -> list[ast.expr]:
    if access_path(pattern.cls) is None:
        raise _Unknown
    tests = [_call(low, pattern, "isinstance", value, pattern.cls)]
    for index, inner in enumerate(pattern.patterns):
        part = value
        if not _is_builtin(pattern):
            names = ast.Attribute(pattern.cls, "__match_args__", ast.Load())
            name = _at(pattern, ast.Subscript(names, ast.Constant(index), ast.Load()))
            part = _call(low, pattern, "getattr", value, name)
        tests += _part_tests(low, inner, part)
    for attribute, inner in zip(pattern.kwd_attrs, pattern.kwd_patterns, strict=True):
        part = _at(pattern, ast.Attribute(value, attribute, ast.Load()))
        tests += _part_tests(low, inner, part)
    return tests


def _part_tests(low: Expressions, pattern: ast.pattern, part: ast.expr) -> list[ast.expr]:
    """What must be true of a part, which is looked up once."""
    if isinstance(pattern, ast.MatchAs) and pattern.pattern is None:
        return _tests(low, pattern, part)
    name = low.temporary(pattern).id
    held = _at(pattern, ast.Name(name, ast.Load()))
    return [_bind(pattern, name, part), *_tests(low, pattern, held)]


def _is_builtin(pattern: ast.MatchClass) -> bool:
    return isinstance(pattern.cls, ast.Name) and pattern.cls.id in pure.BUILTINS


def _bind(at: ast.AST, name: str, value: ast.expr) -> ast.expr:
    """`((name := value), True)[1]`."""
    bound = ast.NamedExpr(ast.Name(name, ast.Store()), value)
    both = ast.Tuple([bound, ast.Constant(True)], ast.Load())
    return _at(at, ast.Subscript(both, ast.Constant(1), ast.Load()))


def _call(low: Expressions, at: ast.AST, name: str, *args: ast.expr) -> ast.expr:
    call = ast.Call(ast.Name(name, ast.Load()), list(args), [])
    low.found.meaning_of[call] = Meaning("builtin", "", name)
    return _at(at, call)


def _at(place: ast.AST, node: ast.expr) -> ast.expr:
    for part in ast.walk(node):
        if not hasattr(part, "lineno"):
            ast.copy_location(part, place)
    return node
