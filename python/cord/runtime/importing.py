"""Import hooks: client modules are translated, remote modules get their client side."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from types import CodeType, ModuleType

from cord.runtime.births import Births
from cord.runtime.remotes import RemoteFinder
from cord.runtime.translated import compile_module


class ClientLoader(SourceFileLoader):
    """Loads a module of the project, its remote calls translated."""

    def __init__(self, name: str, path: str, births: Births) -> None:
        super().__init__(name, path)
        self._births = births

    def get_code(self, fullname: str) -> CodeType:
        """The module's translated code."""
        path = self.get_filename(fullname)
        return compile_module(self._births, fullname, self.get_data(path), path)


class Finder(RemoteFinder):
    """Stands first on `sys.meta_path` and looks after the modules of the plan and the project.

    Args:
        births: The run's scouts.
        serve: Makes the functions of a loaded remote module remote.
    """

    def __init__(self, births: Births, serve: Callable[[ModuleType], None]) -> None:
        super().__init__(births.project.remote, serve)
        self._births = births

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None = None,
        target: ModuleType | None = None,
    ) -> ModuleSpec | None:
        """Find a module as the interpreter does, with a loader of Cord's."""
        project = self._births.project
        if fullname in project.remote:
            return super().find_spec(fullname, path, target)
        module = project.modules.get(fullname)
        if module is None or not self._births.scouts.found(fullname).sites:
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if (
            spec is not None
            and spec.origin is not None
            and isinstance(spec.loader, SourceFileLoader)
        ):
            spec.loader = ClientLoader(fullname, spec.origin, self._births)
        return spec
