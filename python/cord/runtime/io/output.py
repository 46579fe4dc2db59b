"""What remote calls write: recorded in the replica, written by the client where the call stands.

A replica's descriptors 1 and 2 are files in memory, and its `sys.stdout` and `sys.stderr` keep a
journal of what Python code asked of them. Draining gives one blob with all of it in order; the
client repeats it on its own streams. It repeats the operations, not just the bytes, because who
buffers what decides the order in which bytes come out of the program.
"""

from __future__ import annotations

import fcntl
import io
import marshal
import os
import sys

from cord import _core

TYPE_CHECKING = False  # typing is not imported on the way to a first call
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any, Final

    Operation = tuple[str, int, Any]

STDOUT: Final = 1
STDERR: Final = 2

# Operations of a journal. TEXT, BYTES, FLUSH, FLUSH_BUFFER and RECONFIGURE are for a Python stream,
# RAW is what went past Python into the descriptor, HELD what C code printed and did not flush.
TEXT: Final = "t"
BYTES: Final = "b"
FLUSH: Final = "f"
FLUSH_BUFFER: Final = "F"
RECONFIGURE: Final = "c"
RAW: Final = "r"
HELD: Final = "h"
# Bytecode of a module that the call has imported; for no stream.
BYTECODE: Final = "m"
# What a call tells by other means: a log record, a warning, that the filters of warnings have
# changed. For no stream either: the program handles it (`told.py`).
RECORD: Final = "l"
WARNING: Final = "w"
FILTERS: Final = "W"
# What a call has left in its view of the working folder (`left.py`).
LEFT: Final = "S"

# A file in memory is emptied once it has grown to this many bytes.
EMPTY_AT: Final = 1 << 20


class StreamStyle:
    """How one of the client's standard streams looks to code that asks it.

    Attributes:
        encoding: Name of the text encoding.
        errors: Name of the error handler.
        line_buffering: Whether each newline flushes.
        write_through: Whether text is never held back.
        isatty: Whether it is a terminal.
    """

    __slots__ = ("encoding", "errors", "isatty", "line_buffering", "write_through")

    def __init__(self, stream: object) -> None:
        self.encoding: str = getattr(stream, "encoding", None) or "utf-8"
        self.errors: str = getattr(stream, "errors", None) or "strict"
        self.line_buffering = bool(getattr(stream, "line_buffering", False))
        self.write_through = bool(getattr(stream, "write_through", False))
        try:
            self.isatty = bool(stream.isatty())  # type: ignore[attr-defined]
        except (AttributeError, ValueError, OSError):
            self.isatty = False


class _MemoryFile(_core.OutputFile):
    """The file in memory that stands behind one of the descriptors 1 and 2."""

    __slots__ = ("stream",)

    stream: int

    def __new__(cls, stream: int) -> _MemoryFile:
        fd = os.memfd_create(f"cord-{stream}", os.MFD_CLOEXEC)
        # Appending keeps writers that have an offset of their own from overwriting each other.
        fcntl.fcntl(fd, fcntl.F_SETFL, os.O_APPEND)
        os.dup2(fd, stream)
        self = super().__new__(cls, fd)
        self.stream = stream
        return self

    def take_up_to(self, end: int) -> bytes:
        """Return what was written since the last time, up to offset `end`."""
        start, self.seen = self.seen, end
        if end < start:  # somebody emptied the file through its name, as open("/dev/stdout", "w")
            start = 0
        return os.pread(self.fd, end - start, start)

    def empty_if_large(self) -> None:
        if self.seen >= EMPTY_AT and self.end() == self.seen:
            os.ftruncate(self.fd, 0)
            self.seen = 0


class _CapturedBuffer(io.BufferedIOBase):
    """Stands for `sys.stdout.buffer`."""

    def __init__(self, capture: Capture, stream: int, name: str) -> None:
        self._capture = capture
        self._stream = stream
        self.name = name
        self.mode = "wb"
        self.raw = io.FileIO(stream, "w", closefd=False)
        self.raw.name = name

    def write(self, data: Any, /) -> int:
        if self.closed:
            raise ValueError("write to closed file")
        if isinstance(data, str):
            raise TypeError("a bytes-like object is required, not 'str'")
        written = bytes(memoryview(data))
        self._capture.record(BYTES, self._stream, written)
        return len(written)

    def flush(self) -> None:
        if self.closed:
            raise ValueError("flush of closed file")
        self._capture.record(FLUSH_BUFFER, self._stream, None)

    def close(self) -> None:
        if not self.closed:
            super().close()

    def fileno(self) -> int:
        return self._stream

    def isatty(self) -> bool:
        return self._capture.style(self._stream).isatty

    def writable(self) -> bool:
        return True


