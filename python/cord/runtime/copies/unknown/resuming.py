"""The rest of a function behind one of its statements, which is taken to be passed by.

It is made of the function's text. Each of its statements has a handler: where the way hangs on
something that is not known, the names that the statement would have set are lost, and the next one
follows.
"""

from __future__ import annotations

import ast
import copy
import linecache
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any, TypeVar

    Functions = ast.FunctionDef | ast.Module
    Defined = TypeVar("Defined", ast.FunctionDef, ast.ClassDef)
    # A statement, and which of its blocks the next one is in.
    Step = tuple[ast.stmt, str]
    _Place = ast.Name | ast.Attribute | ast.Subscript

# Names in the text that is made; they end so that no class has them for its own.
LOST = "_cord_lost__"
UNKNOWN = "_cord_unknown__"  # what is raised if something is not known, and what may come of that
PASSES = "_cord_passes__"  # only the former
LOSE = "_cord_lose__"  # what an object is behind a call of its method that is passed by
HELD = "_cord_held_{}__"
_ITEM = "_cord_item__"
_VALUES = "_cord_values__"
_RESUMED = "_cord_resumed__"
_AROUND = "_cord_around__"
MARK = "_cord_mark__"

_AS_THEY_ARE = (
    *(ast.Import, ast.ImportFrom, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef),
    *(ast.Pass, ast.Break, ast.Continue, ast.Raise),
)
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_TARGETS = (ast.Name, ast.Attribute, ast.Subscript)
_BLOCKS = ("body", "orelse", "finalbody", "handlers", "cases")
# What a frame holds on its stack while it is in their bodies.
_HOLDING = (ast.For, ast.With)


class CannotResumeError(Exception):
    """The rest of this function cannot be made."""


class Rest:
    """The rest of a function from a line on.

    Attributes:
        code: It runs the rest.
        names: Variables that are not shared with other functions.
        first: The first of them, if that is an argument.
        holding: For each loop and `with` statement that is open, outermost first, whether it is
            a loop.

    Args:
        code: The function's, or a module's.
        names: The module's names.
        line: Where the statement is that is passed by.

    Raises:
        CannotResumeError: It cannot be made.
    """

    __slots__ = ("code", "first", "holding", "names")

    def __init__(self, code: CodeType, names: dict[str, Any], line: int) -> None:
        tree, owners = _function(code, names)
        path = _path_to(tree.body, line)
        if any(isinstance(step, (ast.AsyncFor, ast.AsyncWith)) for step, _ in path):
            raise CannotResumeError
        self.holding = [isinstance(step, ast.For) for step in _holding(path)]
        body = _rest_of(tree, path)
        is_module = isinstance(tree, ast.Module)
        if not is_module:
            _lose_at_home(body, {*code.co_varnames, *code.co_cellvars, *code.co_freevars})
        shared = (*code.co_cellvars, *code.co_freevars)
        own = (name for name in code.co_varnames if name.isidentifier())  # not Cord's own
        self.names = [name for name in own if name not in shared]
        self.first = self.names[:1] if code.co_argcount else []
        module = ast.Module(body if is_module else [_wrapped(body, self, tree, shared, owners)], [])
        ast.fix_missing_locations(module)
        flags = code.co_flags & 0x3FF0000  # what `from __future__` asks for
        made = compile(module, code.co_filename, "exec", flags, dont_inherit=True)
        self.code = made if is_module else _code_named(made, _RESUMED)


def _function(code: CodeType, names: dict[str, Any]) -> tuple[Functions, list[str]]:
    """The text of a code, and the classes around it."""
    tree = _tree_of(code.co_filename, names)
    if code.co_name == "<module>":
        return tree, []
    for function, owners in _functions(tree, []):
        first = min([function.lineno, *(one.lineno for one in function.decorator_list)])
        if first == code.co_firstlineno and function.name == code.co_name:
            return function, owners
    raise CannotResumeError


_trees: dict[str, ast.Module] = {}


def _tree_of(file: str, names: dict[str, Any]) -> ast.Module:
    if file not in _trees:
        try:
            _trees[file] = ast.parse("".join(linecache.getlines(file, names)))
        except (SyntaxError, RecursionError) as error:
            raise CannotResumeError from error
    return _trees[file]


def _functions(tree: ast.AST, owners: list[str]) -> Iterator[tuple[ast.FunctionDef, list[str]]]:
    for child in ast.iter_child_nodes(tree):
        if isinstance(child, ast.FunctionDef):
            yield child, owners
        inner = [*owners, child.name] if isinstance(child, ast.ClassDef) else owners
        yield from _functions(child, inner)


def _path_to(body: list[ast.stmt], line: int) -> list[Step]:
    """The statements around a line, outermost first; the last one is the one to pass by."""
    here = [one for one in body if one.lineno <= line <= (one.end_lineno or one.lineno)]
    if len(here) != 1:
        raise CannotResumeError
    [statement] = here
    for block in _BLOCKS:
        inner = getattr(statement, block, None) or []
        if not isinstance(inner, list) or isinstance(statement, _SCOPES):
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


