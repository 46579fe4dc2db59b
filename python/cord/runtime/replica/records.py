"""Log records that calls make: taken down in replicas where loggers would handle them.

The handlers are the program's, so a record goes home at the point where its logger was to handle
it: filters and handlers of the loggers of that name act there. Handlers that the remote module has
made when it was imported stand in the program, too; here they do nothing. Those that a function
makes for itself have no counterpart there, and handle the record here.
"""

from __future__ import annotations

import logging
import os
import sys
import threading
from _pickle import dumps, loads
from weakref import WeakSet

from cord.runtime.io.output import RECORD
from cord.runtime.objects.callers import (
    frames_inside,
    is_in_call,
    is_in_import,
    lines_of,
    locate,
)
from cord.runtime.travel import raised

TYPE_CHECKING = False  # typing is not imported on the way to a first call
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, Final

    from cord.runtime.io.output import Capture

_PLAIN_RECORD: Final = logging.LogRecord("", 0, "", 0, "", (), None)
# What the program's own record of the same has by itself, or is sent apart.
_OWN: Final = frozenset(vars(_PLAIN_RECORD)) | {"message", "asctime", "taskName"}
# Values that arrive as they were.
_SIMPLE: Final = frozenset({str, int, float, bool, type(None), bytes, complex})

# Handlers that the program has, too.
_program_s: WeakSet[logging.Handler] = WeakSet()


def install(capture: Capture) -> None:
    """Take down the records that calls make, from here on.

    Args:
        capture: Recorder of what calls write.
    """
    if getattr(logging.Logger.handle, "takes_down", False):
        return
    handles, makes = logging.Logger.handle, logging.Handler.__init__
    for reference in logging._handlerList:  # type: ignore[attr-defined]
        handler = reference()
        if handler is not None:
            _program_s.add(handler)

    def handle(logger: logging.Logger, record: logging.LogRecord) -> None:
        if capture.is_forked or not _is_known(logger):
            handles(logger, record)
            return
        own = list(_own_handlers(logger, record))
        capture.record(RECORD, 0, _encoded(logger.name, record, bool(own)))
        if own and not logger.disabled:
            _handle_here(logger, record, own)

    def __init__(handler: logging.Handler, *args: Any, **kwargs: Any) -> None:
        makes(handler, *args, **kwargs)
        if is_in_import():
            _program_s.add(handler)

    handle.takes_down = True  # type: ignore[attr-defined]
    loggers: Any = logging.Logger
    handlers: Any = logging.Handler
    loggers.handle, handlers.__init__ = handle, __init__
    _take_configuration(capture)


def _take_configuration(capture: Capture) -> None:
    """Let `basicConfig` in a call be for the program."""
    configures = logging.basicConfig

    def basicConfig(**how: Any) -> None:
        told = None if capture.is_forked or is_in_import() else _configuration(how)
        if told is None:
            configures(**how)
            return
        capture.record(RECORD, 0, told)
        level: Any = how.get("level")
        if level is not None:  # the program finds out whether it is
            from cord.runtime.travel.settings.libraries import lower_level

            lower_level(logging._checkLevel(level))  # type: ignore[attr-defined]

    logging.basicConfig = basicConfig


def _configuration(how: dict[str, Any]) -> bytes | None:
    """How `basicConfig` was called, for the program to do it; None if that cannot travel."""
    how = dict(how)
    for name in ("stdout", "stderr"):
        if "stream" in how and how["stream"] is getattr(sys, name):
            how["stream"] = name
    try:
        return dumps({"configured": how}, 5)
    except Exception:
        return None


def _is_known(logger: logging.Logger) -> bool:
    """Whether the program finds its counterpart by its name."""
    if logger is logging.root:
        return True
    return logger.manager.loggerDict.get(logger.name) is logger


def _own_handlers(logger: logging.Logger, record: logging.LogRecord) -> Iterator[logging.Handler]:
    each: logging.Logger | None = logger
    while each is not None:
        yield from (one for one in each.handlers if one not in _program_s)
        each = each.parent if each.propagate else None