class _CapturedText(io.TextIOWrapper):
    """Stands for `sys.stdout`: a text stream whose operations go into the journal."""

    def __init__(self, capture: Capture, stream: int, style: StreamStyle) -> None:
        name = "<stdout>" if stream == STDOUT else "<stderr>"
        super().__init__(
            _CapturedBuffer(capture, stream, name),
            encoding=style.encoding,
            errors=style.errors,
            newline="\n",
            line_buffering=style.line_buffering,
            write_through=style.write_through,
        )
        self.mode = "w"  # type: ignore[misc]
        self._capture = capture
        self._stream = stream

    def write(self, text: str, /) -> int:
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        if self.closed:
            raise ValueError("I/O operation on closed file.")
        if not text.isascii():
            text.encode(
                self.encoding, self.errors or "strict"
            )  # raises here what the plain one would
        self._capture.record(TEXT, self._stream, text if type(text) is str else str.__str__(text))
        return len(text)

    def writelines(self, lines: Iterable[str], /) -> None:  # type: ignore[override]
        for line in lines:
            self.write(line)

    def flush(self) -> None:
        if self.closed:
            raise ValueError("I/O operation on closed file.")
        self._capture.record(FLUSH, self._stream, None)

    def reconfigure(self, **options: Any) -> None:
        super().reconfigure(**options)
        self._capture.record(RECONFIGURE, self._stream, options)


class Capture:
    """Takes over the descriptors and streams of this process and records what is written.

    Attributes:
        journal: What Python code has written since the last time it was drained.
        quiet: Tells whether there is anything to drain.

    Args:
        stdout: How the client's stdout looks; None if the client has none.
        stderr: The same for stderr.
    """

    def __init__(self, stdout: StreamStyle | None, stderr: StreamStyle | None) -> None:
        self.journal: list[Operation] = []
        self._styles = {STDOUT: stdout, STDERR: stderr}
        self._forked = False
        for inherited in (sys.stdout, sys.stderr):
            if inherited is not None:
                inherited.flush()
        if stdout is not None and stdout.isatty:
            _core.line_buffer_c_stdout()
        # The old streams live on: code imported before the fork may hold them.
        self._inherited = (sys.stdout, sys.stderr, sys.__stdout__, sys.__stderr__)
        self._stdout = None if stdout is None else _CapturedText(self, STDOUT, stdout)
        self._stderr = None if stderr is None else _CapturedText(self, STDERR, stderr)
        self._open()
        self._install()
        os.register_at_fork(after_in_child=self._enter_forked_child)

    def renew(self) -> None:
        """In a copy of this process: have files of its own. The streams stay what they are."""
        self._forked = False
        self.journal.clear()
        self._open()

    def _open(self) -> None:
        self._out = _MemoryFile(STDOUT)
        self._err = _MemoryFile(STDERR)
        self.quiet = self._quiet_of(self.journal)

    def _quiet_of(self, journal: list[Operation]) -> _core.Quiet:
        streams, files = (self._stdout, self._stderr), (self._out, self._err)
        return _core.Quiet(streams, files, journal)

    def _install(self) -> None:
        sys.stdout = sys.__stdout__ = self._stdout  # type: ignore[misc]
        sys.stderr = sys.__stderr__ = self._stderr  # type: ignore[misc]

    @property
    def is_forked(self) -> bool:
        """Whether this process is a child that a remote function has forked."""
        return self._forked

    def style(self, stream: int) -> StreamStyle:
        """Return how the client's stream 1 or 2 looks."""
        style = self._styles[stream]
        assert style is not None
        return style

    def record(self, operation: str, stream: int, data: Any) -> None:
        """Add one operation of Python code, after all that went past Python before it."""
        if self._forked:
            self._pass_on(operation, stream, data)
            return
        self._add(self.journal, operation, stream, data)

    def _add(self, journal: list[Operation], operation: str, stream: int, data: Any) -> None:
        try:
            for file in (self._out, self._err):
                end = file.end()
                if end != file.seen:
                    journal.append((RAW, file.stream, file.take_up_to(end)))
        except OSError:
            pass  # a function that closes all descriptors runs on; its replica says so at its end
        journal.append((operation, stream, data))

    def record_bytecode(self, source: str, bytecode: str, data: bytes) -> None:
        """Add the bytecode of a module: its source's path, its own path, and what it is."""
        self.record(BYTECODE, 0, (source, bytecode, data))

    def drain(self) -> bytes:
        """Return all that was written since the last time, for `replay`; b"" if nothing was."""
        if self.quiet.holds():
            return b""
        self._complete(self.journal)
        return _emptied(self.journal)

    def drain_late(self) -> bytes:
        """Return what was written since the last reply, while others may go on writing."""
        self._complete(self.journal)
        return _emptied(self.journal)

    def places(self) -> list[tuple[int, int]]:
        """Of both files: a descriptor, and up to where it has been read."""
        return [(file.fd, file.seen) for file in (self._out, self._err)]

    def identities(self) -> set[tuple[int, int]]:
        """What tells both files from all others: device and inode."""
        found = [os.fstat(file.fd) for file in (self._out, self._err)]
        return {(status.st_dev, status.st_ino) for status in found}

    def suspend(self) -> list[Operation]:
        """Set aside what the call at hand has written, while another one runs."""
        self._complete(self.journal)
        written = self.journal.copy()
        self.journal.clear()
        return written

    def resume(self, written: list[Operation]) -> None:
        """Go on with what `suspend` returned."""
        self.journal[:0] = written

    def _complete(self, journal: list[Operation]) -> None:
        """Bring a journal up to date."""
        if sys.stdout is not self._stdout or sys.stderr is not self._stderr:
            self._flush_foreign_streams()
        self._take_from_files(_core.output_ends(self._out, self._err), journal)

    def discard(self) -> None:
        """Forget what was written so far."""
        self.drain()

    def disown(self) -> None:
        """Forget what the call at hand has written."""
        self.discard()

    def _take_from_files(self, ends: tuple[int, int, int, int], journal: list[Operation]) -> None:
        before_out, before_err, after_out, after_err = ends
        steps = (
            (RAW, self._out, before_out),
            (RAW, self._err, before_err),
            (HELD, self._out, after_out),
            (HELD, self._err, after_err),
        )
        for operation, file, end in steps:
            if end != file.seen:
                journal.append((operation, file.stream, file.take_up_to(end)))
        self._out.empty_if_large()
        self._err.empty_if_large()

    def _flush_foreign_streams(self) -> None:
        # User code put a wrapper around ours; what it holds back would stay in this process.
        for stream in (sys.stdout, sys.stderr):
            try:
                if stream is not None:
                    stream.flush()
            except Exception:
                # The plain program would meet this error only where it flushes by itself.
                continue

    def _enter_forked_child(self) -> None:
        # The child of a remote function sends no reply, so its text goes into the file it shares.
        self._forked = True
        self.journal.clear()

    def _pass_on(self, operation: str, stream: int, data: Any) -> None:
        if operation == TEXT:
            style = self.style(stream)
            data = data.encode(style.encoding, style.errors)
        if operation in (TEXT, BYTES):
            _write_all(stream, data)


