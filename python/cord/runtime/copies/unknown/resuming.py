"""The rest of a function behind one of its statements, which is taken to be passed by.

It is made of the function's text. Each of its statements has a handler: where the way hangs on
something that is not known, the names that the statement would have set are lost, and the next one
follows.
"""

from __future__ import annotations

import ast
import linecache
from itertools import pairwise
from types import CodeType
from typing import TYPE_CHECKING, NamedTuple, cast

from .calling import CannotResumeError, behind, called_by_name
from .guarding import SCOPES, Guards, locate, name_of
from .rests import HELD, MARK, PASSES, RESUMED, RETURNED, UNKNOWN, Rest

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, TypeVar

    from .calling import Call

    Functions = ast.FunctionDef | ast.Module
    Defined = TypeVar("Defined", ast.FunctionDef, ast.ClassDef)
    # A statement, and which of its blocks the next one is in.
    Step = tuple[ast.stmt, str]

_ITEM = "_cord_item__"
_VALUES = "_cord_values__"
_AROUND = "_cord_around__"

_BLOCKS = ("body", "orelse", "finalbody", "handlers", "cases")
# What a frame holds on its stack while it is in their bodies.
_HOLDING = (ast.For, ast.With)


def rest_of(code: CodeType, names: dict[str, Any], line: int, call: Call | None = None) -> Rest:
    """Make the rest of a function.

    Args:
        code: The function's, or a module's.
        names: The module's names.
        line: Where the statement is that is passed by.
        call: Where the call stands that has returned, in a statement that is not passed by: first
            and last line, and from which to which byte in them.

    Raises:
        CannotResumeError: It cannot be made.
    """
    tree, owners = _function(code, names)
    path = _path_to(tree.body, line)
    if any(isinstance(step, (ast.AsyncFor, ast.AsyncWith)) for step, _ in path):
        raise CannotResumeError
    called = [] if call is None else called_by_name(path[-1][0], call)
    holding = [isinstance(step, ast.For) for step in _holding(path)]
    is_module = isinstance(tree, ast.Module)
    own = {*code.co_varnames, *code.co_cellvars, *code.co_freevars}
    if tree not in _guards:
        _guards[tree] = Guards(None if is_module else own)
    body = _rest_of(tree, path, _guards[tree], call)
    shared = (*code.co_cellvars, *code.co_freevars)
    variables = (name for name in code.co_varnames if name.isidentifier())  # not Cord's own
    own_names = [name for name in variables if name not in shared]
    first = own_names[:1] if code.co_argcount else []
    if not is_module:
        arguments = _Arguments(own_names, first, len(holding))
        body = [_wrapped(body, arguments, tree, shared, owners)]
    module = ast.Module(body, [])
    locate(module, tree.body[0])
    flags = code.co_flags & 0x3FF0000  # what `from __future__` asks for
    made = compile(module, code.co_filename, "exec", flags, dont_inherit=True)
    made = made if is_module else _code_named(made, RESUMED)
    return Rest(made, own_names, first, called, holding)


class _Arguments(NamedTuple):
    """What the rest is given: variables, the first perhaps as an argument, and what is held."""

    names: list[str]
    first: list[str]
    held: int


def _function(code: CodeType, names: dict[str, Any]) -> tuple[Functions, list[str]]:
    """The text of a code, and the classes around it."""
    key = code.co_filename, code.co_firstlineno, code.co_name
    if key not in _functions:
        try:
            _functions[key] = _parsed(code, linecache.getlines(code.co_filename, names))
        except (SyntaxError, RecursionError) as error:
            raise CannotResumeError from error
    return _functions[key]


# By file, first line and name: the functions, and the classes around them.
_functions: dict[tuple[str, int, str], tuple[Functions, list[str]]] = {}
_guards: dict[ast.AST, Guards] = {}


def _parsed(code: CodeType, lines: list[str]) -> tuple[Functions, list[str]]:
    if code.co_name == "<module>":
        return ast.parse("".join(lines)), []
    own = lines[code.co_firstlineno - 1 : _end_of(code, lines)]
    is_inside = bool(own) and _indent(own[0]) > 0  # parsed as if an `if` was around it
    body = ast.parse("if True:\n" * is_inside + "".join(own)).body
    if is_inside:
        body = cast("ast.If", body[0]).body
    tree = body[0] if body else None
    if not isinstance(tree, ast.FunctionDef) or tree.name != code.co_name:
        raise CannotResumeError
    ast.increment_lineno(tree, code.co_firstlineno - 1 - is_inside)
    around = code.co_qualname.split(".")  # functions among them come before `<locals>`
    return tree, [one for one, then in pairwise(around) if "<locals>" not in (one, then)]


