"""Copies of the working directory: every run starts from the same files, at the same path."""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from cord.errors import CordError

LARGEST = 256 << 20
MOST = 20_000
_BYTECODE = "__pycache__"


def scratch_folder(command: str) -> tempfile.TemporaryDirectory[str]:
    """A folder for the copies of a command, which is gone when the command ends.

    Raises:
        CordError: There is none that can be written to.
    """
    try:
        return tempfile.TemporaryDirectory(prefix=f"cord-{command}-")
    except OSError as error:
        raise CordError(
            f"cord {command} runs the program in copies of the current folder, and no folder for "
            f"temporary files can be written to: {error.strerror}",
            f"name one by a variable of the environment: TMPDIR=FOLDER cord {command} ...",
        ) from None


class Workplace:
    """A folder that is filled anew, with what the working directory holds, for each run.

    Virtual environments and `.git` are linked to, not copied.

    Args:
        source: The working directory.
        scratch: An empty folder for the copies.

    Attributes:
        path: The folder.
        keeps: Whether what Python and Cord keep in `__pycache__` stays from run to run, as it does
            where a program is run again and again.

    Raises:
        CordError: The working directory holds too much to be copied.
    """

    def __init__(self, source: str, scratch: str) -> None:
        self._source = source
        # temporary files lie in the working directory where no other folder can be written to
        self._scratch = os.path.realpath(scratch)
        self._own = _own_streams()
        self.path = os.path.join(scratch, "work")
        self.keeps = False
        _require_small(source, self._scratch)

    def fill(self) -> None:
        """Remove what an earlier run left, and copy the working directory."""
        if os.path.exists(self.path):
            _clear(self.path, keeps=self.keeps)
        os.makedirs(self.path, exist_ok=True)
        for entry in _entries(self._source, but=self._scratch):
            target = os.path.join(self.path, os.path.relpath(entry.path, self._source))
            if os.path.exists(target):
                continue
            if entry.is_symlink():
                os.symlink(self._target_of(entry.path), target)
            elif entry.is_file():
                if self._own and _identity(entry.stat()) in self._own:
                    continue  # what this command writes grows from run to run
                shutil.copy2(entry.path, target)
            elif entry.is_dir() and _is_shared(entry):
                os.symlink(entry.path, target)
            elif entry.is_dir():
                os.mkdir(target)

    def files(self) -> dict[str, bytes]:
        """The files that are there now, by relative path; bytecode left out."""
        return {
            os.path.relpath(entry.path, self.path): Path(entry.path).read_bytes()
            for entry in _entries(self.path)
            if entry.is_file(follow_symlinks=False) and f"/{_BYTECODE}/" not in entry.path
        }

    def _target_of(self, link: str) -> str:
        """Where a link leads: one that leads out of the folder keeps leading to the same place."""
        target = os.readlink(link)
        absolute = os.path.abspath(os.path.join(os.path.dirname(link), target))
        inside = absolute.startswith(self._source + os.sep)
        return target if inside else absolute

    def translate(self, path: str) -> str:
        """A path into the working directory, as it is from the copy; others become absolute."""
        inside = os.path.relpath(os.path.abspath(path), self._source)
        return os.path.abspath(path) if inside.startswith("..") else inside

    def inside(self, folder: str) -> str:
        """A folder of the working directory, as an absolute path in the copy."""
        return os.path.normpath(os.path.join(self.path, self.translate(folder)))


def _own_streams() -> set[tuple[int, int]]:
    """The files that this process's own stdout and stderr go to: `cord init main.py > log`."""
    found = set()
    for stream in (1, 2):
        with suppress(OSError):
            status = os.fstat(stream)
            if stat.S_ISREG(status.st_mode):
                found.add(_identity(status))
    return found


def _identity(status: os.stat_result) -> tuple[int, int]:
    return status.st_dev, status.st_ino


def _clear(folder: str, *, keeps: bool) -> None:
    """Remove a folder; where it keeps them, all but the folders `__pycache__`."""
    if not keeps:
        _remove(folder)
        return
    for inside, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name != _BYTECODE]
        for name in [*names, *folders]:
            path = os.path.join(inside, name)
            if name in names or os.path.islink(path):
                os.unlink(path)
            elif not any(_BYTECODE in found for _, found, _ in os.walk(path)):
                _remove(path)


def _remove(folder: str) -> None:
    """Remove a folder. Where that is interrupted, `rmtree` may close a descriptor twice."""
    try:
        shutil.rmtree(folder)
    except OSError as error:
        if isinstance(error.__context__, KeyboardInterrupt):
            raise KeyboardInterrupt from None
        raise


def _entries(folder: str, but: str = "") -> Iterator[os.DirEntry[str]]:
    """All below a folder, parents first, `but` one; not what is behind links, or is shared."""
    with os.scandir(folder) as found:
        entries = sorted(found, key=lambda entry: entry.name)
    for entry in entries:
        if entry.name == os.path.basename(but) and os.path.realpath(entry.path) == but:
            continue
        yield entry
        if entry.is_dir(follow_symlinks=False) and not _is_shared(entry):
            yield from _entries(entry.path, but)


def _is_shared(entry: os.DirEntry[str]) -> bool:
    return entry.name == ".git" or os.path.exists(os.path.join(entry.path, "pyvenv.cfg"))


def _require_small(source: str, scratch: str) -> None:
    size = 0
    for count, entry in enumerate(_entries(source, scratch), 1):
        status = entry.stat(follow_symlinks=False)
        size += status.st_size if stat.S_ISREG(status.st_mode) else 0
        if size > LARGEST or count > MOST:
            much = f"{MOST:,} files" if count > MOST else f"{LARGEST >> 20} MiB"
            raise CordError(
                f"the current folder {source} holds more than {much}, too much to be copied for "
                "each run",
                "change to a folder that holds only what the program reads and writes",
            )
