"""Code that replaces what a module or a class holds, other than by an assignment."""

from __future__ import annotations

import ast

from . import summary as kinds
from .values import CLASS, FUNC, GLOBAL, MODULE, Obj, Value, ordered

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .arguments import Arguments
    from .frame import Frame

ALL = "*"  # stands for all names of a module or class
# By the last part of the callee's name: setattr(work, "f", g), monkeypatch.setattr("work.f", g),
# mock.patch("work.f"), mock.patch.object(work, "f"), importlib.reload(work), vars(work).
_SETTERS = frozenset("setattr delattr patch object dict multiple setitem delitem".split())
_WHOLE = frozenset("reload vars multiple dict".split())
# What a decorator of the library keeps besides the function, and how others come by it.
_LOOKS = frozenset("cache_info cache_clear cache_parameters register registry dispatch".split())


def note_call(frame: Frame, node: ast.Call, arguments: Arguments) -> None:
    """Note what a call replaces, if it is one of those that do."""
    func = node.func
    name = func.attr if isinstance(func, ast.Attribute) else getattr(func, "id", "")
    if name not in _SETTERS | _WHOLE or not node.args:
        return
    first = node.args[0]
    if isinstance(first, ast.Constant) and isinstance(first.value, str):
        holder, _, target = first.value.rpartition(".")
        module, inside = _module_of(frame, holder)
        if module:
            _write(frame, module, ".".join([*inside, target]), node)
        return
    held: Value = arguments.positional[0] if arguments.positional else frozenset()
    for obj in ordered(held):
        if name in _WHOLE and obj.kind == MODULE:
            _write(frame, obj.name, ALL, node)
        elif name in _SETTERS and obj.kind in (MODULE, CLASS, FUNC):
            _write_attribute(frame, obj, node.args[1] if len(node.args) > 1 else None, node)


def note_look(frame: Frame, receiver: Value, name: str, node: ast.AST) -> None:
    """Note a look at what is kept beside a function: by `lru_cache`, by `singledispatch`."""
    if name not in _LOOKS:
        return
    for obj in ordered(receiver):
        if obj.kind == FUNC and not (frame.is_body and obj.owner == frame.module):
            place = (frame.module, getattr(node, "lineno", 0))
            frame.analysis.looked.setdefault((obj.owner, obj.name), place)


def note_namespace(frame: Frame, obj: Obj, node: ast.AST) -> None:
    """Note the use of `module.__dict__`, by which everything in it may be set."""
    if obj.kind == MODULE:
        _write(frame, obj.name, ALL, node)


def _write_attribute(frame: Frame, obj: Obj, name: ast.expr | None, node: ast.AST) -> None:
    text = name.value if isinstance(name, ast.Constant) and isinstance(name.value, str) else ALL
    if obj.kind == MODULE:
        _write(frame, obj.name, text, node)
    else:
        _write(frame, obj.owner, f"{obj.name}.{text}", node)


def _module_of(frame: Frame, dotted: str) -> tuple[str, list[str]]:
    """The module of the project that a dotted name begins with, and the names inside it."""
    parts = dotted.split(".")
    inside: list[str] = []
    while parts:
        if ".".join(parts) in frame.world.modules:
            return ".".join(parts), inside
        inside.insert(0, parts.pop())
    return "", []


def _write(frame: Frame, module: str, name: str, node: ast.AST) -> None:
    if module in frame.world.modules and not (frame.is_body and module == frame.module):
        frame.effect(kinds.WRITES, Obj(GLOBAL, module, name), node)
