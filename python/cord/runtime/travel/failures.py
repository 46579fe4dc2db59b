"""The errors of a call that could not be made or ended without an outcome."""

from __future__ import annotations

import errno
import os
import signal
import sys
import traceback
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from cord._core import EXIT_CUT_OFF, Stopped
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

# Where replicas are on other machines: how their processes ended is not known then.
_FAR: list[bool] = []


def replicas_are_far() -> None:
    """Say that replicas are on other machines, with which they may be lost."""
    _FAR[:] = [True]


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
    return EncodeError(f"{_where()}a replica cannot have what the program has: {why}", hint)


def definition_error(
    error: BaseException, name: str, value: object, function: Callable[..., Any]
) -> BaseException:
    """The error for a global of the main script that a call needs and that cannot be encoded."""
    root = f"the global {name!r} of the main script (needed by {function.__name__}())"
    return codec.value_error(error, value, root, _call_site())


def lost_error(
    function: Callable[..., Any],
    pid: int,
    status: int | None,
    tries: int,
    may_have_run: bool,
    cause: str = "replica",
) -> ReplicaLost:
    """The error for a call whose replica is gone.

    Args:
        function: The remote function.
        pid: The replica's process id.
        status: How it ended, as from `os.waitpid`; None if not known.
        tries: How many replicas the call was given to.
        may_have_run: The call, or part of it, may have had its effects.
        cause: What the call is lost with: a "replica" that had it, a "value" that one has kept
            and that the call is given (it was not made), a "fault" of Cord's, or the "launcher"
            that starts replicas.
    """
    name = f"{function.__module__}.{function.__name__}()"
    where = _where()
    if cause == "fault":
        message = (
            f"{where}{name} is lost: a mistake in Cord, which standard error names; it may have run"
        )
        hint = "please report it, with the program if you can"
    elif cause == "launcher":
        message = (
            f"{where}{name} is lost: the process of Cord's that starts replicas was ended, and"
        )
        message += " they with it; the call may have run in part, so it is not repeated"
        hint = "see who ended it: the system, if memory was short, or somebody by hand"
    elif cause == "value":
        message = f"{where}an argument of {name} is lost with the replica that kept it"
        message += f" (process {pid}): that {_ending(status)}"
        hint = "declare the function that made it pure in cord.toml, or set forward = false for it"
    elif _FAR and status is None:
        message = (
            f"{where}the node on which {name} was called is lost; the call may have run in part"
        )
        message += ", so it is not repeated"
        hint = "declare the function pure in cord.toml if it may be repeated"
    elif _was_cut_off(pid, status):
        message = f"{where}{name} was called in a replica (process {pid}) of which a function has"
        message += " closed descriptors that it had not opened; the call may have run"
        hint = (
            "let the function close only what it has opened, or fork a child that closes the rest"
        )
    elif tries > 1:
        message = f"{where}{name} was given up: {tries} replicas ended while they ran it"
        message += f", the last (process {pid}) {_ending(status)}"
        hint = "run the program without Cord to see what the function does with these arguments"
    elif may_have_run:
        message = f"{where}the replica that ran {name} (process {pid}) {_ending(status)}"
        message += "; the call may have run in part, so it is not repeated"
        hint = "declare the function pure in cord.toml if it may be repeated"
    else:
        message = f"{where}no replica for {name} stays alive: the last {_ending(status)}"
        hint = "import the remote module by itself to see why its process ends"
    return ReplicaLost(message, hint)


def expired_error(function: Callable[..., Any], seconds: float) -> TimeoutError:
    """The error for a call that took longer than it may.

    Args:
        function: The remote function.
        seconds: How long it may take.
    """
    name = f"{function.__module__}.{function.__name__}()"
    return TimeoutError(f"{name} took longer than its deadline of {seconds:g} s")


def state_error(function: Callable[..., Any], pid: int, status: int | None) -> StateLost:
    """The error for a call that may depend on what others have left in a replica that is gone.

    Args:
        function: The remote function.
        pid: The replica's process id.
        status: How it ended, as from `os.waitpid`; None if not known.
    """
    module = function.__module__
    return StateLost(
        f"{_where()}{module}.{function.__name__}() was not called: the replica of {module} "
        f"(process {pid}) {_ending(status)}, and the state that earlier calls left in it is lost",
        'set restart = "fresh" for the module in cord.toml if a new replica will do',
    )


