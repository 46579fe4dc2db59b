"""What is done when a module has been loaded: settings of it that the client has set before."""

from __future__ import annotations

import sys

TYPE_CHECKING = False  # typing is not imported on the way to a first call
if TYPE_CHECKING:
    from collections.abc import Callable
    from importlib.abc import Loader
    from importlib.machinery import ModuleSpec
    from types import ModuleType
    from typing import Any

# By module, and by name, so that each is done once.
_waiting: dict[str, dict[str, Callable[[], None]]] = {}


def when_loaded(module: str, name: str, do: Callable[[], None]) -> None:
    """Do something after a module has been executed, which it has not by now.

    Args:
        module: The module.
        name: What is done: it takes the place of what was to be done under this name.
        do: Does it.
    """
    if not any(isinstance(finder, _Finder) for finder in sys.meta_path):
        sys.meta_path.insert(0, _Finder())
    _waiting.setdefault(module, {})[name] = do


class _Finder:
    """Finds what the other finders find, and has it tell when it has been executed."""

    def find_spec(self, name: str, path: Any = None, target: ModuleType | None = None) -> Any:
        if name not in _waiting:
            return None
        for finder in [*sys.meta_path]:
            find = getattr(finder, "find_spec", None)
            spec = None if finder is self or find is None else find(name, path, target)
            if spec is not None:
                if spec.loader is not None and hasattr(spec.loader, "exec_module"):
                    spec.loader = _Telling(spec.loader)
                return spec
        return None


class _Telling:
    """Loads as another loader does, whose place it has given back when the module is executed."""

    def __init__(self, loader: Loader) -> None:
        self._loader = loader

    def __getattr__(self, name: str) -> Any:
        return getattr(self._loader, name)

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return self._loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        if module.__spec__ is not None:
            module.__spec__.loader = self._loader
        module.__loader__ = self._loader
        self._loader.exec_module(module)
        for do in _waiting.pop(module.__name__, {}).values():
            do()