def _end_of(code: CodeType, lines: list[str]) -> int:
    """The last line of a function: some behind the last one that it has code for."""
    numbered = range(code.co_firstlineno - 1, len(lines))  # decorators come first
    first = next((at for at in numbered if lines[at].lstrip().startswith("def ")), None)
    if first is None:
        raise CannotResumeError
    end = max(first + 1, _last_line(code))
    while end < len(lines):
        text = lines[end].strip()
        if text and text[0] not in ")]}" and _indent(lines[end]) <= _indent(lines[first]):
            break
        end += 1
    return end


def _last_line(code: CodeType) -> int:
    ends = [line for lines in code.co_positions() for line in lines[:2] if line is not None]
    inner = [_last_line(one) for one in code.co_consts if isinstance(one, CodeType)]
    return max([code.co_firstlineno, *ends, *inner])


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _path_to(body: list[ast.stmt], line: int) -> list[Step]:
    """The statements around a line, outermost first; the last one is the one to pass by."""
    here = [one for one in body if one.lineno <= line <= (one.end_lineno or one.lineno)]
    if len(here) != 1:
        raise CannotResumeError
    [statement] = here
    for block in _BLOCKS:
        inner = getattr(statement, block, None) or []
        if not isinstance(inner, list) or isinstance(statement, SCOPES):
            continue
        for one in inner:
            if block in ("handlers", "cases"):
                start = one.body[0].lineno
                if start <= line <= one.body[-1].end_lineno and start > statement.lineno:
                    if block == "handlers":
                        raise CannotResumeError  # an exception is being handled
                    return [(statement, "cases"), *_path_to(one.body, line)]
            elif one.lineno <= line <= one.end_lineno and one.lineno > statement.lineno:
                if block == "finalbody":
                    raise CannotResumeError
                return [(statement, block), *_path_to(inner, line)]
    return [(statement, "")]


def _rest_of(
    tree: Functions, path: list[Step], guards: Guards, call: Call | None
) -> list[ast.stmt]:
    """What comes behind the last statement of a path, or behind a call in it."""
    statement = path[-1][0]
    held = len(_holding(path))
    caught = [_catches(path[:at]) for at in range(len(path))]
    if call is None:
        rest = guards.lost(statement)
    else:
        rest = [guards.guarded(behind(statement, call, name_of(RETURNED)), caught[-1])]
    for at in range(len(path) - 1, -1, -1):
        step, block = path[at]
        if at < len(path) - 1:
            if isinstance(step, _HOLDING) and block == "body":
                held -= 1
            rest = _inside(step, block, rest, held, caught[at], guards)
        owner, field = path[at - 1] if at else (tree, "body")
        rest = [*rest, *guards.all(_after(owner, field, step), caught[at])]
        if any(isinstance(one, ast.Return) for one in rest[:1]):
            rest = rest[:1]
    return rest


def _holding(path: list[Step]) -> list[ast.stmt]:
    """The statements of a path that hold something on the frame's stack."""
    return [step for step, block in path[:-1] if isinstance(step, _HOLDING) and block == "body"]


def _after(owner: ast.AST, field: str, step: ast.stmt) -> list[ast.stmt]:
    blocks = [case.body for case in cast("ast.Match", owner).cases] if field == "cases" else None
    for block in blocks or [getattr(owner, field)]:
        if step in block:
            return block[block.index(step) + 1 :]
    raise CannotResumeError


def _catches(around: list[Step]) -> str:
    """What is taken for unknown there: not what the program has handlers for."""
    has_handlers = any(
        isinstance(step, ast.Try) and block == "body" and step.handlers for step, block in around
    )
    return PASSES if has_handlers else UNKNOWN


