"""The files of a service: those that [http] names, and those whose changes reload it."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING

from cord.errors import CordError
from cord.plan.modules import INSTALLED
from cord.plan.problems import similar_file

if TYPE_CHECKING:
    from cord.plan.http_plan import HttpPlan


def check_files(http: HttpPlan) -> None:
    """Look whether certificate and key can be read, and the log written.

    Raises:
        CordError: One cannot.
    """
    if http.tls is not None:
        for key, path in zip(("cert", "key"), http.tls, strict=True):
            _open(http, key, path, os.O_RDONLY)
    if http.log is not None and http.log != "stderr":
        _open(http, "log", http.log, os.O_WRONLY | os.O_APPEND | os.O_CREAT)


def _open(http: HttpPlan, key: str, path: str, flags: int) -> None:
    if os.path.isdir(path):
        raise CordError(f'{http.called(key)} is "{path}", a folder', "name a file in it")
    try:
        os.close(os.open(path, flags | os.O_NONBLOCK | os.O_CLOEXEC, 0o666))
    except OSError as error:
        raise CordError(
            f'{http.called(key)} is "{path}", which cannot be opened: {error.strerror}',
            similar_file(path) or "paths are relative to the plan's folder",
        ) from None


class Watched:
    """Python files and plans in a folder and below, but for hidden and installed ones."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._known = self._stamps()

    def have_changed(self) -> bool:
        """Whether some have since that was asked last."""
        before, self._known = self._known, self._stamps()
        return before != self._known

    def _stamps(self) -> dict[str, tuple[int, int]]:
        found = {}
        for folder, inner, names in os.walk(self._folder):
            inner[:] = [one for one in inner if one[0] not in "._" and one not in INSTALLED]
            for name in names:
                if name.endswith((".py", ".toml")):
                    path = os.path.join(folder, name)
                    with suppress(OSError):
                        about = os.stat(path)
                        found[path] = about.st_size, about.st_mtime_ns
        return found
