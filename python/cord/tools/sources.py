"""The files that the analysis of effects reads: the program's own, and the remote modules'."""

from __future__ import annotations

import ast
import os
import sys
from importlib.util import decode_source

from cord.errors import SourceError
from cord.plan import modules
from cord.silence import silence
from cord.source.modules import Module, package_of
from cord.translate.results import MAIN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from cord.plan.program import Program

_NOT_THE_PROJECTS = ("site-packages", "dist-packages")


class Sources:
    """Finds and reads the modules of a project.

    Args:
        program: The program.
        remote: Names of the remote modules; what lies in their packages belongs to the project.
    """

    def __init__(self, program: Program, remote: Iterable[str]) -> None:
        self._folder = program.folder
        self._path = modules.search_path(program)
        self._packages = {name.partition(".")[0] for name in remote}
        self._program = os.path.realpath(program.path)
        self._package = program.package

    def main(self, tree: ast.Module) -> Module:
        """The program itself."""
        return Module(MAIN, shown(self._program), tree, self._package)

    def find(self, name: str) -> Module | None:
        """The module of that name, if it is the project's and can be read."""
        top = name.partition(".")[0]
        own = top in self._packages
        if not own and top in sys.stdlib_module_names and not self._beside(top):
            return None
        module = modules.find_module(name, self._path)
        if module is None or module.source is None:
            return None
        path = os.path.realpath(module.source)
        if path == self._program or not (own or self._is_in_folder(path)):
            return None
        try:
            with open(path, "rb") as file, silence():
                tree = ast.parse(file.read(), path)
        except (OSError, SyntaxError, ValueError, RecursionError):
            return None
        return Module(name, shown(module.source), tree, package_of(name, path))

    def _beside(self, top: str) -> bool:
        stem = os.path.join(self._folder, top)
        return os.path.exists(stem) or os.path.exists(f"{stem}.py")

    def _is_in_folder(self, path: str) -> bool:
        inside = path.startswith(self._folder + os.sep)
        return inside and not any(part in path for part in _NOT_THE_PROJECTS)


def parsed(path: str) -> ast.Module:
    """A file's syntax tree.

    Raises:
        SourceError: It is not Python, or cannot be read.
    """
    try:
        with open(path, "rb") as file:
            # Decoded here because the parser would let wrong bytes in comments pass.
            source = decode_source(file.read())
        with silence():
            tree = ast.parse(source, path)
            # Some errors, such as a return outside a function, show only here.
            compile(tree, path, "exec", dont_inherit=True)
    except SyntaxError as error:
        if error.lineno is None and (wrong := _undecodable(path)) is not None:
            raise wrong from None
        place = (shown(path), error.lineno, error.offset)
        raise SourceError(":".join(str(part) for part in place if part), error.msg) from None
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        byte = error.object[error.start]
        reason = f"not {error.encoding} text (byte 0x{byte:02x})"
        raise SourceError(f"{shown(path)}:{line}", reason) from None
    except (OSError, ValueError, RecursionError) as error:
        reason = (isinstance(error, OSError) and error.strerror) or str(error)
        raise SourceError(shown(path), reason) from None
    return tree


def _undecodable(path: str) -> SourceError | None:
    """What Python says of bytes that are not in the encoding that it takes the file for."""
    with open(path, "rb") as file:
        lines = file.read().splitlines()
    for number, line in enumerate(lines, 1):
        try:
            line.decode()
        except UnicodeDecodeError as error:
            reason = (
                f"not UTF-8 text (byte 0x{line[error.start]:02x}), and no encoding is declared; "
                "save the file in UTF-8"
            )
            return SourceError(f"{shown(path)}:{number}", reason)
    return None


def shown(path: str) -> str:
    """The path as short as it can be from here."""
    relative = os.path.relpath(path)
    return path if relative.startswith("..") else relative
