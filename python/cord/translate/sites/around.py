"""Which loops stand around each call site, for whoever looks on while the program runs."""

from __future__ import annotations

import ast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from cord.translate.sites.sites import Found

# Loops by number and line, the outermost first; those by `while` have no number.
Around = tuple[tuple[int | None, int], ...]

_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_BODIES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)


def loops_around(found: Found) -> list[Around]:
    """For each site of a module, the loops of its region that make its calls again and again."""
    around: dict[int, Around] = {}

    def visit_all(nodes: Iterable[ast.AST], loops: Around) -> None:
        for node in nodes:
            visit(node, loops)

    def inside(node: ast.AST, line: int, loops: Around) -> Around:
        number = found.loop_of.get(node)
        return loops if number is None else (*loops, (number, line))

    def visit(node: ast.AST, loops: Around) -> None:
        applied = isinstance(node, ast.Call) and node in found.applied_of
        here = inside(node, node.lineno, loops) if isinstance(node, (ast.For, ast.Call)) else loops
        if isinstance(node, ast.expr) and (site := found.site_of.get(node)) is not None:
            around[site.index] = here if applied else loops
        if isinstance(node, ast.For):
            visit_all((node.target, node.iter, *node.orelse), loops)
            visit_all(node.body, here)
        elif isinstance(node, ast.While):
            visit_all((node.test, *node.body), (*loops, (None, node.lineno)))
            visit_all(node.orelse, loops)
        elif applied:
            assert isinstance(node, ast.Call)
            for given in (node.func, *node.args, *(one.value for one in node.keywords)):
                # the function that is called for each element is a part of the loop
                body = given.body if isinstance(given, ast.Lambda) else given
                visit(body, here if body is not given else loops)
        elif isinstance(node, _COMPREHENSIONS):
            for generator in node.generators:
                visit(generator.iter, loops)
                loops = inside(generator, generator.target.lineno, loops)
                visit_all((generator.target, *generator.ifs), loops)
            if isinstance(node, ast.DictComp):
                visit_all((node.key, node.value), loops)
            else:
                visit(node.elt, loops)
        elif isinstance(node, _BODIES):
            visit_all(ast.iter_child_nodes(node), ())
        else:
            visit_all(ast.iter_child_nodes(node), loops)

    visit(found.tree, ())
    return [around.get(site.index, ()) for site in found.sites]
