"""The program that a plan is for: a script, a module run with `-m`, or one that runs already."""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cord.plan.modules import FoundModule
    from cord.plan.outlines import Outlines


class Program:
    """Where a program is, and how it is run.

    Attributes:
        name: How the user named it, for messages.
        path: The path of its main file; "" if there is none.
        folder: The folder that Python puts first on `sys.path` for it.
        plan_folder: The folder in which its cord.toml is looked for first.
        module: The name after `-m`, or None.
        is_archive: Whether it is a zip file with a `__main__.py`; what is in it is not read.
        package: The package that relative imports in the main file start from.
        runs: Whether it runs already, in this process: `sys.path` is then its own.
        looked_up: Where the modules are that were looked for by `find`.
        listed: When the folders were changed last in which modules were looked for by patterns.
    """

    def __init__(
        self,
        name: str,
        path: str,
        folder: str,
        plan_folder: str,
        *,
        module: str | None = None,
        package: str = "",
        runs: bool = False,
        is_archive: bool = False,
    ) -> None:
        self.name = name
        self.path = path
        self.folder = folder
        self.plan_folder = plan_folder
        self.module = module
        self.package = package
        self.runs = runs
        self.is_archive = is_archive
        self.looked_up: dict[str, tuple[str, str] | None] = {}
        self.listed: dict[str, int | None] = {}
        self._outlines: Outlines | None = None

    @property
    def is_adopted(self) -> bool:
        """Whether functions become remote in the midst of its run: also methods of the script's."""
        return self.runs and bool(self.path)

    @property
    def main_module(self) -> str | None:
        """The name under which the main file could be imported, if `-m` runs it."""
        if self.module is None:
            return None
        is_package = os.path.basename(self.path) == "__main__.py"
        return f"{self.package}.__main__" if is_package else self.module

    @property
    def kept_beside(self) -> str:
        """The file among whose bytecode results are kept for later runs; "" if none are.

        What is kept is code, so it is kept only where Python itself would load code from: a
        script's folder is no such place under `-P` and `-I`.
        """
        if self.runs or not self.path or (sys.flags.safe_path and self.module is None):
            return ""
        return os.path.realpath(self.path)

    @property
    def identity(self) -> tuple[str | None, ...]:
        """What tells this program, run in this way, from others."""
        return self.name, self.path, self.folder, self.plan_folder, self.module, self.package

    def find(self, name: str) -> FoundModule | None:
        """The module that an import in the program would find, or None."""
        from cord.plan.modules import find_module, search_path

        found = find_module(name, search_path(self))
        source = "" if found is None or found.source is None else found.source
        self.looked_up[name] = None if found is None else (source, os.path.realpath(source))
        return found

    def where(self, name: str) -> tuple[str, str] | None:
        """Where that module's source is, and without links; "" for none, None for no module."""
        if name not in self.looked_up:
            self.find(name)
        return self.looked_up[name]

    def note_folder(self, folder: str) -> None:
        """Note that the plan hangs on what modules there are in a folder."""
        self.listed[folder] = changed_at(folder)

    @property
    def outlines(self) -> Outlines:
        """What the modules that its plan names bind."""
        if self._outlines is None:
            from cord.plan.outlines import Outlines

            self._outlines = Outlines(self.kept_beside)
        return self._outlines


def changed_at(folder: str) -> int | None:
    """When something was added to a folder, or taken from it, in nanoseconds; None for none."""
    try:
        return os.stat(folder or ".").st_mtime_ns
    except OSError:
        return None


def script(path: str) -> Program:
    """The program whose main file is `path`; that may be a zip file, as zipapp makes them."""
    if _is_archive(path):
        return Program(path, "", os.path.abspath(path), os.path.dirname(path), is_archive=True)
    # Python follows links to find the folder
    folder = os.path.dirname(os.path.realpath(path))
    return Program(path, path, folder, os.path.dirname(path))


def _is_archive(path: str) -> bool:
    if path.endswith(".py"):
        return False
    from zipimport import ZipImportError, zipimporter

    try:
        return zipimporter(path).find_spec("__main__") is not None
    except ZipImportError:
        return False


def module(name: str) -> Program:
    """The program that `python -m NAME` runs; its path is "" where it is not found as source."""
    from cord.plan.modules import find_module, search_path

    here = os.getcwd()
    program = Program(f"-m {name}", "", here, here, module=name)
    found = find_module(name, search_path(program))
    is_package = found is not None and (
        found.is_namespace or os.path.basename(found.source or "") == "__init__.py"
    )
    if is_package:
        found = find_module(f"{name}.__main__", search_path(program))
    if found is not None and found.source is not None:
        program.path = found.source
    program.package = name if is_package else name.rpartition(".")[0]
    return program


def running() -> Program:
    """The program that runs in this process, whatever its main file is."""
    here = os.getcwd()
    return Program("this program", "", here, "", runs=True)
