"""Results that are only passed on: they need not come to the client.

Such a result is an argument of another remote call as it stands, `g(f(x))`, or is assigned to a
variable that nothing reads but such calls. It is for what the program does with its variables that
the rules are strict: a variable of a function that no inner function, comprehension or `locals()`
sees, or one of the main script's own that no other module and no function reads. And what a call
may change comes to the program, if another call gets it afterwards: that one is to see the change.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from cord import stdlib
from cord.source.records import dataclass
from cord.source.scope import bound_names, own_nodes
from cord.translate.results import MAIN

from .applied import FRAME_READERS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .project import Project
    from .sites import Site
    from .survey import Survey

_LOOPS = (ast.For, ast.AsyncFor, ast.While)
_SEERS = FRAME_READERS | {"globals", "__dict__", "__main__", "f_locals", "f_globals"}


@dataclass(frozen=True, slots=True)
class Passing:
    """A result that is given to other remote calls as it is.

    Attributes:
        to: The calls that get it.
        why_not: Why the program must have it too; None where it is only passed on.
    """

    to: tuple[ast.Call, ...]
    why_not: str | None = None


def passing(
    project: Project, known: Survey, site_of: dict[ast.expr, Site]
) -> dict[ast.Call, Passing]:
    """The calls of a module whose results are passed on, and whether they are only passed on."""
    plain = {
        node: site
        for node, site in site_of.items()
        if isinstance(node, ast.Call) and _is_plain(node, site, known.applied_of)
    }
    taken: dict[ast.expr, ast.Call] = {}
    for node, site in plain.items():
        if project.may_be_given(site.meaning):
            taken.update(dict.fromkeys(node.args, node))
            taken.update(dict.fromkeys((keyword.value for keyword in node.keywords), node))
    found = {node: Passing((taken[node],)) for node in plain if node in taken}
    if any(isinstance(node, ast.Name) for node in taken):
        for scope, why_not in _scopes(project, known):
            found.update(_through_names(project, scope, why_not, plain, taken))
    return found


def _through_names(
    project: Project,
    scope: ast.AST,
    why_not: str | None,
    plain: dict[ast.Call, Site],
    taken: dict[ast.expr, ast.Call],
) -> Iterator[tuple[ast.Call, Passing]]:
    """The calls whose results are assigned to variables that are passed on."""
    variables = _variables(scope, taken)
    for inner in own_nodes(scope, comprehensions=False):
        match inner:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call() as value):
                if name in variables and value in plain:
                    to, read = variables[name]
                    changes = [call for call in to if project.may_change(plain[call].meaning)]
                    seen = _sees_change(scope, inner, to, changes)
                    yield value, Passing(to, why_not or read or seen)


def _sees_change(
    scope: ast.AST, giver: ast.Assign, to: tuple[ast.Call, ...], changes: list[ast.Call]
) -> str | None:
    """That a call may get what another one, or itself before, has changed."""
    if not changes or (len(set(to)) == 1 and _comes_once(scope, giver, changes[0])):
        return None
    line, func = changes[0].lineno, ast.unparse(changes[0].func)
    return f"line {line}: {func}() is not declared pure, and may change it before it is used again"


def _comes_once(scope: ast.AST, giver: ast.Assign, call: ast.Call) -> bool:
    """Whether a call stands behind an assignment, and is made once at most for each."""
    for node in ast.walk(scope):
        for _, block in ast.iter_fields(node):
            if isinstance(block, list) and giver in block:
                behind = block[block.index(giver) + 1 :]
                inside = [each for statement in behind for each in ast.walk(statement)]
                loops = (each for each in inside if isinstance(each, _LOOPS))
                return call in inside and all(call not in ast.walk(loop) for loop in loops)
    return False


def _is_plain(node: ast.Call, site: Site, applied: Mapping[ast.Call, object]) -> bool:
    """Whether a call is one of a remote function, which the text tells, with plain arguments."""
    starred = any(isinstance(argument, ast.Starred) for argument in node.args)
    starred = starred or any(keyword.arg is None for keyword in node.keywords)
    return site.remote and not starred and node not in applied


def _scopes(project: Project, known: Survey) -> Iterator[tuple[ast.AST, str | None]]:
    """Functions and the module's own code, and why others may see their variables."""
    for node in known.region_of:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield node, _seer(node)
    why_not: str | None = "other modules may read it"
    if known.module.name == MAIN:
        others = (one.source for name, one in project.modules.items() if name != MAIN)
        if not any(_mentions(source, known.module.path) for source in others):
            why_not = _seer(known.tree)
    yield known.tree, why_not


def _seer(scope: ast.AST) -> str | None:
    """That something in a scope may look at variables by their names."""
    for node in ast.walk(scope):
        match node:
            case ast.Name(id=name, lineno=line) | ast.Attribute(attr=name, lineno=line):
                names = [name]
            case (
                ast.Import(names=aliases, lineno=line) | ast.ImportFrom(names=aliases, lineno=line)
            ):
                names = [alias.name for alias in aliases]
            case _:
                continue
        for name in names:
            if name in _SEERS:
                return f"line {line}: {name} may look at the variables"
    return None


def _mentions(source: str | bytes, main: str) -> bool:
    """Whether a module may look at the main script's variables."""
    text = source.decode("utf-8", "replace") if isinstance(source, bytes) else source
    stem = stdlib.re.escape(stdlib.re.sub(r"\.py$", "", main.rpartition("/")[2]))
    return stdlib.re.search(rf"__main__|\bimport\s+{stem}\b|\bfrom\s+{stem}\b", text) is not None


def _variables(
    scope: ast.AST, taken: dict[ast.expr, ast.Call]
) -> dict[str, tuple[tuple[ast.Call, ...], str | None]]:
    """The variables of a scope that are passed on: to which calls, and who else may read them."""
    own = [node for node in own_nodes(scope, comprehensions=False) if isinstance(node, ast.Name)]
    inside = set(own)
    to: dict[str, list[ast.Call]] = {}
    for node in own:
        if node in taken:
            to.setdefault(node.id, []).append(taken[node])
    read: dict[str, int] = {}
    for each in ast.walk(scope):
        match each:
            case ast.Name(id=name):
                is_read = isinstance(each.ctx, ast.Load) and each not in taken
                if is_read or each not in inside:  # inner functions and comprehensions see it
                    read.setdefault(name, each.lineno)
            case ast.AugAssign(target=ast.Name(id=name)):
                read.setdefault(name, each.lineno)
            case ast.Global() | ast.Nonlocal():
                for name in each.names:
                    read.setdefault(name, each.lineno)
    return {
        name: (tuple(calls), f"line {read[name]} reads {name} as well" if name in read else None)
        for name, calls in to.items()
        if name in bound_names(scope)
    }
