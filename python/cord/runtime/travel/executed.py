"""Modules with which something is done when they are executed, by whichever loader."""

from __future__ import annotations

import sys

TYPE_CHECKING = False  # typing is not imported on the way to a first call
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from contextlib import AbstractContextManager
    from importlib.machinery import ModuleSpec
    from types import ModuleType
    from typing import Any

    Around = Callable[[ModuleType], AbstractContextManager[None]]

# By module, and by a name, so that each is done once.
_waiting: dict[str, dict[str, Callable[[Any], None]]] = {}


def when_imported(module: str, act: Callable[[Any], None]) -> None:
    """Do something with a module: now if it is there, else when it has been executed.

    Args:
        module: The module.
        act: What is done, given the module.
    """
    if module in sys.modules:
        act(sys.modules[module])
    else:
        when_executed(module, f"{act.__module__}.{act.__qualname__}", act)


def when_executed(module: str, name: str, act: Callable[[Any], None]) -> None:
    """Do something after a module has been executed, which it has not by now.

    Args:
        module: The module.
        name: What is done: it takes the place of what was to be done under this name.
        act: Does it, given the module.
    """
    if not sys.meta_path or sys.meta_path[0] is not _finder:  # others may have come before it
        sys.meta_path[:] = [_finder, *(one for one in sys.meta_path if one is not _finder)]
    _waiting.setdefault(module, {})[name] = act


class _Finder:
    """Finds what the other finders find, and has it tell when it has been executed."""

    def __init__(self) -> None:
        self._asking: set[str] = set()  # others, which may ask all that there are, this one too

    def find_spec(self, name: str, path: Any = None, target: ModuleType | None = None) -> Any:
        if name not in _waiting or name in self._asking:
            return None
        self._asking.add(name)
        try:
            spec = found_by([*sys.meta_path], name, path, target)
        finally:
            self._asking.discard(name)
        if spec is not None and hasattr(spec.loader, "exec_module"):
            spec.loader = Wrapping(spec.loader, _Telling)
        return spec


_finder = _Finder()


class _Telling:
    """Around the execution of a module for which something waits."""

    def __init__(self, module: ModuleType) -> None:
        self._module = module

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, *_: object) -> None:
        if kind is None:
            for act in _waiting.pop(self._module.__name__, {}).values():
                act(self._module)


def found_by(finders: Iterable[Any], name: str, path: Any, target: Any) -> Any:
    """The spec of a module by the first of some finders that has one; None if none has."""
    for finder in finders:
        find = getattr(finder, "find_spec", None)
        spec: ModuleSpec | None = None if find is None else find(name, path, target)
        if spec is not None:
            return spec
    return None


class Wrapping:
    """Loads a module as another loader does, whose place it has given back when the module runs.

    Args:
        loader: The other loader.
        around: What the module is executed in.
    """

    def __init__(self, loader: Any, around: Around) -> None:
        self._loader = loader
        self._around = around

    def __getattr__(self, name: str) -> Any:
        return getattr(self._loader, name)

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        """As the module's own loader does."""
        module: ModuleType | None = self._loader.create_module(spec)
        return module

    def exec_module(self, module: ModuleType) -> None:
        """Run the module's code."""
        forget_loader(module, self, self._loader)
        with self._around(module):
            self._loader.exec_module(module)


# Tracebacks of a failing import leave out frames of the import system, told by these two names.
# This loader's frame is one of them.
Wrapping.exec_module.__code__ = Wrapping.exec_module.__code__.replace(
    co_filename="<frozen importlib._bootstrap_external>", co_name="_call_with_frames_removed"
)


def forget_loader(module: ModuleType, ours: object, plain: Any) -> None:
    """Let a module, which is about to run, name the loader that it has in plain Python.

    Args:
        module: The module.
        ours: The loader of Cord's.
        plain: The one that it stands for.
    """
    if module.__loader__ is ours:
        module.__loader__ = plain
    if module.__spec__ is not None and module.__spec__.loader is ours:
        module.__spec__.loader = plain
