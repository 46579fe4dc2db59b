"""Which modules a program imports, itself or through the modules in its folder."""

from __future__ import annotations

import ast
import os
from importlib.util import source_hash

from cord.plan import modules
from cord.source.modules import package_of
from cord.source.scope import imported_modules

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cord.plan.program import Program


class Imports:
    """The imports of a program.

    Attributes:
        names: The dotted names of the modules that may be imported. `from a import b` counts as
            a and as a.b.
        strings: The string constants, one of which may name a module for `importlib`.
        files: The files that were read for it, beside the program itself, with hashes of them.
    """

    def __init__(self, program: Program, tree: ast.Module) -> None:
        self.names: set[str] = set()
        self.strings: set[str] = set()
        self.files: list[tuple[str, bytes]] = []
        self._folder = program.folder
        self._path = modules.search_path(program)
        waiting = self._note(tree, package=program.package)
        while waiting:
            waiting += self._follow(waiting.pop())

    def may_import(self, name: str) -> bool:
        """Whether the module `name` may be imported when the program runs."""
        return name in self.names or name in self.strings

    def _note(self, tree: ast.Module, package: str) -> list[str]:
        """Adds what one file imports; returns the names that are new."""
        new = []
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                self.strings.add(node.value)
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                for name in imported_modules(node, package):
                    if name not in self.names:
                        self.names.add(name)
                        new.append(name)
        return new

    def _follow(self, name: str) -> list[str]:
        """Reads the module `name` if it is one of the program's folder."""
        module = modules.find_module(name, self._path)
        if module is None or module.source is None:
            return []
        source = os.path.realpath(module.source)
        if not source.startswith(self._folder + os.sep):
            return []
        try:
            with open(source, "rb") as file:
                text = file.read()
            tree = ast.parse(text, source)
        except (OSError, SyntaxError, ValueError):
            return []
        self.files.append((source, source_hash(text)))
        return self._note(tree, package_of(name, source))
