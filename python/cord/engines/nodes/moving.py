"""A node's interpreter in which the program's folder is where it is on the program's machine.

All that a program is told goes by the names that it knows: `__file__`, `sys.path`, the working
directory, tracebacks, errors. The functions that take such names, those of `posix` and `open`, are
replaced by some that look where this node has the files. That is enough for the import system,
which then does with these names what it does anywhere. Child processes, and C code that opens files
by itself, see this node as it is.
"""

from __future__ import annotations

import _imp
import _io
import builtins
import io
import os
import posix
import sys
from types import SimpleNamespace

from cord._core import Moved, Places

TYPE_CHECKING = False  # what the program may replace is not imported here
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any

# Functions of `posix` that take one path, two paths, or none and give one.
_ONE = (
    *("access", "chdir", "chmod", "chown", "getxattr", "lchown", "listdir", "listxattr", "lstat"),
    *("mkdir", "mkfifo", "mknod", "open", "pathconf", "readlink", "remove", "removexattr", "rmdir"),
    *("setxattr", "stat", "statvfs", "truncate", "unlink", "utime"),
)
_TWO = ("link", "rename", "replace", "symlink")
_NONE = ("getcwd", "getcwdb")
# Sets of such functions.
_SETS = ("supports_dir_fd", "supports_effective_ids", "supports_fd", "supports_follow_symlinks")


def move(there: str, here: str) -> None:
    """Let this process find the program's files.

    Args:
        there: The program's folder, by its name there.
        here: Where this node has it.
    """
    places = Places(there, here, _same_on_both(there))
    for names, paths in ((_ONE, 1), (_TWO, 2), (_NONE, 0)):
        for name in names:
            if hasattr(posix, name):
                function = getattr(posix, name)
                _replace(function, Moved(function, places, paths), posix, os)
    _replace(posix.scandir, _Scandir(posix.scandir, places), posix, os)
    _replace(_io.open_code, Moved(_io.open_code, places), _io, io)
    _replace(_io.open, Moved(_io.open, places, 1, os.open), _io, io, builtins)
    _imp.create_dynamic = _Extensions(_imp.create_dynamic, places)
    sys.path_importer_cache.clear()


def _same_on_both(there: str) -> list[str]:
    """Folders in the program's that are none of its files: an environment with its packages."""
    home = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(__file__))))
    folders = {sys.prefix, sys.exec_prefix, sys.base_prefix, home, *sys.path}
    within = os.path.join(there, "")
    return sorted(folder for folder in folders if folder.startswith(within))


def _replace(function: Any, by: Any, *modules: ModuleType) -> None:
    for module in modules:
        for name, value in list(vars(module).items()):
            if value is function:
                setattr(module, name, by)
    for name in _SETS:
        functions = getattr(os, name)
        if function in functions:
            functions.discard(function)
            functions.add(by)


class _Scandir:
    """`os.scandir`, whose entries have the names that were asked for."""

    def __init__(self, scandir: Any, places: Places) -> None:
        self._moved = Moved(scandir, places)
        self._places = places
        self.__name__ = "scandir"

    def __call__(self, path: Any = None) -> Any:
        entries = self._moved(path)
        text = path if path is None or isinstance(path, int) else os.fspath(path)
        is_moved = isinstance(text, str) and self._places.of(text) is not None
        return _Entries(entries, str(text)) if is_moved else entries


class _Entries:
    """An iterator over such entries."""

    def __init__(self, entries: Any, folder: str) -> None:
        self._entries = entries
        self._folder = folder
        self.close = entries.close

    def __iter__(self) -> _Entries:
        return self

    def __next__(self) -> _Entry:
        return _Entry(next(self._entries), self._folder)

    def __enter__(self) -> _Entries:
        return self

    def __exit__(self, *_failure: object) -> None:
        self.close()


class _Entry:
    """An entry of a folder."""

    def __init__(self, entry: Any, folder: str) -> None:
        self._entry = entry
        self.name: str = entry.name
        self.path = os.path.join(folder, entry.name)

    def __fspath__(self) -> str:
        return self.path

    def __getattr__(self, name: str) -> Any:
        return getattr(self._entry, name)

    def __repr__(self) -> str:
        return repr(self._entry)


class _Extensions:
    """Loads extension modules, which the system's loader does by their paths here."""

    def __init__(self, create: Any, places: Places) -> None:
        self._create = create
        self._places = places

    def __call__(self, spec: Any, *more: Any) -> Any:
        here = self._places.of(spec.origin)
        if here is None:
            return self._create(spec, *more)
        return self._create(SimpleNamespace(name=spec.name, origin=here), *more)