def _rest_of(tree: Functions, path: list[Step]) -> list[ast.stmt]:
    """What comes behind the last statement of a path."""
    statement = path[-1][0]
    rest = list(_lost(statement))
    held = len(_holding(path))
    caught = [_catches(path[:at]) for at in range(len(path))]
    for at in range(len(path) - 1, -1, -1):
        step, block = path[at]
        if at < len(path) - 1:
            if isinstance(step, _HOLDING) and block == "body":
                held -= 1
            rest = _inside(step, block, rest, held, caught[at])
        owner, field = path[at - 1] if at else (tree, "body")
        rest += _all_guarded(_after(owner, field, step), caught[at])
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
    step: ast.stmt, block: str, rest: list[ast.stmt], held: int, catches: str
) -> list[ast.stmt]:
    """A statement, entered where `rest` follows in one of its blocks."""
    if isinstance(step, (ast.For, ast.While)) and block == "body":
        body = _all_guarded(step.body, catches)
        first: list[ast.stmt] = rest or [ast.Pass()]
        orelse = _all_guarded(step.orelse, catches)
        if isinstance(step, ast.For):
            target = ast.Assign([step.target], _name(_ITEM))
            test = ast.Compare(_name(_ITEM), [ast.Is()], [_name(MARK)])
            loop: ast.stmt = ast.For(
                ast.Name(_ITEM, ast.Store()),
                _name(HELD.format(held)),
                [ast.If(test, first, [_guarded(target, catches), *body])],
                orelse,
            )
        else:
            # the first turn is entered without a test: its flag is taken from a list
            flag = f"_cord_first_{step.lineno}_{step.col_offset}__"
            empty = ast.Call(ast.Attribute(_name(flag), "clear", ast.Load()), [], [])
            is_first = ast.If(_name(flag), [ast.Expr(empty), *first], body)
            again = ast.BoolOp(ast.Or(), [_name(flag), copy.deepcopy(step.test)])
            begin = ast.Assign(
                [ast.Name(flag, ast.Store())], ast.List([ast.Constant(1)], ast.Load())
            )
            return [begin, _handled(ast.While(again, [is_first], orelse), step, catches)]
        return [_handled(loop, step, catches)]
    if isinstance(step, ast.Try) and block == "body":
        handlers = copy.deepcopy(step.handlers)
        orelse = _all_guarded(step.orelse, catches)
        final = _all_guarded(step.finalbody, catches)
        return [ast.Try(rest or [ast.Pass()], handlers, orelse, final)]
    if isinstance(step, ast.Try):
        final = _all_guarded(step.finalbody, catches)
        return [ast.Try(rest or [ast.Pass()], [], [], final)] if final else rest
    if isinstance(step, ast.With):
        none = [ast.Constant(None)] * 3
        leave = ast.Expr(ast.Call(_name(HELD.format(held)), cast("list[ast.expr]", none), []))
        return [ast.Try(rest or [ast.Pass()], [], [], [leave])]
    return rest


def _guarded(statement: ast.stmt, catches: str = UNKNOWN) -> ast.stmt:
    """A statement that is passed by if something is not known."""
    if isinstance(statement, (ast.Global, ast.Nonlocal)):
        return ast.copy_location(ast.Pass(), statement)  # they stand at the beginning
    if isinstance(statement, _AS_THEY_ARE):
        return statement
    made = copy.copy(statement)
    if isinstance(made, ast.Try):
        made.body = _all_guarded(made.body, PASSES if made.handlers else catches)
        made.handlers = [_with_body(one, catches) for one in made.handlers]
        made.orelse = _all_guarded(made.orelse, catches)
        made.finalbody = _all_guarded(made.finalbody, catches)
    elif isinstance(made, (ast.If, ast.For, ast.While)):
        made.body = _all_guarded(made.body, catches)
        made.orelse = _all_guarded(made.orelse, catches)
    elif isinstance(made, ast.With):
        made.body = _all_guarded(made.body, catches)
    elif isinstance(made, ast.Match):
        made.cases = [_with_body(one, catches) for one in made.cases]
    return _handled(made, statement, catches)


def _all_guarded(block: list[ast.stmt], catches: str = UNKNOWN) -> list[ast.stmt]:
    return [_guarded(one, catches) for one in block]


def _with_body(part: Any, catches: str) -> Any:
    made = copy.copy(part)
    made.body = _all_guarded(part.body, catches)
    return made


def _handled(made: ast.stmt, statement: ast.stmt, catches: str = UNKNOWN) -> ast.stmt:
    handler = ast.ExceptHandler(_name(catches), None, list(_lost(statement)) or [ast.Pass()])
    return ast.copy_location(ast.Try([made], [handler], [], []), statement)


