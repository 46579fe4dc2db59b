"""Import hooks: client modules are translated, remote modules get their client side."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from types import CodeType, ModuleType

from cord import own
from cord.plan.modules import is_of_python
from cord.runtime.births.births import Births
from cord.runtime.client import modules
from cord.runtime.client.remotes import RemoteFinder
from cord.runtime.client.translated import compile_module
from cord.runtime.travel import loaded
from cord.runtime.travel.executed import forget_loader
from cord.translate.results import MAIN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from cord.runtime.client.remotes import Serving


class ClientLoader(SourceFileLoader):
    """Loads a module of the project, its remote calls translated."""

    def __init__(self, name: str, path: str, births: Births) -> None:
        super().__init__(name, path)
        self._births = births

    def get_code(self, fullname: str) -> CodeType:
        """The module's translated code."""
        path = self.get_filename(fullname)
        if (module := sys.modules.get(fullname)) is not None:  # no frame of ours is above its code
            forget_loader(module, self, SourceFileLoader(fullname, path))
        return compile_module(self._births, fullname, self.get_data(path), path)

    def exec_module(self, module: ModuleType) -> None:
        """Run the module's code, and note what that has left."""
        loaded.add(self.name, self.path)
        super().exec_module(module)
        modules.note(module)


class OwnLoader(SourceFileLoader):
    """Loads a module of the project as it is, and has it noted what the import has left."""

    def exec_module(self, module: ModuleType) -> None:
        """Run the module's code."""
        forget_loader(module, self, SourceFileLoader(self.name, self.path))
        loaded.add(self.name, self.path)
        super().exec_module(module)
        modules.note(module)


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


class LaterFinder(RemoteFinder):
    """Looks after modules that are imported when the program runs already: none is translated."""

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None = None,
        target: ModuleType | None = None,
    ) -> ModuleSpec | None:
        """Find a module as the interpreter does, with a loader of Cord's."""
        if fullname.startswith("cord."):
            return own.Finder.find_spec(fullname, path)
        if fullname in self._names:
            return super().find_spec(fullname, path, target)
        return self._found(fullname, path, target)

    def _found(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None
    ) -> ModuleSpec | None:
        """A module that is not remote."""
        return _noted(fullname, path, target)


class Finder(LaterFinder):
    """Looks after the modules of the project too, which it translates.

    Args:
        births: The run's scouts.
        serving: As for `RemoteFinder`.
        main: Name of the module that `-m` runs; None for a script.
        begins: Is told of each other module whose import begins, unless the project has it.
    """

    def __init__(
        self,
        births: Births,
        serving: Serving,
        main: str | None = None,
        begins: Callable[[str], None] | None = None,
    ) -> None:
        super().__init__(births.answers.remote, serving)
        self._begins = begins
        self._births = births
        self._main = main

    def _found(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None
    ) -> ModuleSpec | None:
        answers = self._births.answers
        is_client = False
        with suppress(RecursionError):  # deep in the program, the analysis may find no room
            is_client = fullname in answers.modules() and bool(answers.sites(fullname))
        if not is_client and fullname != self._main:
            if self._begins is not None:
                self._begins(fullname)
            return _noted(fullname, path, target)
        spec = PathFinder.find_spec(fullname, path, target)
        if (
            spec is not None
            and spec.origin is not None
            and isinstance(spec.loader, SourceFileLoader)
        ):
            loader = MainLoader if fullname == self._main else ClientLoader
            spec.loader = loader(fullname, spec.origin, self._births)
        return spec


def _noted(
    fullname: str, path: Sequence[str] | None, target: ModuleType | None
) -> ModuleSpec | None:
    """Find a module that is not translated, if it is the project's and has its text in a file."""
    if "." not in fullname and fullname in sys.stdlib_module_names:
        return None
    if path is not None and any(is_of_python(f"{entry}{os.sep}") for entry in path):
        return None
    spec = PathFinder.find_spec(fullname, path, target)
    if spec is None or type(spec.loader) is not SourceFileLoader or spec.origin is None:
        return None
    if is_of_python(spec.origin):
        return None
    spec.loader = OwnLoader(fullname, spec.origin)
    return spec


# As `Wrapping.exec_module`: tracebacks of a failing import leave these frames out.
for _loader in (ClientLoader, OwnLoader):
    _loader.exec_module.__code__ = _loader.exec_module.__code__.replace(
        co_filename="<frozen importlib._bootstrap_external>", co_name="_call_with_frames_removed"
    )
