"""Modules that stand for those of a program, of which nothing is executed.

Of what a run decides by the objects of modules, `cord explain` can ask the same functions: they
look at names, code and classes, and run none of it. Functions are made from compiled text. What
imports bind is what the standard library has; of other libraries it is known only that they are
modules. Of variables it is known what displays make, and of which library a call makes something.
"""

from __future__ import annotations

import ast
import builtins
import importlib
import os
import sys
from contextlib import contextmanager, suppress
from types import CellType, CodeType, FunctionType, ModuleType
from typing import TYPE_CHECKING, Any

from cord.runtime.objects.reach import is_of_project
from cord.silence import silence
from cord.source.scope import own_nodes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cord.source.modules import Module
    from cord.translate.sites.project import Project

_TELL = frozenset({"antigravity", "this"})  # modules that do something when they are imported
_CONTAINERS = (list, dict, set, bytearray)
_DISPLAYS = {
    ast.List: list,
    ast.ListComp: list,
    ast.Dict: dict,
    ast.DictComp: dict,
    ast.Set: set,
    ast.SetComp: set,
}


class Standins:
    """What stands for the modules of a project.

    Args:
        project: The project.
    """

    def __init__(self, project: Project) -> None:
        self._project = project
        self._modules = {name: ModuleType(name) for name in project.modules}
        for name, module in project.modules.items():
            vars(self._modules[name])["__file__"] = os.path.abspath(module.path)
            self._define(module, vars(self._modules[name]))
        for module in project.modules.values():
            self._bind(module, vars(self._modules[module.name]))

    def __getitem__(self, name: str) -> ModuleType:
        return self._modules[name]

    def find(self, module: str, name: str) -> Any:
        """The function of this name, or `Class.name`; None if there is none."""
        value: Any = self._modules.get(module)
        for part in name.split("."):
            value = None if value is None else vars(value).get(part)
        return value

    @contextmanager
    def in_place(self) -> Iterator[dict[str, ModuleType]]:
        """Meanwhile these are the modules that are loaded, besides libraries."""
        before = sys.modules.copy()
        for name, module in before.items():
            if is_of_project(module):
                del sys.modules[name]
        sys.modules.update(self._modules)
        try:
            yield self._modules
        finally:
            for name in self._modules.keys() - before.keys():
                del sys.modules[name]
            sys.modules.update(before)

    def _define(self, module: Module, space: dict[str, Any]) -> None:
        """Bind the functions and classes of a module."""
        with suppress(SyntaxError, ValueError, RecursionError), silence():
            text = module.source or ast.unparse(module.tree)
            code = compile(text, module.path, "exec", dont_inherit=True)
            space.update(_defined(code, space, module.name))

    def _bind(self, module: Module, space: dict[str, Any]) -> None:
        """Bind what imports and assignments bind."""
        for name in module.wanted:  # functions that import find them loaded
            self._object(name)
        for star in module.stars:
            for name, value in vars(self._object(star) or _NOTHING).items():
                space.setdefault(name, value)
        for name, dotted in module.imports.items():
            value = self._object(dotted[-1])
            if value is not None:
                space.setdefault(name, value)
        for node in own_nodes(module.tree):
            if isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None:
                value = self._made(node.value, space)
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                for target in targets:
                    if isinstance(target, ast.Name) and value is not None:
                        space.setdefault(target.id, value)

    def _object(self, dotted: str) -> Any:
        """What a dotted name stands for; None if that is not known."""
        above, _, last = dotted.rpartition(".")
        top = dotted.partition(".")[0]
        if top in self._modules:
            return self._modules.get(dotted) or vars(self._modules.get(above, _NOTHING)).get(last)
        if top not in sys.stdlib_module_names or top in _TELL:
            return None if above else ModuleType(dotted)
        for name in filter(None, (dotted, above)):
            with suppress(ImportError):
                found = importlib.import_module(name)
                return found if name == dotted else getattr(found, last, None)
        return None

    def _made(self, value: ast.expr, space: dict[str, Any]) -> Any:
        """What stands for a variable's value; None if it is not known."""
        if type(value) in _DISPLAYS:
            return _DISPLAYS[type(value)]()
        if not isinstance(value, ast.Call):
            return None
        maker = _named(value.func, space)
        home = getattr(maker, "__module__", None)
        if not isinstance(home, str) or home in self._modules:
            return None
        if home == "builtins":
            return maker() if any(maker is one for one in _CONTAINERS) else None
        return type("made", (), {"__module__": home})()


_NOTHING = ModuleType("nothing")


def _named(func: ast.expr, space: dict[str, Any]) -> Any:
    if isinstance(func, ast.Name):
        return space.get(func.id, getattr(builtins, func.id, None))
    if isinstance(func, ast.Attribute):
        owner = _named(func.value, space)
        return vars(owner).get(func.attr) if isinstance(owner, ModuleType) else None
    return None


def _defined(code: CodeType, space: dict[str, Any], module: str) -> Iterator[tuple[str, Any]]:
    """The functions and classes that code binds by statements."""
    for one in code.co_consts:
        if not isinstance(one, CodeType) or "<" in one.co_name:
            continue
        if one.co_flags & _OPTIMIZED:
            cells = tuple(CellType() for _ in one.co_freevars)
            yield one.co_name, FunctionType(one, space, one.co_name, None, cells or None)
        else:
            inside = dict(_defined(one, space, module))
            yield one.co_name, type(one.co_name, (), {**inside, "__module__": module})


_OPTIMIZED = 1  # code of functions keeps its variables in places of their own
