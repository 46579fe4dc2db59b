"""What a node keeps of programs: bundles from one run to the next, unpacked ones for a run."""

from __future__ import annotations

import fcntl
import os
import shutil
import stat
import tempfile
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from cord.engines.nodes import bundle

if TYPE_CHECKING:
    from collections.abc import Callable

# What was not used for so many seconds is forgotten, and the oldest of more than so many bytes.
_AGE = 30 * 24 * 3600.0
_ROOM = 1 << 30
# Seconds in which another agent of this node may have fetched the same.
_PATIENCE = 5.0
_SUFFIX = ".bundle"
# Unpacked bundles are folders of this name; those younger than so many seconds are left alone.
_UNPACKED = f"cord-code-{os.getuid()}-"
_YOUNG = 60.0


def cache_folder() -> str | None:
    """The folder where bundles are kept; None where there can be none that is this user's alone."""
    caches = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    for folder in (
        os.path.join(caches, "cord", "code"),
        os.path.join(tempfile.gettempdir(), f"cord-{os.getuid()}", "code"),
    ):
        with suppress(OSError):
            if not os.path.isabs(folder):
                continue  # a user whom the system does not know, as in containers, has no home
            above = os.path.dirname(folder)
            for made in (above, folder):
                os.makedirs(made, mode=0o700, exist_ok=True)
            # whose the folder above is may put another one in its place
            if _is_private(above) and _is_private(folder) and os.access(folder, os.W_OK):
                return folder
    return None


def _is_private(folder: str) -> bool:
    """Whether nobody but this user writes to a folder."""
    about = os.lstat(folder)
    is_own = about.st_uid == os.getuid() and stat.S_ISDIR(about.st_mode)
    return is_own and not about.st_mode & 0o022


class Cache:
    """Bundles by their digests.

    Args:
        folder: Where they are; None to keep none.
    """

    def __init__(self, folder: str | None) -> None:
        self._folder = folder

    def get(self, digest: str, fetch: Callable[[], bytes]) -> bytes:
        """A bundle, which is fetched once for all agents of a node.

        Raises:
            OSError: It cannot be fetched.
            ValueError: What was fetched is something else.
        """
        found = self._read(digest)
        if found is not None:
            return found
        with _Turn(self._folder):
            found = self._read(digest)
            if found is None:
                found = fetch()
                if bundle.digest_of(found) != digest:
                    raise ValueError("what came is not the bundle that was asked for")
                self._write(digest, found)
        return found

    def _read(self, digest: str) -> bytes | None:
        if self._folder is None:
            return None
        path = os.path.join(self._folder, digest + _SUFFIX)
        try:
            with open(path, "rb") as file:
                content = file.read()
            if bundle.digest_of(content) == digest:
                os.utime(path)
                return content
            os.unlink(path)  # it was damaged
        except OSError:
            pass
        return None

    def _write(self, digest: str, content: bytes) -> None:
        """Keep it, or not at all."""
        if self._folder is None:
            return
        with suppress(OSError):
            descriptor, beside = tempfile.mkstemp(dir=self._folder)
            try:
                with open(descriptor, "wb") as file:
                    file.write(content)
                os.replace(beside, os.path.join(self._folder, digest + _SUFFIX))
            except OSError:
                os.unlink(beside)
        self._forget(digest)

    def _forget(self, latest: str) -> None:
        """Remove what is too old, and the oldest of what is too much."""
        assert self._folder is not None
        known = []
        with suppress(OSError), os.scandir(self._folder) as entries:
            for entry in entries:
                about = entry.stat(follow_symlinks=False)
                if entry.name != latest + _SUFFIX:
                    known.append((about.st_mtime, about.st_size, entry.path))
        room, oldest = _ROOM, time.time() - _AGE
        for used, size, path in sorted(known, reverse=True):
            room -= size
            if used < oldest or room < 0:
                with suppress(OSError):
                    os.unlink(path)


class _Turn:
    """One agent of a node fetches; the others wait for it, but not for ever."""

    def __init__(self, folder: str | None) -> None:
        self._path = None if folder is None else os.path.join(folder, "turn")
        self._lock = -1

    def __enter__(self) -> None:
        if self._path is None:
            return
        until = time.monotonic() + _PATIENCE
        with suppress(OSError):
            self._lock = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            while not _locked(self._lock) and time.monotonic() < until:
                time.sleep(0.02)

    def __exit__(self, *_failure: object) -> None:
        if self._lock >= 0:
            os.close(self._lock)


def _locked(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


class Unpacked:
    """A bundle's files in a folder of their own, for one run.

    What remote functions write there is nobody else's. The folder goes with the run; where the
    agent is killed, with the next that comes to this node.

    Attributes:
        folder: It.

    Args:
        content: The bundle's.

    Raises:
        OSError: The system has no room.
        ValueError: It is no bundle.
    """

    def __init__(self, content: bytes) -> None:
        _remove_left_behind(tempfile.gettempdir())
        self.folder = tempfile.mkdtemp(prefix=_UNPACKED)
        self._lock = os.open(self.folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        _locked(self._lock)
        try:
            bundle.unpack(content, self.folder)
        except BaseException:
            self.remove()
            raise

    def remove(self) -> None:
        """Remove it all."""
        shutil.rmtree(self.folder, ignore_errors=True)
        os.close(self._lock)


def _remove_left_behind(within: str) -> None:
    """Remove the folders of agents that are gone."""
    with os.scandir(within) as entries:
        for entry in entries:
            if entry.name.startswith(_UNPACKED):
                with suppress(OSError):
                    _remove_if_left(entry.path)


def _remove_if_left(folder: str) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        about = os.fstat(descriptor)
        is_old = time.time() - about.st_mtime > _YOUNG
        if about.st_uid == os.getuid() and is_old and _locked(descriptor):
            shutil.rmtree(folder, ignore_errors=True)
    finally:
        os.close(descriptor)