def _lost(statement: ast.stmt) -> Iterator[ast.stmt]:
    """What is done in place of a statement: all that it sets is lost."""
    if isinstance(statement, ast.Return):
        yield ast.copy_location(ast.Return(_name(LOST)), statement)
        return
    for target in _targets(statement):
        assign = ast.Assign([copy.deepcopy(target)], _name(LOST))
        if isinstance(target, ast.Name):
            yield ast.copy_location(assign, statement)
        else:
            instead = []
            if isinstance(target, ast.Subscript) and isinstance(target.value, _TARGETS):
                instead.append(_losing(target.value, ""))  # the key may not be known
            yield ast.copy_location(_if_possible(assign, instead), statement)
    for changed, method in _changed(statement):
        yield ast.copy_location(_losing(changed, method), statement)


def _losing(owner: _Place, method: str) -> ast.stmt:
    """What a name, an attribute or an item leads to is not known any more, if it can change."""
    target = copy.deepcopy(owner)
    target.ctx = ast.Store()
    value = ast.Call(_name(LOSE), [copy.deepcopy(owner), ast.Constant(method)], [])
    instead = []
    if isinstance(owner, ast.Subscript) and isinstance(owner.value, _TARGETS):
        instead.append(_losing(owner.value, ""))  # the key may not be known
    return _if_possible(ast.Assign([target], value), instead)


def _lose_at_home(body: list[ast.stmt], own: set[str]) -> None:
    """Have names that are not a function's own lost where they are: in its module."""
    for node in (node for statement in body for node in ast.walk(statement)):
        match node:
            case ast.Assign([ast.Name(name)], ast.Call(ast.Name(function))):
                if function == LOSE and name not in own:
                    home = ast.Call(_name("globals"), [], [])
                    node.targets = [ast.Subscript(home, ast.Constant(name), ast.Store())]


def _if_possible(statement: ast.stmt, instead: list[ast.stmt]) -> ast.stmt:
    handler = ast.ExceptHandler(_name("BaseException"), None, instead or [ast.Pass()])
    return ast.Try([statement], [handler], [], [])


def _changed(node: ast.AST) -> Iterator[tuple[_Place, str]]:
    """What a statement may change by calling a method of it, for nothing else; and which one."""
    match node:
        case ast.Expr(
            ast.Call(ast.Attribute(ast.Name() | ast.Attribute() | ast.Subscript() as owner, method))
        ):
            yield owner, method
        case ast.stmt() if not isinstance(node, _SCOPES):
            for child in ast.iter_child_nodes(node):
                yield from _changed(child)
        case ast.ExceptHandler() | ast.match_case():
            for child in node.body:
                yield from _changed(child)


def _targets(node: ast.AST) -> Iterator[ast.expr]:
    """What a statement sets: names, attributes and items; what it adds to is lost as well."""
    if isinstance(node, (*_SCOPES, *_COMPREHENSIONS)):
        return
    if isinstance(getattr(node, "ctx", None), ast.Store) and isinstance(node, _TARGETS):
        yield node
    for child in ast.iter_child_nodes(node):
        yield from _targets(child)


def _name(name: str) -> ast.Name:
    return ast.Name(name, ast.Load())


def _wrapped(
    body: list[ast.stmt],
    rest: Rest,
    tree: Functions,
    shared: tuple[str, ...],
    owners: list[str],
) -> ast.stmt:
    """A function around the rest, within one that has what is shared with other functions."""
    own = [ast.Global([name]) for name in _globals_of(tree)]
    outer = [ast.Nonlocal([name]) for name in shared if name != "__class__"]
    held = [HELD.format(at) for at in range(len(rest.holding))]
    begin = [_bound(name) for name in rest.names if name not in rest.first]
    arguments = [*rest.first, MARK, _VALUES, *held]
    inner = _define(_RESUMED, arguments, [*outer, *own, *begin, *body, ast.Pass()])
    made: ast.stmt = _define(_AROUND, list(shared), [inner])
    for name in owners[-1:]:
        made = _without_parameters(ast.ClassDef(name, [], [], [made], []))
    return made


def _bound(name: str) -> ast.stmt:
    """Binds a variable, if it was bound."""
    value = ast.Subscript(_name(_VALUES), ast.Constant(name), ast.Load())
    is_there = ast.Compare(ast.Constant(name), [ast.In()], [_name(_VALUES)])
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
    found = set(tree.names) if isinstance(tree, ast.Global) else set[str]()
    for child in ast.iter_child_nodes(tree):
        if not isinstance(child, _SCOPES):
            found |= _globals_of(child)
    return found


def _code_named(code: CodeType, name: str) -> CodeType:
    for one in code.co_consts:
        if isinstance(one, CodeType):
            return one if one.co_name == name else _code_named(one, name)
    raise CannotResumeError


def function_of(rest: Rest, names: dict[str, Any], cells: dict[str, Any]) -> Callable[..., Any]:
    """The rest of a function as one that can be called."""
    closure = tuple(cells[name] for name in rest.code.co_freevars)
    return FunctionType(rest.code, names, _RESUMED, None, closure)
