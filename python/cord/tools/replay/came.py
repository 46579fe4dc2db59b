"""What came of a call: then and now, and whether that is the same."""

from __future__ import annotations

import asyncio
import inspect
import pickle
import signal
import threading
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cord._core import VALUE, read_with_arguments
from cord.errors import CordError, ReplicaLost
from cord.runtime.keep.canonical import Canon, Unpinned
from cord.runtime.travel import codec, raised
from cord.runtime.travel.exceptions import Untravelled
from cord.runtime.travel.shortly import short

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType

    from cord.tools.replay.stage import Call, Made

_LOST = 255


@dataclass(frozen=True, slots=True)
class Came:
    """What came of a call.

    Attributes:
        how: "returned", "raised" or "lost".
        value: The value, or the exception.
    """

    how: str
    value: Any

    @property
    def text(self) -> str:
        """In a few words."""
        if self.how == "returned":
            return short(self.value)
        if self.how == "lost":
            return "its process was lost"
        return f"raised {type(self.value).__name__}: {self.value}".removesuffix(": ")

    @property
    def sentence(self) -> str:
        """The same with its verb."""
        return f"returned {self.text}" if self.how == "returned" else self.text

    def as_data(self) -> dict[str, str]:
        """For JSON."""
        return {"how": self.how, "text": self.text}


def then(call: Call, made: Made) -> Came | None:
    """What came of a call when it was recorded; None if that is not kept.

    Args:
        call: The call.
        made: The same, decoded: what came of it may have parts of its arguments.

    Raises:
        CordError: It cannot be read.
    """
    if call[2] is None:
        return None
    kind, (number, head, buffers) = call[2]
    if kind == _LOST:
        return Came("lost", None)

    def read() -> Any:
        if kind == VALUE:
            return codec.decode((number, head, list(map(bytearray, buffers))))
        return raised.decode_exception(head)

    try:
        value = read_with_arguments(read, made[1], made[2])
    except Exception as exc:
        text = f"{type(exc).__name__}: {exc}"
        raise CordError(f"what came of it cannot be read: {text}") from exc
    return Came("returned" if kind == VALUE else "raised", value)


def now(made: Made) -> Came:
    """Make a call, and tell what comes of it.

    Raises:
        KeyboardInterrupt: Somebody wants this to end.
    """
    function, args, kwargs = made
    with interrupts() as heard:
        try:
            return Came("returned", result_of(function(*args, **kwargs)))
        except ReplicaLost:
            return Came("lost", None)
        except BaseException as exc:
            if heard:
                raise
            return Came("raised", exc)


@contextmanager
def interrupts() -> Iterator[list[int]]:
    """Signals by which somebody wants this to end: a call may raise `KeyboardInterrupt` itself."""
    heard: list[int] = []

    def hear(number: int, frame: FrameType | None) -> None:
        heard.append(number)
        signal.default_int_handler(number, frame)

    if threading.current_thread() is not threading.main_thread():
        yield heard
        return
    before = signal.signal(signal.SIGINT, hear)
    try:
        yield heard
    finally:
        signal.signal(signal.SIGINT, before)


def result_of(value: Any) -> Any:
    """A call's value; of a coroutine what it comes to."""
    if not inspect.isawaitable(value) or isinstance(value, asyncio.Future):
        return value

    async def wait() -> Any:
        return await value

    return asyncio.run(wait())


def what_differs(left: Came, right: Came) -> str | None:
    """Whether the same came of a call, by content: None if it did.

    Returns:
        What alone differs of two exceptions of one class and text, by its names; else "".
    """
    if left.how != right.how:
        return ""
    if _are_same(left.value, right.value):
        return None
    if left.how != "raised" or left.text != right.text:
        return ""
    parts, others = _parts(left.value), _parts(right.value)
    differ = (
        name
        for name in sorted(parts.keys() | others.keys())
        if not _are_same(parts.get(name), others.get(name))
    )
    return ", ".join(differ) or None


def _parts(error: BaseException) -> dict[str, Any]:
    return {**{f"args[{at}]": arg for at, arg in enumerate(error.args)}, **vars(error)}


def _are_same(left: Any, right: Any) -> bool:
    if isinstance(left, Untravelled) or isinstance(right, Untravelled):
        return True  # a connection, say: nothing to compare
    try:
        return Canon().of(left) == Canon().of(right)
    except Unpinned:
        pass
    try:
        if pickle.dumps(left) == pickle.dumps(right):
            return True
    except Exception:  # by what it says of itself, then
        pass
    try:
        return bool(left == right)
    except Exception:
        return False
