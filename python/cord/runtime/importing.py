"""Import hooks: client modules are translated, remote modules get their client side."""

from __future__ import annotations

import sys
from collections.abc import Callable, Container, Sequence
from contextlib import AbstractContextManager
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from types import CodeType, ModuleType
from typing import Any

from cord.runtime.births import Births
from cord.runtime.translated import compile_module
from cord.translate.project import MAIN

Serving = Callable[[ModuleType], AbstractContextManager[None]]


class ClientLoader(SourceFileLoader):
    """Loads a module of the project, its remote calls translated."""

    def __init__(self, name: str, path: str, births: Births) -> None:
        super().__init__(name, path)
        self._births = births

    def get_code(self, fullname: str) -> CodeType:
        """The module's translated code."""
        path = self.get_filename(fullname)
        return compile_module(self._births, fullname, self.get_data(path), path)


class MainLoader(ClientLoader):
    """Loads the module that `-m` runs, for `__main__`; imported by its name, it is another one.

    It is compiled once: a second compilation may build constant sets in another order.
    """

    def get_code(self, fullname: str) -> CodeType:
        """The code to run as `__main__`."""
        path = self.get_filename(fullname)
        return compile_module(self._births, MAIN, self.get_data(path), path)

    def exec_module(self, module: ModuleType) -> None:
        """Run the module under its own name."""
        exec(super().get_code(module.__name__), module.__dict__)


class RemoteLoader:
    """Loads a remote module as its own loader does, then makes its functions remote."""

    def __init__(self, loader: Any, serving: Serving) -> None:
        self._loader = loader
        self._serving = serving

    def __getattr__(self, name: str) -> Any:
        return getattr(self._loader, name)

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        """As the module's own loader does."""
        module: ModuleType | None = self._loader.create_module(spec)
        return module

    def exec_module(self, module: ModuleType) -> None:
        """Run the module's code, then make its functions remote."""
        with self._serving(module):
            self._loader.exec_module(module)


# Tracebacks of a failing import leave out frames of the import system, told by these two names.
# This loader's frame is one of them.
RemoteLoader.exec_module.__code__ = RemoteLoader.exec_module.__code__.replace(
    co_filename="<frozen importlib._bootstrap_external>", co_name="_call_with_frames_removed"
)


class RemoteFinder:
    """Stands first on `sys.meta_path` and looks after the remote modules.

    Args:
        remote: Their names.
        serving: Around the execution of one of them; makes its functions remote.
    """

    def __init__(self, remote: Container[str], serving: Serving) -> None:
        self._remote = remote
        self._serving = serving
        self._shared = [finder for finder in sys.meta_path if hasattr(finder, "find_spec")]

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None = None,
        target: ModuleType | None = None,
    ) -> ModuleSpec | None:
        """Find a remote module as the interpreter does, with a loader of Cord's."""
        if fullname not in self._remote:
            return None
        spec = self._find_elsewhere(fullname, path, target)
        if spec is not None and spec.loader is not None:
            spec.loader = RemoteLoader(spec.loader, self._serving)  # type: ignore[assignment]
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

    def remove(self) -> None:
        """Give the place up."""
        sys.meta_path.remove(self)


class Finder(RemoteFinder):
    """Looks after the modules of the project too, which it translates.

    Args:
        births: The run's scouts.
        serving: As for `RemoteFinder`.
        main: Name of the module that `-m` runs; None for a script.
    """

    def __init__(self, births: Births, serving: Serving, main: str | None = None) -> None:
        super().__init__(births.project.remote, serving)
        self._births = births
        self._main = main

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
        is_client = fullname in project.modules and self._births.scouts.found(fullname).sites
        if not is_client and fullname != self._main:
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if (
            spec is not None
            and spec.origin is not None
            and isinstance(spec.loader, SourceFileLoader)
        ):
            loader = MainLoader if fullname == self._main else ClientLoader
            spec.loader = loader(fullname, spec.origin, self._births)
        return spec
