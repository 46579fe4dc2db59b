"""Answers kept from one run to the next, in a file among Python's own bytecode files.

As with those, a file that is not there, damaged or out of date is passed over in silence, and so is
a folder that cannot be written to; `sys.dont_write_bytecode` and `sys.pycache_prefix` hold.
"""

from __future__ import annotations

import marshal
import os
import sys
from contextlib import suppress
from functools import cache
from importlib.machinery import SourceFileLoader
from importlib.util import MAGIC_NUMBER, cache_from_source, source_hash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

SUFFIX = ".cord"
_HEAD = b"cord 1\r\n"
_HASH_SIZE = 8
_HERE = os.path.dirname(__file__)
# The folders of what decides what is kept, besides Python; all but the first with what is in them.
_MAKERS = ("plan", "source", "translate", "effects", "knowledge", "runtime/copies/unknown")


class Kept:
    """The answers to questions of one kind about one program.

    Questions are tuples. Questions, answers and the key are made of what `marshal` can write; an
    answer that is not is not kept.

    Args:
        source: Path of the program's main file; "" if nothing can be kept.
        part: What is kept, as part of the file's name; "" for nothing.
        key: What the answers depend on: those of a file with another key are forgotten. What Cord
            and Python are is added.
    """

    def __init__(self, source: str, part: str = "", key: tuple[Any, ...] = ()) -> None:
        self._source = source
        self._path = _path(source, part) if source else None
        self._key: tuple[Any, ...] = ()
        self._pid = os.getpid()
        self._answers: dict[tuple[Any, ...], bytes] = {}
        self._grew = False
        if self._path is not None:
            self._key = (_cord(), _python(), *key)
            self._load(self._path)

    def __contains__(self, question: tuple[Any, ...]) -> bool:
        return question in self._answers

    def __getitem__(self, question: tuple[Any, ...]) -> Any:
        return marshal.loads(self._answers[question])

    def __setitem__(self, question: tuple[Any, ...], answer: Any) -> None:
        with suppress(ValueError):
            self._answers[question] = marshal.dumps(answer)
            self._grew = True

    @property
    def is_writable(self) -> bool:
        """Whether answers may be written: where bytecode may be, in the process that began."""
        own = os.getpid() == self._pid  # else it is a child that the program has forked
        return own and self._path is not None and not sys.dont_write_bytecode

    @property
    def has_room(self) -> bool:
        """Whether they can be written: to a folder that is there, or can be made."""
        if self._path is None or not os.path.exists(self._source):
            return False
        folder = os.path.dirname(self._path)
        if not os.path.lexists(folder):
            folder = os.path.dirname(self._source)
        return os.path.isdir(folder or ".") and os.access(folder or ".", os.W_OK)

    def clear(self) -> None:
        """Forget all answers."""
        self._answers.clear()

    def save(self) -> None:
        """Write the answers, if there are new ones, where bytecode may be written."""
        if self._path is None or not self._grew or not self.is_writable:
            return
        try:
            mode = os.stat(self._source).st_mode & 0o666 | 0o200  # whoever may read the source
        except OSError:  # the program has removed itself, and its folder is not to come back
            return
        body = marshal.dumps((self._key, self._answers))
        data = _HEAD + source_hash(body) + body
        # writes as Python writes bytecode: beside, then in place, and not at all if that fails
        SourceFileLoader("", self._source).set_data(self._path, data, _mode=mode)
        self._grew = False

    def _load(self, path: str) -> None:
        with suppress(OSError, EOFError, ValueError, TypeError), open(path, "rb") as file:
            # it has code of the main script, which Python never takes from there: so not anybody's
            trusted = (0, os.geteuid(), os.stat(self._source).st_uid)
            if os.fstat(file.fileno()).st_uid not in trusted:
                return
            data = file.read()
            body = data[len(_HEAD) + _HASH_SIZE :]
            if data != _HEAD + source_hash(body) + body:
                return
            key, answers = marshal.loads(body)
            if key == self._key:
                self._answers = answers


def _path(source: str, part: str) -> str | None:
    """The file beside the source's bytecode; None without bytecode, or without Cord's source."""
    if sys.implementation.cache_tag is None or not os.path.exists(os.path.join(_HERE, "kept.py")):
        return None
    bytecode = cache_from_source(os.path.abspath(source))
    return os.path.splitext(bytecode)[0] + (f".{part}" if part else "") + SUFFIX


def _python() -> tuple[Any, ...]:
    """What compiling depends on besides the source."""
    places = compile("0", "", "eval").co_positions()
    has_columns = any(column is not None for _, _, column, _ in places)
    return MAGIC_NUMBER, sys.flags.optimize, sys.flags.int_max_str_digits, has_columns


@cache
def _cord() -> tuple[Any, ...]:
    """Where that of Cord is which makes the answers, and the sizes and times of its files.

    Python's own bytecode goes by these two as well; reading the files would take longer than all
    else that is done with answers that are there.
    """
    known: list[tuple[str, int, int]] = []
    folders = [os.path.join(_HERE, maker) for maker in _MAKERS]
    _look(_HERE, known)
    for folder in folders:
        folders += _look(folder, known)
    return _HERE, *sorted(known)


def _look(folder: str, known: list[tuple[str, int, int]]) -> list[str]:
    """Add the files of a folder to those that are known; the folders in it."""
    inner = []
    with os.scandir(folder) as inside:
        for entry in inside:
            if entry.name.endswith(".py"):
                about = entry.stat()
                known.append((entry.name, about.st_size, about.st_mtime_ns))
            elif entry.name != "__pycache__" and entry.is_dir():
                inner.append(entry.path)
    return inner
