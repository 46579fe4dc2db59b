"""The errors Cord raises, defined once; the native module raises these too."""

from __future__ import annotations


class CordError(Exception):
    """Base of every error that is Cord's own and not the program's.

    Args:
        message: One sentence: what is wrong and where.
        hint: What to do about it; shown after a blank line.
    """

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        if self.hint is None:
            return self.message
        return f"{self.message}\n\nhint: {self.hint}"


class PlanError(CordError):
    """cord.toml is missing, broken, or asks for something that cannot be.

    Attributes:
        engine: The kind of engine that it names, as far as it could be read.
        auto: Where it makes no module remote, but says of `[run] auto` something: what.
    """

    engine = "local"
    auto: bool | None = None


class SourceError(CordError):
    """A file is not Python.

    Args:
        place: The file, with line and column where they are known, as messages show it.
        reason: What is wrong there.
    """

    def __init__(self, place: str, reason: str) -> None:
        super().__init__(f"{place}: {reason}")
        self.place = place
        self.reason = reason


class ReplicaLost(CordError):
    """The process that was to run a call is gone, and the call was not made."""


class CallMayHaveRun(ReplicaLost):
    """A call that is not pure was with a replica that is gone: it may have had effects, or some."""


class PoisonCall(ReplicaLost):
    """A pure call has ended as many replicas as it may be given to, one after the other."""


class StateLost(CordError):
    """A call was not made: what calls before it have left is not where it would be made.

    The replica that kept it is gone; or this is a forked child of the program, whose replicas do.
    """


class StateConflict(CordError):
    """What a call has changed in its replica was changed in the program meanwhile."""


class ReplicaUnavailable(CordError):
    """No replica of a remote module could be started."""


class EncodeError(CordError):
    """An argument or a result cannot travel between processes."""


class RemoteInputError(CordError):
    """A remote function asked for the standard input, which belongs to the client."""
