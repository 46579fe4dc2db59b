"""Where Python says that a call stands which goes over several lines.

A call of a method stands in the line of the method's name, any other call where it begins. The
compiler looks for that name in the callee, where a take has its own.
"""

from __future__ import annotations

import ast
from collections.abc import Set as AbstractSet

from .scope import own_nodes


def imported_names(module: ast.Module) -> AbstractSet[str]:
    """The names that a module's own code imports: the compiler takes their attributes for plain."""
    names: set[str] = set()
    for node in own_nodes(module):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            names.update(alias.asname or alias.name.partition(".")[0] for alias in node.names)
    return names


def stands_elsewhere(call: ast.Call) -> bool:
    """Tell whether a call may stand in another line than the one in which it begins."""
    return isinstance(call.func, ast.Attribute) and call.func.end_lineno != call.lineno


def move_to_name(call: ast.Call, imported: AbstractSet[str]) -> None:
    """Let a call that stands elsewhere begin in the line of its method's name.

    Args:
        call: The call.
        imported: What `imported_names` says of its module.
    """
    method = call.func
    assert isinstance(method, ast.Attribute)
    if isinstance(method.value, ast.Name) and method.value.id in imported:
        return
    assert method.end_lineno is not None
    assert method.end_col_offset is not None
    call.lineno = method.end_lineno
    call.col_offset = method.end_col_offset - len(method.attr)


def at_start(func: ast.Attribute, call: ast.Call) -> ast.Attribute:
    """Locate the callee of a call in its first line, so that the compiler leaves it there."""
    ast.copy_location(func, call)
    if call.end_lineno != call.lineno:
        func.end_lineno, func.end_col_offset = call.lineno, call.col_offset
    return func
