"""The text of the project's modules as the program has imported it: replicas import the same.

A replica may start, or import a module, when the file is another one by then, or gone. What the
program has imported lies in memory that it shares with all replicas on this machine: it is there
before they are, and needs no descriptor, which the program might close. Copies of the program read
it where it is. Elsewhere replicas have files of their own.
"""

from __future__ import annotations

import marshal
import os
import sys
from _frozen_importlib_external import SourceFileLoader

from cord._core import is_copy, read_in_copies

TYPE_CHECKING = False  # typing is not imported on the way to a first call
if TYPE_CHECKING:
    from importlib.machinery import ModuleSpec
    from mmap import mmap
    from typing import Any, Final

# Of so much only what is written takes memory.
_SIZE: Final = 256 << 20
_WORD: Final = 8


class Text:
    """What a module was executed from.

    Attributes:
        times: How often the program has begun to execute it by then.
        path: Its file.
        stamp: The file's time and size.
        source: What was in it.
    """

    __slots__ = ("path", "source", "stamp", "times")

    def __init__(self, times: int, path: str, stamp: tuple[int, int], source: bytes) -> None:
        self.times = times
        self.path = path
        self.stamp = stamp
        self.source = source


class Texts:
    """The texts of modules, written by the program and read by its replicas."""

    def __init__(self, memory: mmap) -> None:
        self._memory = memory
        self._owner = os.getpid()
        self._read = _WORD
        self._known: dict[str, Text] = {}

    def add(self, name: str, path: str) -> None:
        """Note what is in a module's file, which the program is about to execute.

        Args:
            name: The module's name.
            path: Its file; one that cannot be read is passed over.
        """
        if is_copy() or os.getpid() != self._owner:
            return
        try:
            with open(path, "rb", buffering=0) as file:
                stamp = _stamp(os.fstat(file.fileno()))
                source = file.read()
        except OSError:
            return
        before = self.find(name)
        times = 1 if before is None else before.times + 1
        record = marshal.dumps((name, times, path, stamp, source))
        at = self._read
        end = at + _WORD + len(record)
        if end > len(self._memory):
            return
        self._memory[at + _WORD : end] = record
        self._memory[at : at + _WORD] = len(record).to_bytes(_WORD, "little")
        self._memory[:_WORD] = end.to_bytes(_WORD, "little")

    def find(self, name: str) -> Text | None:
        """What the program has last executed a module from."""
        end = int.from_bytes(self._memory[:_WORD], "little")
        while self._read < end:
            at = self._read + _WORD
            length = int.from_bytes(self._memory[self._read : at], "little")
            key, times, path, stamp, source = marshal.loads(self._memory[at : at + length])
            self._known[key] = Text(times, path, stamp, source)
            self._read = at + length
        return self._known.get(name)

    def are_anew(self) -> bool:
        """Whether one is of a module that had been executed before."""
        self.find("")
        return any(text.times > 1 for text in self._known.values())


_kept: list[Texts] = []  # at most one


def begin() -> None:
    """Have the texts of modules kept from here on: replicas are forked later."""
    _kept.clear()
    try:
        from mmap import mmap

        memory = mmap(-1, _SIZE)
        read_in_copies(memory)
        _kept.append(Texts(memory))
    except (ImportError, OSError, ValueError):
        return  # no room: replicas read files


def add(name: str, path: object) -> None:
    """The program is about to execute a module from this file."""
    if _kept and isinstance(path, str):
        _kept[0].add(name, path)


def times(name: str) -> int:
    """How often the program has begun to execute a module."""
    text = _kept[0].find(name) if _kept else None
    return 0 if text is None else text.times


def are_anew() -> bool:
    """Whether the program has begun to execute a module that it had executed before."""
    return bool(_kept) and _kept[0].are_anew()


def _stamp(status: os.stat_result) -> tuple[int, int]:
    return status.st_mtime_ns, status.st_size


# ---- in replicas ---------------------------------------------------------------------------------

# The modules that are here as the program had them when the zygote was forked from it. They are so
# where no plan says that their functions are pure.
adopted: set[str] = set()
# How often the program had executed what this process has executed last, by module.
executed: dict[str, int] = {}


class Finder:
    """Finds what the program has imported where it was, with the text that it had."""

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        """Find a module of the program's project."""
        text = _kept[0].find(name) if _kept else None
        if text is None:
            return None
        from importlib.util import spec_from_file_location

        executed[name] = text.times
        return spec_from_file_location(name, text.path, loader=Loader(name, text))


class Loader(SourceFileLoader):
    """Loads a module from the text that the program has executed, whatever its file is by now."""

    def __init__(self, name: str, text: Text) -> None:
        super().__init__(name, text.path)
        self._text = text

    def path_stats(self, path: str) -> dict[str, Any]:
        """The file's time and size as they were: there may be bytecode of this text."""
        if path != self._text.path:
            return dict(super().path_stats(path))
        time, size = self._text.stamp
        return {"mtime": time / 1_000_000_000, "size": size}

    def get_data(self, path: str) -> bytes:
        """What was in the file."""
        return self._text.source if path == self._text.path else super().get_data(path)


def follow() -> None:
    """Be a process whose imports are the program's."""
    if _kept:
        sys.meta_path.insert(0, Finder())
