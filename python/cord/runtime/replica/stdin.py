"""What stands for `sys.stdin` in a replica: it refuses."""

from __future__ import annotations

from cord.errors import RemoteInputError

TYPE_CHECKING = False  # typing is not imported on the way to a first call
if TYPE_CHECKING:
    from typing import NoReturn


class RefusedInput:
    """A stream that raises `RemoteInputError` on every attempt to read it."""

    encoding = "utf-8"
    errors = "strict"
    mode = "r"
    name = "<stdin>"
    newlines = None
    closed = False
    line_buffering = False

    @property
    def buffer(self) -> RefusedInput:
        """The bytes below it, refused as well."""
        return self

    def _refuse(self, *_args: object, **_kwargs: object) -> NoReturn:
        raise RemoteInputError(
            "a remote function tried to read the standard input, which only the client can read",
            "read it in the client, and pass what was read as an argument",
        )

    read = read1 = readline = readlines = readinto = readinto1 = peek = _refuse
    fileno = detach = reconfigure = seek = tell = _refuse
    __iter__ = __next__ = __enter__ = _refuse

    def __exit__(self, *_exc: object) -> None:
        """Never reached: entering is refused."""

    def isatty(self) -> bool:
        """Return False: nobody types at a replica."""
        return False

    def readable(self) -> bool:
        """Return False."""
        return False

    def writable(self) -> bool:
        """Return False."""
        return False

    def seekable(self) -> bool:
        """Return False."""
        return False

    def flush(self) -> None:
        """Do nothing, as for every input."""

    def close(self) -> None:
        """Do nothing: there is nothing open."""
