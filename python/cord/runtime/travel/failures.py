"""The errors of a call that could not be made or ended without an outcome."""

from __future__ import annotations

import errno
import os
import sys
import traceback
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from cord._core import Stopped
from cord.errors import (
    CordError,
    EncodeError,
    ReplicaLost,
    ReplicaUnavailable,
    StateConflict,
    StateLost,
)
from cord.runtime.travel import codec, raised

# What to do where the system says this.
_MORE_ROOM = {
    errno.ENOMEM: "let the program hold less at a time, or give it more memory (ulimit -v)",
    errno.EMFILE: "let the program close files that it does not need, or allow more (ulimit -n)",
    errno.EAGAIN: "let the program start fewer processes, or allow more (ulimit -u)",
}


def argument_error(
    error: BaseException,
    function: Callable[..., Any],
    args: tuple[Any, ...],
    kwargs: dict[str, Any] | None,
) -> BaseException:
    """The error for arguments that cannot be encoded."""
    return codec.encode_error(error, (args, kwargs or {}), function, _call_site())


def apart_error(why: str) -> EncodeError:
    """The error for a call of which what it may read of the program cannot travel."""
    hint = "pass what the function needs as an argument"
    return EncodeError(f"{called_from()}a replica cannot have what the program has: {why}", hint)


def definition_error(
    error: BaseException, name: str, value: object, function: Callable[..., Any]
) -> BaseException:
    """The error for a global of the main script that a call needs and that cannot be encoded."""
    root = f"the global {name!r} of the main script (needed by {function.__name__}())"
    return codec.value_error(error, value, root, _call_site())


def expired_error(function: Callable[..., Any], seconds: float) -> TimeoutError:
    """The error for a call that took longer than it may.

    Args:
        function: The remote function.
        seconds: How long it may take.
    """
    name = f"{function.__module__}.{function.__name__}()"
    return TimeoutError(f"{name} took longer than its deadline of {seconds:g} s")


def forked_error(function: Callable[..., Any]) -> StateLost:
    """The error for a call in a forked child that may depend on what others have left."""
    module = function.__module__
    return StateLost(
        f"{called_from()}{module}.{function.__name__}() was not called: this is a forked child of "
        f"the program, and what earlier calls have left is in the program's replica of {module}",
        f"let the program call it, or leave {module} out of cord.toml",
    )


def tell_of_untaken(function: Callable[..., Any], error: BaseException) -> None:
    """Tell of a call with effects that failed, and that the program has not come to take."""
    name = f"{function.__module__}.{function.__name__}()"
    what = "".join(traceback.format_exception_only(error)).strip().partition("\n")[0]
    why = "it was made ahead of the program, which did not come so far (independent = true)"
    tell(f"{name} failed: {what}; {why}")


def unavailable_error(function: Callable[..., Any], head: bytes) -> ReplicaUnavailable:
    """The error for a module that replicas cannot import; what the import raised is its cause."""
    name = function.__module__
    error = ReplicaUnavailable(
        f"{called_from()}no replica of {name} could start: importing it fails there",
        f"the module must be importable in a process of its own, as `import {name}` does",
    )
    error.__cause__ = raised.decode_exception(head)
    return error


def unavailable(head: bytes) -> str | None:
    """The same in words, as they go on behind a function's name; None if no module was found.

    Args:
        head: What the import raised, encoded.
    """
    error = raised.decode_exception(head)
    if isinstance(error, ModuleNotFoundError):
        return None  # the engine is not set up for this program
    if isinstance(error, Stopped):
        return f"is of a module that {error.args[1]} when it is imported"
    what = "".join(traceback.format_exception_only(error)).strip().partition("\n")[0]
    return f"is of a module that cannot be imported in another process ({what})"


def unreturnable(head: bytes) -> str:
    """Why what a call gave cannot be sent, in words, as they go on behind a function's name.

    Args:
        head: The error, encoded.
    """
    what = str(raised.decode_exception(head)).partition("\n")[0]
    return f"gives what cannot be sent ({what})"


