"""The errors of calls that are lost with replicas, and what is known of these."""

from __future__ import annotations

import os
import signal

from cord._core import EXIT_CUT_OFF
from cord.errors import CallMayHaveRun, PoisonCall, ReplicaLost, StateLost
from cord.runtime.travel.failures import called_from, tell
from cord.runtime.travel.shortly import call_in_short

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from cord.runtime.travel.codec import Encoded

    # A process, its wait status, and if it was ended for that: how much memory it had, and may
    # have, in KiB.
    Fallen = tuple[int, int | None, tuple[int, int] | None]
    # How many replicas had the call, whether it may have run, whether it is pure, what it is lost
    # with, and what was called, as it travels.
    Known = tuple[int, bool, bool, str, Encoded | None]

_NOT_REPEATED = "the call may have run in part, so it is not repeated"
_PURE = "declare the function pure in cord.toml if it may be repeated"
_MORE_MEMORY = "let the function hold less at a time, or set memory higher in cord.toml"

# Of so many replicas is told how they have ended.
_TOLD = 3

# Where replicas are on other machines: how their processes ended is not known then.
_FAR: list[bool] = []


def replicas_are_far() -> None:
    """Say that replicas are on other machines, with which they may be lost."""
    _FAR[:] = [True]


def lost_error(function: Callable[..., Any], ended: list[Fallen], known: Known) -> ReplicaLost:
    """The error for a call whose replica is gone.

    Args:
        function: The remote function.
        ended: The processes that it is lost with, the last one last.
        known: How many replicas it was given to; whether it may have had its effects; whether it is
            pure; what it is lost with: a "replica" that had it, the "call" itself, for it has ended
            as many replicas as it may, a "value" that one has kept and that the call is given (it
            was not made), a "fault" of Cord's, or the "launcher" that starts replicas; and what was
            called.
    """
    tries, may_have_run, is_pure, cause, call = known
    name = _name(function, call)
    if cause == "call":
        kind: type[ReplicaLost] = PoisonCall
    else:
        kind = CallMayHaveRun if may_have_run and not is_pure else ReplicaLost
    message, hint = _words(name, ended, tries, may_have_run, cause)
    return kind(f"{called_from()}{message}", hint)


def _words(
    name: str, ended: list[Fallen], tries: int, may_have_run: bool, cause: str
) -> tuple[str, str]:
    """What is said of a lost call, and what to do."""
    pid, status, beyond = last = ended[-1]
    if cause == "fault":
        message = f"{name} is lost: a mistake in Cord, which standard error names; it may have run"
        return message, "please report it, with the program if you can"
    if cause == "launcher":
        message = f"{name} is lost: the process of Cord's that starts replicas was ended, and they "
        message += f"with it; {_NOT_REPEATED if may_have_run else 'it was not called'}"
        return message, "see who ended it: the system, if memory was short, or somebody by hand"
    if cause == "value":
        message = f"an argument of {name} is lost with the replica that kept it (process {pid}): "
        hint = "declare the function that made it pure in cord.toml, or set forward = false for it"
        return f"{message}that {_ending(last)}", hint
    if _was_cut_off(pid, status):
        message = f"{name} was called in a replica (process {pid}) of which a function has closed "
        message += "descriptors that it had not opened; the call may have run"
        hint = "let the function close only what it has opened, or fork a child that closes the "
        return message, f"{hint}rest"
    if cause == "call":
        hint = "run the program without Cord to see what the function does with these arguments"
        return f"{name} was given up: {_endings(ended)}", _MORE_MEMORY if beyond else hint
    if _FAR and status is None:
        return f"the node on which {name} was called is lost; {_NOT_REPEATED}", _PURE
    if tries > 1:
        message = f"{name} was given up: {tries} replicas ended while they ran it, and no other one"
        message += f" stays alive: the last (process {pid}) {_ending(last)}"
        return message, "import the remote module by itself to see why its process ends"
    if may_have_run:
        message = f"the replica that ran {name} (process {pid}) {_ending(last)}; {_NOT_REPEATED}"
        return message, _MORE_MEMORY if beyond else _PURE
    message = f"no replica for {name} stays alive: the last {_ending(last)}"
    return message, "import the remote module by itself to see why its process ends"


def state_error(function: Callable[..., Any], ended: Fallen) -> StateLost:
    """The error for a call that may depend on what others have left in a replica that is gone.

    Args:
        function: The remote function.
        ended: The replica.
    """
    module = function.__module__
    return StateLost(
        f"{called_from()}{_name(function)} was not called: the replica of {module} "
        f"(process {ended[0]}) {_ending(ended)}, and the state that earlier calls left in it is "
        "lost",
        'set restart = "fresh" for the module in cord.toml if a new replica will do',
    )


def tell_of_lost_state(module: str, ended: Fallen) -> None:
    """Tell of a module that has lost its state, and that the program has not called since."""
    tell(
        f"the replica of {module} (process {ended[0]}) {_ending(ended)} after its last call; "
        "the state that calls left in it (files that are not flushed, say) is lost"
    )


def cut_off_error(function: Callable[..., Any]) -> CallMayHaveRun:
    """The error for a call with effects after the program has closed what leads to the replicas."""
    message = f"{called_from()}{_name(function)} has no replica any more, nor what it kept there: "
    message += "the program has closed descriptors that it had not opened; "
    message += "if the call was under way, it may have run"
    hint = "let the program close only what it has opened, or fork a child that closes the rest"
    return CallMayHaveRun(message, hint)


def _name(function: Callable[..., Any], call: Encoded | None = None) -> str:
    """A function, with the arguments of the call where they can be told."""
    said = call_in_short(call) if call is not None else None
    return f"{function.__module__}.{said or f'{function.__name__}()'}"


def _was_cut_off(pid: int, status: int | None) -> bool:
    """Whether a replica has lost its link before it ended: it says so, or was ended for it."""
    if status is None:
        return pid != 0 and not _FAR
    return os.WIFEXITED(status) and os.WEXITSTATUS(status) == EXIT_CUT_OFF


def _endings(ended: list[Fallen]) -> str:
    """How the replicas have ended that a call was given to, one after the other."""
    if len(ended) == 1:
        return f"the replica that ran it (process {ended[0][0]}) {_ending(ended[0])}"
    ways = [_ending(each) for each in ended[-_TOLD:]]
    said = [f"each {ways[0]}"] if len(set(ways)) == 1 else [f"one {way}" for way in ways]
    return f"{len(ended)} replicas ended while they ran it: {', '.join(said)}"


def _ending(ended: Fallen) -> str:
    _, status, beyond = ended
    if beyond is not None:
        had, limit = map(_size, beyond)
        return f"was ended with {had} of memory, more than {limit}"
    if status is None:
        return "was lost with its node" if _FAR else "ended"
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        try:
            return f"was killed by {signal.Signals(number).name}"
        except ValueError:
            return f"was killed by signal {number}"
    return f"exited with status {os.waitstatus_to_exitcode(status)}"


def _size(kib: int) -> str:
    mib = kib / 1024
    return f"{mib:.3g} MiB" if mib < 1000 else f"{mib / 1024:.3g} GiB"