def _inside(
    step: ast.stmt, block: str, rest: list[ast.stmt], held: int, catches: str, guards: Guards
) -> list[ast.stmt]:
    """A statement, entered where `rest` follows in one of its blocks."""
    if isinstance(step, (ast.For, ast.While)) and block == "body":
        body = guards.all(step.body, catches)
        first: list[ast.stmt] = rest or [ast.Pass()]
        orelse = guards.all(step.orelse, catches)
        if isinstance(step, ast.For):
            target = ast.Assign([step.target], name_of(_ITEM))
            test = ast.Compare(name_of(_ITEM), [ast.Is()], [name_of(MARK)])
            loop: ast.stmt = ast.For(
                ast.Name(_ITEM, ast.Store()),
                name_of(HELD.format(held)),
                [ast.If(test, first, [guards.guarded(target, catches), *body])],
                orelse,
            )
        else:
            # the first turn is entered without a test: its flag is taken from a list
            flag = f"_cord_first_{step.lineno}_{step.col_offset}__"
            empty = ast.Call(ast.Attribute(name_of(flag), "clear", ast.Load()), [], [])
            is_first = ast.If(name_of(flag), [ast.Expr(empty), *first], body)
            again = ast.BoolOp(ast.Or(), [name_of(flag), step.test])
            begin = ast.Assign(
                [ast.Name(flag, ast.Store())], ast.List([ast.Constant(1)], ast.Load())
            )
            return [begin, guards.handled(ast.While(again, [is_first], orelse), step, catches)]
        return [guards.handled(loop, step, catches)]
    if isinstance(step, ast.Try) and block == "body":
        handlers = step.handlers
        orelse = guards.all(step.orelse, catches)
        final = guards.all(step.finalbody, catches)
        return [ast.Try(rest or [ast.Pass()], handlers, orelse, final)]
    if isinstance(step, ast.Try):
        final = guards.all(step.finalbody, catches)
        return [ast.Try(rest or [ast.Pass()], [], [], final)] if final else rest
    if isinstance(step, ast.With):
        none = [ast.Constant(None)] * 3
        leave = ast.Expr(ast.Call(name_of(HELD.format(held)), cast("list[ast.expr]", none), []))
        return [ast.Try(rest or [ast.Pass()], [], [], [leave])]
    return rest


def _wrapped(
    body: list[ast.stmt],
    given: _Arguments,
    tree: Functions,
    shared: tuple[str, ...],
    owners: list[str],
) -> ast.stmt:
    """A function around the rest, within one that has what is shared with other functions."""
    own = [ast.Global([name]) for name in _globals_of(tree)]
    outer = [ast.Nonlocal([name]) for name in shared if name != "__class__"]
    held = [HELD.format(at) for at in range(given.held)]
    bound = [name for name in given.names if name not in given.first]
    begin = [_bound(name) for name in (*bound, RETURNED)]
    arguments = [*given.first, MARK, _VALUES, *held]
    inner = _define(RESUMED, arguments, [*outer, *own, *begin, *body, ast.Pass()])
    made: ast.stmt = _define(_AROUND, list(shared), [inner])
    for name in owners[-1:]:
        made = _without_parameters(ast.ClassDef(name, [], [], [made], []))
    return made


def _bound(name: str) -> ast.stmt:
    """Binds a variable, if it was bound."""
    value = ast.Subscript(name_of(_VALUES), ast.Constant(name), ast.Load())
    is_there = ast.Compare(ast.Constant(name), [ast.In()], [name_of(_VALUES)])
    return ast.If(is_there, [ast.Assign([ast.Name(name, ast.Store())], value)], [])


def _define(name: str, arguments: list[str], body: list[Any]) -> ast.FunctionDef:
    taken = [ast.arg(one) for one in arguments]
    arguments_taken = ast.arguments([], taken, None, [], [], None, [])
    return _without_parameters(ast.FunctionDef(name, arguments_taken, body, []))


def _without_parameters(made: Defined) -> Defined:
    if "type_params" in made._fields:  # since Python 3.12
        made.type_params = []  # type: ignore[attr-defined]
    return made


def _globals_of(tree: ast.AST) -> set[str]:
    """The names that a function, and none within it, says are of its module."""
    if tree not in _globals:
        _globals[tree] = {*_globals_in(tree)}
    return _globals[tree]


_globals: dict[ast.AST, set[str]] = {}


def _globals_in(block: ast.AST) -> Iterator[str]:
    if isinstance(block, ast.Global):
        yield from block.names
    for child in ast.iter_child_nodes(block):
        if not isinstance(child, (*SCOPES, ast.expr)):
            yield from _globals_in(child)


def _code_named(code: CodeType, name: str) -> CodeType:
    for one in code.co_consts:
        if isinstance(one, CodeType):
            return one if one.co_name == name else _code_named(one, name)
    raise CannotResumeError