def shortage_error(
    function: Callable[..., Any], number: int, size: int, what: str
) -> MemoryError | OSError:
    """The error for a call for which there is no memory, or no descriptor: as plain Python has it.

    Args:
        function: The remote function.
        number: What the system said, as in `errno`.
        size: How many bytes there is no room for.
        what: What of the call: its "arguments", its "result", or a "replica" to run it.
    """
    name = f"{function.__module__}.{function.__name__}()"
    lacking = f"a replica to run {name}" if what == "replica" else f"the {what} of {name}"
    large = f" ({size:,} bytes)" if size else ""
    hint = _MORE_ROOM.get(number, "let the program use less of it at a time")
    message = f"{called_from()}there is no room for {lacking}{large}\n\nhint: {hint}"
    if number == errno.ENOMEM:
        return MemoryError(message)
    return OSError(number, f"{os.strerror(number)}: {message}")


def result_error(error: BaseException, function: Callable[..., Any]) -> CordError:
    """The error for a result that arrived and cannot be decoded; why not is its cause."""
    if isinstance(error, (EncodeError, StateConflict)):
        return error  # it says so itself
    name = f"{function.__module__}.{function.__name__}()"
    why = f"{type(error).__name__}: {error}"
    made = EncodeError(
        f"{called_from()}the result of {name} cannot be decoded in the program ({why})",
        "return plain data, or objects of classes that the program can import and unpickle",
    )
    made.__cause__ = error
    return made


def closed_error(function: Callable[..., Any]) -> ReplicaLost:
    """The error for a call after the session has ended."""
    return ReplicaLost(
        f"{function.__module__}.{function.__name__}() was called after the session had ended"
    )


def place(error: BaseException) -> None:
    """Put the call site in front of the message of an error made in a replica."""
    if isinstance(error, CordError):
        error.message = called_from() + error.message
        error.args = (error.message,)


def tell(line: str) -> None:
    """Say something to the user, if there is a standard error; in a notebook, below its cell."""
    stream = sys.stderr if "ipykernel" in sys.modules else sys.__stderr__
    if stream is not None:
        with suppress(OSError, ValueError):  # nobody reads it, or the program has closed it
            print(f"cord: {line}", file=stream, flush=True)


def called_from() -> str:
    """The call site as the start of a message."""
    site = _call_site()
    return f"{site}: " if site else ""


def _call_site() -> str:
    """File and line of the program's frame that made the call."""
    frame = sys._getframe(1)
    while frame is not None and frame.f_globals.get("__name__", "").startswith("cord."):
        frame = frame.f_back  # type: ignore[assignment]
    if frame is None:
        return ""
    return named(frame.f_code.co_filename, frame.f_lineno)


def named(file: str, line: int) -> str:
    """A line as people name it: by its file, or by its cell, as IPython's tracebacks do."""
    with suppress(Exception):  # what others have for a shell may be anything
        shell = sys.modules["IPython"].get_ipython()
        kind, name = shell.compile.format_code_name(file)
        return f"{kind} {name}, line {line}"
    return f"{os.path.basename(file)}:{line}"


def stuck_error(kind: str, function: Any) -> EncodeError:
    """Say that what a call changes of an argument could not come home.

    Args:
        kind: The class of what is in the arguments.
        function: The function called.
    """
    name = getattr(function, "__name__", str(function))
    return EncodeError(
        f"{called_from()}{name}() is given a {kind}, and what it does to it would stay in its "
        "replica",
        f"declare {name} pure or independent if it leaves the {kind} alone; or give it a list",
    )


def tell_of_taken(function: Any, why: BaseException) -> None:
    """Say that the program makes the calls of a module by itself, because of one.

    Args:
        function: The function whose call it was.
        why: Why that could not be sent.
    """
    reason = str(why).partition("\n")[0]
    module = getattr(function, "__module__", "")
    line = f"cord: calls of {module} that are not declared pure are made in the program: {reason}"
    os.write(2, f"{line}\n".encode(errors="backslashreplace"))