def forked_error(function: Callable[..., Any]) -> StateLost:
    """The error for a call in a forked child that may depend on what others have left."""
    module = function.__module__
    return StateLost(
        f"{_where()}{module}.{function.__name__}() was not called: this is a forked child of the "
        f"program, and what earlier calls have left is in the program's replica of {module}",
        f"let the program call it, or leave {module} out of cord.toml",
    )


def tell_of_untaken(function: Callable[..., Any], error: BaseException) -> None:
    """Tell of a call with effects that failed, and that the program has not come to take."""
    name = f"{function.__module__}.{function.__name__}()"
    what = "".join(traceback.format_exception_only(error)).strip().partition("\n")[0]
    why = "it was made ahead of the program, which did not come so far (independent = true)"
    tell(f"{name} failed: {what}; {why}")


def tell_of_lost_state(module: str, pid: int, status: int | None) -> None:
    """Tell of a module that has lost its state, and that the program has not called since."""
    tell(
        f"the replica of {module} (process {pid}) {_ending(status)} after its last call; "
        "the state that calls left in it (files that are not flushed, say) is lost"
    )


def unavailable_error(function: Callable[..., Any], head: bytes) -> ReplicaUnavailable:
    """The error for a module that replicas cannot import; what the import raised is its cause."""
    name = function.__module__
    error = ReplicaUnavailable(
        f"{_where()}no replica of {name} could start: importing it fails there",
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
    message = f"{_where()}there is no room for {lacking}{large}\n\nhint: {hint}"
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
        f"{_where()}the result of {name} cannot be decoded in the program ({why})",
        "return plain data, or objects of classes that the program can import and unpickle",
    )
    made.__cause__ = error
    return made


def closed_error(function: Callable[..., Any]) -> ReplicaLost:
    """The error for a call after the session has ended."""
    return ReplicaLost(
        f"{function.__module__}.{function.__name__}() was called after the session had ended"
    )


def cut_off_error(function: Callable[..., Any]) -> ReplicaLost:
    """The error for a call with effects after the program has closed what leads to the replicas."""
    name = f"{function.__module__}.{function.__name__}()"
    message = f"{_where()}{name} has no replica any more, nor what it kept there: the program has"
    message += (
        " closed descriptors that it had not opened; if the call was under way, it may have run"
    )
    hint = "let the program close only what it has opened, or fork a child that closes the rest"
    return ReplicaLost(message, hint)


def place(error: BaseException) -> None:
    """Put the call site in front of the message of an error made in a replica."""
    if isinstance(error, CordError):
        error.message = _where() + error.message
        error.args = (error.message,)


def tell(line: str) -> None:
    """Say something to the user, if there is a standard error."""
    if sys.__stderr__ is not None:
        with suppress(OSError, ValueError):  # nobody reads it, or the program has closed it
            print(f"cord: {line}", file=sys.__stderr__, flush=True)


def _was_cut_off(pid: int, status: int | None) -> bool:
    """Whether a replica has lost its link before it ended: it says so, or was ended for it."""
    if status is None:
        return pid != 0
    return os.WIFEXITED(status) and os.WEXITSTATUS(status) == EXIT_CUT_OFF


def _ending(status: int | None) -> str:
    if status is None:
        return "ended"
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        try:
            return f"was killed by {signal.Signals(number).name}"
        except ValueError:
            return f"was killed by signal {number}"
    return f"exited with status {os.waitstatus_to_exitcode(status)}"


def _where() -> str:
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
    return f"{os.path.basename(frame.f_code.co_filename)}:{frame.f_lineno}"


def stuck_error(kind: str, function: Any) -> EncodeError:
    """Say that what a call changes of an argument could not come home.

    Args:
        kind: The class of what is in the arguments.
        function: The function called.
    """
    name = getattr(function, "__name__", str(function))
    return EncodeError(
        f"{_where()}{name}() is given a {kind}, and what it does to it would stay in its replica",
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
