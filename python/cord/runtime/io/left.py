"""What a call has left in its view of the working folder, put where the program expects it."""

from __future__ import annotations

import os
from contextlib import suppress

TYPE_CHECKING = False
if TYPE_CHECKING:
    # By paths: of what kind it is, its mode, and what is in it.
    Left = list[tuple[bytes, tuple[str, int, bytes]]]


def leave(left: Left) -> None:
    """Do in the working folder what a call has done in its view of it.

    A file that says the same already is not touched: who looks at its times sees that nothing has
    happened.

    Args:
        left: What was left, folders before what is in them.
    """
    for path, (kind, mode, content) in left:
        if kind == "folder":
            with suppress(FileExistsError):
                os.mkdir(path)
            os.chmod(path, mode)
        elif kind == "link":
            _remove(path)
            os.symlink(content, path)
        elif kind == "file":
            _write(path, mode, content)
        else:
            _remove(path)


def _write(path: bytes, mode: int, content: bytes) -> None:
    with suppress(OSError), open(path, "rb") as file:
        if file.read() == content and os.fstat(file.fileno()).st_mode & 0o7777 == mode:
            return
    with open(path, "wb") as file:
        file.write(content)
        os.fchmod(file.fileno(), mode)


def _remove(path: bytes) -> None:
    with suppress(FileNotFoundError):
        os.unlink(path)
