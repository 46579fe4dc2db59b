"""Modules of the library in which replicas change something, once they are imported."""

from __future__ import annotations

import sys

TYPE_CHECKING = False  # typing is not imported on the way to a first call
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from importlib.machinery import ModuleSpec
    from types import ModuleType
    from typing import Any


def when_imported(name: str, act: Callable[[Any], None]) -> None:
    """Do something with a module: now if it is there, else when it is imported.

    Args:
        name: The module.
        act: What is done, given the module.
    """
    if name in sys.modules:
        act(sys.modules[name])
    else:
        sys.meta_path.insert(0, _Awaited(name, act))


class _Awaited:
    """Stands on `sys.meta_path` until the module is imported.

    Args:
        name: The module.
        act: What is done then.
    """

    def __init__(self, name: str, act: Callable[[Any], None]) -> None:
        self._name = name
        self._act = act
        self._loader: Any = None

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None = None,
        target: ModuleType | None = None,
    ) -> ModuleSpec | None:
        """Find the module as the others do, with a loader that does one thing more."""
        if fullname != self._name or self not in sys.meta_path:
            return None
        sys.meta_path.remove(self)
        for finder in sys.meta_path[:]:
            spec: ModuleSpec | None = finder.find_spec(fullname, path, target)
            if spec is not None:
                self._loader, spec.loader = spec.loader, self  # type: ignore[assignment]
                return spec
        return None

    def __getattr__(self, name: str) -> Any:
        return getattr(self._loader, name)

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        """As its own loader does."""
        module: ModuleType | None = self._loader.create_module(spec)
        return module

    def exec_module(self, module: ModuleType) -> None:
        """Run the module's code, then do what is to be done."""
        module.__loader__ = self._loader
        if module.__spec__ is not None:
            module.__spec__.loader = self._loader
        self._loader.exec_module(module)
        self._act(module)