def _handle_here(
    logger: logging.Logger, record: logging.LogRecord, handlers: list[logging.Handler]
) -> None:
    passed: Any = logger.filter(record)
    if not passed:
        return
    if isinstance(passed, logging.LogRecord):  # since Python 3.12
        record = passed
    for handler in handlers:
        if record.levelno >= handler.level:
            handler.handle(record)


def _encoded(logger: str, record: logging.LogRecord, is_handled: bool) -> bytes:
    """A record as data, for `io/told.py`."""
    frame, above = locate(record.pathname, record.lineno)
    msg, args = _travelling(record)
    fields: dict[str, Any] = {
        "logger": logger,
        "is_handled": is_handled,
        "above": above,
        "name": record.name,
        "level": record.levelno,
        "place": (record.pathname, record.lineno, record.funcName),
        "msg": msg,
        "args": args,
        "created": (record.created, record.msecs),
        "attributes": _attributes(record),
    }
    if record.levelname != logging.getLevelName(record.levelno):
        fields["level_name"] = record.levelname
    if record.exc_info:
        fields["exc_info"] = _exception(record)  # or its text
    if record.exc_text:
        fields["exc_text"] = record.exc_text
    if record.stack_info:
        is_ours = frame is not None or above > 0
        fields["stack"] = _stack(above, record) if is_ours else record.stack_info
    if record.process not in (os.getpid(), None) or _is_of_another_thread(record):
        names = ("process", "processName", "thread", "threadName")
        fields["makers"] = {name: getattr(record, name) for name in names}
        if record.process == os.getpid():
            del fields["makers"]["process"], fields["makers"]["processName"]
    return dumps(fields, 5)


def _is_of_another_thread(record: logging.LogRecord) -> bool:
    """Whether it was not made by the thread that makes the call."""
    if record.thread not in (threading.get_ident(), None):
        return True
    return not is_in_call()


def _travelling(record: logging.LogRecord) -> tuple[Any, Any]:
    """Message and arguments; the message as it is formatted, where it would be another one."""
    msg, args = record.msg, record.args
    values = args.values() if isinstance(args, dict) else args or ()
    if type(msg) is str and all(type(value) in _SIMPLE for value in values):
        return msg, args
    try:
        text = record.getMessage()
    except Exception:
        text = None  # the program finds out, and says so
    try:
        there = loads(dumps((msg, args), 5))
        if text is None or _formatted(*there) == text:
            return msg, args
    except Exception:
        pass
    return (str(msg) if text is None else text), None


def _formatted(msg: object, args: Any) -> str:
    text = str(msg)
    return text % args if args else text


def _attributes(record: logging.LogRecord) -> dict[str, bytes]:
    """What a record has besides: what `extra` has given it, or a factory."""
    found = {}
    for name, value in vars(record).items():
        if name not in _OWN:
            try:
                found[name] = dumps(value, 5)
            except Exception:
                found[name] = dumps(_printed(value), 5)
    return found


def _printed(value: object) -> str:
    try:
        return str(value)
    except Exception:
        return f"<unprintable {type(value).__name__} object>"


def _exception(record: logging.LogRecord) -> bytes | None:
    """The exception; None where there is none, as after `exc_info=True` outside a handler."""
    exc_info = record.exc_info
    exc = exc_info[1] if isinstance(exc_info, tuple) else None
    if exc is None:
        return None
    try:
        return raised.encode_exception(exc)
    except Exception:
        record.exc_text = logging.Formatter().formatException(exc_info)  # type: ignore[arg-type]
        return None


def _stack(above: int, record: logging.LogRecord) -> str:
    """The lines of a stack from the remote function on; none if the place is above it."""
    if above:
        return ""
    place = record.lineno, record.pathname
    frames = frames_inside()
    while frames and (frames[0].f_lineno, frames[0].f_code.co_filename) != place:
        del frames[0]
    return lines_of(frames)