def _emptied(journal: list[Operation]) -> bytes:
    """What a journal holds, for `replay`; it holds nothing then."""
    if not journal:
        return b""
    written = journal.copy()
    del journal[: len(written)]  # a thread that a call has left may have added something
    return marshal.dumps(written)


def replay(blob: bytes) -> None:
    """Write what a remote call wrote, through this process's own streams.

    Args:
        blob: What `Capture.drain` returned; not empty.

    Raises:
        OSError, ValueError: Whatever the client's streams raise, as for a local call.
    """
    for operation, number, data in marshal.loads(blob):
        if operation == RAW:
            _write_all(number, data)
        elif operation == HELD:
            _core.write_c_stream(number, data)
        elif operation == BYTECODE:
            from cord.runtime.io import bytecode  # rarely needed

            bytecode.write(*data)
        elif operation in (RECORD, WARNING, FILTERS):
            _tell(operation, data)
        elif operation == LEFT:
            from cord.runtime.io import left  # rarely needed

            left.leave(data)
        else:
            stream = sys.stdout if number == STDOUT else sys.stderr
            if stream is not None:
                _repeat(stream, operation, data)


def forward_by(record: Callable[[str, int, Any], None]) -> None:
    """In a replica: what calls tell that its own calls make is told by these.

    Args:
        record: Adds an operation to what the call writes.
    """
    _forward[:] = [record]


_forward: list[Callable[[str, int, Any], None]] = []


def _tell(operation: str, data: Any) -> None:
    from cord.runtime.io import told  # rarely needed

    if _forward:
        _forward[0](operation, 0, told.from_here(operation, data))
    elif operation == RECORD:
        told.log(data)
    elif operation == WARNING:
        told.warn(data)
    else:
        told.filters_have_changed()


def _repeat(stream: Any, operation: str, data: Any) -> None:
    if operation == TEXT:
        stream.write(data)
    elif operation == FLUSH:
        stream.flush()
    elif operation == RECONFIGURE:
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(**data)
    elif hasattr(stream, "buffer"):
        if operation == BYTES:
            stream.buffer.write(data)
        else:
            stream.buffer.flush()
    elif operation == BYTES:  # the client redirected its stream to one of text only
        stream.write(data.decode(getattr(stream, "encoding", None) or "utf-8", "replace"))


def _write_all(fd: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(fd, rest) :]
