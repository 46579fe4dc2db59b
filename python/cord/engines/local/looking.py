"""What looks at a module's calls: what they leave, do outside, and change of arguments."""

from __future__ import annotations

from errno import EBADF

from cord import _core
from cord.runtime.io.output import BYTECODE, Capture
from cord.runtime.replica.leftovers import Judge
from cord.runtime.travel import loaded, settings

TYPE_CHECKING = False  # typing is not imported on the way to a first call
if TYPE_CHECKING:
    from typing import Any, Final

    from cord._core import Watched
    from cord.plan.model import FunctionPlan, RemotePlan
    from cord.runtime.io.shares import Share
    from cord.runtime.replica.restoring import Noted
    from cord.runtime.travel.codec import Encoded
    from cord.runtime.travel.paths import Places, Way
    from cord.runtime.travel.world import Content, Surroundings

    Arguments = tuple[tuple[Any, ...], dict[str, Any] | None]
    Shared = tuple[list[Any], list[tuple[Any, Any]]]


class Restored(dict):  # type: ignore[type-arg]
    """By the names of functions, whether what calls change of their arguments goes home.

    Args:
        plan: What the plan says of the module.
    """

    def __init__(self, plan: RemotePlan) -> None:
        super().__init__()
        self._plan = plan

    def __missing__(self, name: str) -> bool:
        own = name.rpartition(":")[2]
        found = self[name] = bool(own) and self._plan.function(own).effects != "pure"
        return found


def note(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Noted | None:
    """What arguments hold before a call, if that can change."""
    if _are_scalars(args, kwargs):
        return None
    from cord.runtime.replica.restoring import Noted

    return Noted(args, kwargs)


def shared(value: object, arguments: Arguments | None, watched: Watched | None) -> Shared | None:
    """What a result may have of its call's arguments, and of state, as `_core.shared` tells it.

    Args:
        value: The result.
        arguments: Positional and keyword arguments; None if it is known to have nothing of them.
        watched: How the function is watched; None if what it has of state comes as a copy.
    """
    if arguments is None or type(value) in _SCALARS:
        return None
    tell = _core.shared if watched is None else watched.shared
    return tell(value, arguments[0], arguments[1] or {})


def home_of(
    value: object, parts: Shared, arguments: Arguments, places: Places | None
) -> tuple[bytes, list[Any]] | None:
    """What a call sends back, if its result has something of its arguments, or of state.

    Args:
        value: The result.
        parts: What `shared` has told of it.
        arguments: Positional and keyword arguments.
        places: Where the state is that the function reaches; None if that is none.

    Returns:
        See `restoring.with_arguments`.

    Raises:
        Apart: The client cannot be told.
        Exception: Something cannot be encoded.
    """
    from cord.runtime.replica.restoring import with_arguments

    return with_arguments(value, parts, arguments[0], arguments[1] or {}, places)


def ways_in(exc: BaseException, arguments: Arguments | None) -> dict[int, Way] | None:
    """By their ids, the ways from a call's arguments to what an exception has of them.

    Args:
        exc: What the call has raised.
        arguments: Positional and keyword arguments; None if it is known to have nothing of them.
    """
    if arguments is None or _are_scalars(*arguments):
        return None
    if shared(exc, arguments, None) is None:
        return None
    from cord.runtime.replica.restoring import ways_to
    from cord.runtime.travel.raised import parts_in_chain

    return ways_to(parts_in_chain(exc), arguments[0], arguments[1] or {})


def _are_scalars(args: tuple[Any, ...], kwargs: dict[str, Any] | None) -> bool:
    return not kwargs and {*map(type, args)} <= _SCALARS


_SCALARS: Final = frozenset({int, bool, str, bytes, float, complex, type(None)})


def judge_of(plan: RemotePlan, capture: Capture | Share) -> Judge:
    """What looks for what calls of a module leave behind."""
    threads = None if isinstance(capture, Capture) else capture.threads

    def has_written() -> bool:
        return any(operation != BYTECODE for operation, _, _ in capture.journal)

    return Judge(lambda name: plan.function(name).pure, has_written, threads)


def may_lack_something(exc: BaseException) -> bool:
    """Whether a call may have failed for what the program's process has, and this one has not.

    A name of the main script that no argument mentions, a module that the program has made, a
    method that it has added to a library's class, a codec that it has registered, a descriptor.

    Args:
        exc: What the call has raised.
    """
    if isinstance(exc, OSError):
        return exc.errno == EBADF
    return isinstance(exc, _OF_LACKING) or type(exc) is LookupError


_OF_LACKING: Final = (NameError, AttributeError, ImportError)


class WorldNow:
    """What the call at hand has made of its world, for calls that it makes.

    Args:
        surroundings: The world as it came.
        judge: Tells of settings that the call has changed.
    """

    __slots__ = ("_judge", "_made", "_surroundings")

    def __init__(self, surroundings: Surroundings, judge: Judge) -> None:
        self._surroundings = surroundings
        self._judge = judge
        self._made: tuple[Content, _core.SettingsSeen, bytes | None] | None = None

    def __call__(self) -> bytes | None:
        """The world; None if it is as it came.

        Raises:
            EncodeError: It cannot travel.
        """
        if self._made is not None:
            content, seen, world = self._made
            if content is self._surroundings.content and seen.is_same():
                return world
        seen = settings.seen()  # before it is read: what changes meanwhile is seen the next time
        try:
            world = self._surroundings.now(self._judge.changes())
        except settings.Untold as exc:
            from cord.runtime.travel.failures import apart_error

            raise apart_error(str(exc)) from None
        self._made = self._surroundings.content, seen, world
        return world


def lookout_of(plan: RemotePlan, capture: Capture | Share, *, leaves: bool) -> _core.Lookout:
    """What looks at what calls read of files, and at those that are to do nothing outside."""
    others = {name: _heed(own) for name, own in plan.functions.items()}
    if not isinstance(capture, Capture):  # threads cannot end alone
        return _core.Lookout(_heed(plan), others, leaves, is_shared=True)
    return _core.Lookout(_heed(plan), others, leaves, is_shared=False, record=capture.record)


def shows(view: bytes, value: Encoded, output: bytes) -> bool:
    """Whether what comes of a call tells where its view of the working folder was."""
    return any(view in bytes(part) for part in (value[1], *value[2], output))


def _heed(plan: RemotePlan | FunctionPlan) -> int:
    if plan.scratch:
        return 3
    return 0 if not plan.pure else 1 if plan.repeatable else 4 if loaded.adopted else 2
