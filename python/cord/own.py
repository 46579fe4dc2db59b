"""Cord's own modules, found and loaded in few steps, and with the last descriptors if need be.

There are more than a hundred of them on the way to a first call, and Python's finders take a third
of the time for each. Bytecode counts as it does for Python: by the source's time and size.

Many are imported when they are first needed, in the midst of the program or of a replica's calls,
which may have left no descriptor. The core holds some back for such moments.
"""

from __future__ import annotations

import marshal
import os
import sys
from _frozen_importlib_external import (
    MAGIC_NUMBER,
    SourceFileLoader,
    spec_from_file_location,
)
from _imp import _fix_co_filename  # type: ignore[attr-defined] # importlib does the same with it
from errno import EMFILE, ENFILE
from io import open_code

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from importlib.machinery import ModuleSpec
    from types import CodeType, ModuleType
    from typing import Any, Final

_TAG: Final = sys.implementation.cache_tag
_WORD: Final = 0xFFFFFFFF


class Finder:
    """Finds Cord's own modules, and no others."""

    @staticmethod
    def find_spec(
        name: str, path: Sequence[str] | None = None, target: object = None
    ) -> ModuleSpec | None:
        """Find a module or package in the folder of the package that it belongs to."""
        if not name.startswith("cord.") or path is None or len(path) != 1:
            return None
        folder, stem, inner = path[0], name.rpartition(".")[2], None
        try:
            status = os.stat(f"{folder}/{stem}.py")
        except OSError:
            folder, stem = f"{folder}/{stem}", "__init__"
            inner = [folder]
            try:
                status = os.stat(f"{folder}/{stem}.py")
            except OSError:
                return None
        loader = Loader(name, f"{folder}/{stem}.py", status)
        spec = spec_from_file_location(
            name, loader.path, loader=loader, submodule_search_locations=inner
        )
        if spec is not None and _TAG and sys.pycache_prefix is None and not sys.flags.optimize:
            spec.cached = loader.bytecode = f"{folder}/__pycache__/{stem}.{_TAG}.pyc"
        return spec


class Loader(SourceFileLoader):
    """Loads one of these modules.

    Attributes:
        bytecode: Where its bytecode is, if there is any at the usual place.

    Args:
        name: The module's name.
        path: Its file.
        status: What the system says of that.
    """

    bytecode = ""

    def __init__(self, name: str, path: str, status: os.stat_result) -> None:
        super().__init__(name, path)
        stamp = (status.st_size & _WORD) << 32 | int(status.st_mtime) & _WORD
        self._head = MAGIC_NUMBER + bytes(4) + stamp.to_bytes(8, "little")

    def get_code(self, fullname: str) -> CodeType | None:
        """The module's code: the bytecode that is there, if it is of this source."""
        try:
            with open_code(self.bytecode) as file:
                data = file.read()
        except OSError:
            data = b""
        if data.startswith(self._head):
            code: CodeType = marshal.loads(memoryview(data)[len(self._head) :])
            _fix_co_filename(code, self.path)  # who compiled it may have named it by another path
            return code
        return super().get_code(fullname)

    def exec_module(self, module: ModuleType) -> None:
        """Run the module's code; from the start again, where a descriptor was lacking."""
        _with_spare(super().exec_module, module)


def _with_spare(act: Callable[[Any], None], about: object) -> None:
    """Do something, with the descriptors at hand that are held back if one is lacking."""
    try:
        act(about)
    except OSError as exc:
        if exc.errno not in (EMFILE, ENFILE):
            raise
        from cord import _core

        _core.give_spare()
        try:
            act(about)
        finally:
            _core.keep_spare()
