"""The files that [http] names: looked at before anything is started."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from cord.errors import CordError
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
