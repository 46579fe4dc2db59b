"""Import hooks: client modules are translated, remote modules get their client side."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from types import CodeType, ModuleType
from typing import Any

from cord.runtime.births import Births
from cord.runtime.session import Session
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


class RemoteLoader:
    """Loads a remote module as its own loader does, then makes its functions remote."""

    def __init__(self, loader: Any, session: Session) -> None:
        self._loader = loader
        self._session = session

    def __getattr__(self, name: str) -> Any:
        return getattr(self._loader, name)

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        """As the module's own loader does."""
        module: ModuleType | None = self._loader.create_module(spec)
        return module

    def exec_module(self, module: ModuleType) -> None:
        """Run the module's code, here and in its replicas; then make its functions remote."""
        order = self._session.begin(module)
        try:
            self._loader.exec_module(module)
        except BaseException:
            self._session.give_up(order)
            raise
        self._session.serve(module, order)


# Tracebacks of a failing import leave out frames of the import system, told by these two names.
# This loader's frame is one of them.
RemoteLoader.exec_module.__code__ = RemoteLoader.exec_module.__code__.replace(
    co_filename="<frozen importlib._bootstrap_external>", co_name="_call_with_frames_removed"
)


class Finder:
    """Stands first on `sys.meta_path` and looks after the modules of the plan and the project.

    Args:
        births: The run's scouts.
        session: The replicas of remote modules.
    """

    def __init__(self, births: Births, session: Session) -> None:
        self._births = births
        self._session = session
        self._shared = [finder for finder in sys.meta_path if hasattr(finder, "find_spec")]

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None = None,
        target: ModuleType | None = None,
    ) -> ModuleSpec | None:
        """Find a module as the interpreter does, with a loader of Cord's."""
        project = self._births.project
        if fullname in project.remote:
            spec = self._find_elsewhere(fullname, path, target)
            if spec is not None and spec.loader is not None:
                spec.loader = RemoteLoader(spec.loader, self._session)  # type: ignore[assignment]
            return spec
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

    def _find_elsewhere(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None
    ) -> ModuleSpec | None:
        """Ask the finders that replicas have too, those of editable installs among them."""
        for finder in sys.meta_path:
            if finder in self._shared:
                spec: ModuleSpec | None = finder.find_spec(fullname, path, target)
                if spec is not None:
                    return spec
        return None

    def install(self) -> None:
        """Take the place before the interpreter's own finders."""
        sys.meta_path.insert(0, self)
