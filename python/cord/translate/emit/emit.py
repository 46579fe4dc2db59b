"""From a slice to the scout's Python code: a generator, every operation of it guarded.

The code refers to native objects by string constants that start with `MARK`; `code.patch` puts the
objects in their place. A scout pauses with a bare `yield` where its calls or its clock ask for it.
"""

from __future__ import annotations

import ast

from cord.source.records import dataclass
from cord.translate.analyse.known import Known
from cord.translate.analyse.needed import Slice
from cord.translate.analyse.strictness import changed_names
from cord.translate.lower.tree import Call, For, Node, defined, walk

from .guarded import STATE, load
from .leaving import Names, nothing
from .writer import Writer


@dataclass(frozen=True, slots=True)
class Scout:
    """A scout's source.

    Attributes:
        function: The generator function.
        names: Its parameters after the state, names of the frame in which it is born.
        loops: Numbers of the loops it goes on with; their iterators are its last parameters.
        copied: Those names whose objects it changes, so that it must have copies.
        returns: Whether it gives what the region returns.
        sites: Calls (site numbers) it makes.
        passed: Calls it leaves, at least sometimes, to the program.
    """

    function: ast.FunctionDef
    names: tuple[str, ...]
    loops: tuple[int, ...]
    copied: tuple[str, ...]
    returns: bool
    sites: frozenset[int]
    passed: frozenset[int]


def emit(
    name: str,
    body: list[Node],
    known: Known,
    cut: Slice,
    variables: frozenset[str],
    arguments: ast.arguments | None = None,
    captured: frozenset[str] = frozenset(),
    owner: str | None = None,
) -> Scout:
    """Write the scout of a region.

    Args:
        name: Name of the generated function.
        body: The region, or what is left of it.
        known: What the scout knows where.
        cut: What of it is needed.
        variables: The names that are variables of the program's frame (or of the module).
        arguments: For a function entered from its start, its own parameters.
        captured: For such a function, the variables of functions around it.
        owner: The class in which the region stands.
    """
    needed = [node for node in walk(body) if node in cut.needed]
    changed = changed_names(needed)
    hidden = frozenset(name for name in cut.live if ":" in name)
    local = hidden | variables | frozenset(defined(walk(body)))
    writer = Writer(known, cut, Names(needed, local, changed), owner)
    statements = writer.region(body)
    loops = tuple(
        node.loop
        for node in walk(body)
        if isinstance(node, For) and node.first is not None and node in cut.needed
    )
    assigned = writer.assigned | changed
    if arguments is None:
        names = tuple(sorted(n for n in cut.live if n in variables or n in assigned or ":" in n))
    else:
        names = tuple(sorted(cut.live & (captured | (assigned - variables))))
    own = {
        argument.arg
        for argument in ast.walk(arguments or ast.Pass())
        if isinstance(argument, ast.arg)
    }
    of_module = {n for n in cut.live - variables - assigned if ":" not in n}
    absent = sorted(writer.captured - own.union(names, of_module, (f":i{n}" for n in loops)))
    parameters = arguments or ast.arguments([], [], None, [], [], None, [])
    first = [ast.arg(STATE), *(ast.arg(n) for n in names), *(ast.arg(f":i{n}") for n in loops)]
    function = ast.FunctionDef(
        name,
        ast.arguments(
            [*first, *(_bare(a) for a in parameters.posonlyargs)] if parameters.posonlyargs else [],
            (
                [_bare(a) for a in parameters.args]
                if parameters.posonlyargs
                else [*first, *(_bare(a) for a in parameters.args)]
            ),
            _bare(parameters.vararg) if parameters.vararg else None,
            [_bare(a) for a in parameters.kwonlyargs],
            [None if d is None else ast.Constant(None) for d in parameters.kw_defaults],
            _bare(parameters.kwarg) if parameters.kwarg else None,
            [ast.Constant(None) for _ in parameters.defaults],
        ),
        [*(_unbind(n, writer.captured) for n in names), *map(nothing, absent), *statements],
        [],
        None,
    )
    calls = [n for n in walk(body) if isinstance(n, Call) and n.site >= 0]
    return Scout(
        function,
        names,
        loops,
        tuple(n for n in names if n in changed),
        cut.with_result,
        frozenset(n.site for n in calls if n in cut.needed),
        frozenset(n.site for n in calls if n not in cut.needed),
    )


def _unbind(name: str, captured: set[str]) -> ast.stmt:
    """A name that had no value in the program, told by an ellipsis, has none here.

    Of a result that the scout of another frame does not give there is a value, some time.
    """
    test = ast.Compare(load(name), [ast.Is()], [ast.Constant(...)])
    if name in captured or name.startswith(":r"):
        return ast.If(test, [nothing(name)], [])
    return ast.If(test, [ast.Delete([ast.Name(name, ast.Del())])], [])


def _bare(argument: ast.arg) -> ast.arg:
    return ast.arg(argument.arg)
