"""What calls have told besides what they wrote, handled in the program as if it had told it itself.

Log records go to the program's loggers, whose filters and handlers act; warnings to its filters
and its registries, which know what was shown before.
"""

from __future__ import annotations

import sys
import warnings
from _pickle import dumps, loads
from collections.abc import Mapping

from cord.runtime.io.output import RECORD, WARNING
from cord.runtime.objects.callers import (
    BEYOND,
    caller,
    frames_inside,
    frames_outside,
    is_own,
    lines_of,
)
from cord.runtime.travel import raised

TYPE_CHECKING = False  # typing is not imported on the way to a first call
if TYPE_CHECKING:
    import logging as _logging
    from types import FrameType
    from typing import Any

# What is recorded of warnings of modules that the program has not imported.
_registries: dict[str, dict[Any, Any]] = {}


class Untravelled:
    """Stands for what a warning is about, if it cannot travel.

    Args:
        printed: How that prints.
    """

    def __init__(self, printed: str) -> None:
        self._printed = printed

    def __repr__(self) -> str:
        return self._printed


def from_here(operation: str, data: bytes | None) -> bytes | None:
    """In a replica: what a nested call has told, as its caller there tells it.

    Args:
        operation: What it is.
        data: What has come of the nested call.

    Returns:
        The same, with places that are found here.
    """
    if operation == WARNING:
        assert data is not None
        head, (filename, line, module, above), action, about = loads(data)
        if above:
            frame, above = caller(above)
            if frame is not None and not above:
                filename, line, module, _ = _place(frame)
        return dumps((head, (filename, line, module, above), action, about), 5)
    if operation == RECORD:
        assert data is not None
        fields = loads(data)
        if fields.get("above"):
            frame, fields["above"] = caller(fields["above"])
            if frame is not None and not fields["above"]:
                fields["place"] = _record_place(frame)
        if "stack" in fields:
            fields["stack"] = lines_of(frames_inside()) + fields["stack"]
        return dumps(fields, 5)
    return data


def filters_have_changed() -> None:
    """A call has changed the filters of warnings, perhaps for a while: registries begin anew."""
    for name in ("_filters_mutated", "_filters_mutated_lock_held"):
        mutated = getattr(warnings, name, None)
        if mutated is not None:
            mutated()
            return


def warn(data: bytes) -> None:
    """Give a warning that a call has given.

    Args:
        data: What `replica/warned.py` has made of it.

    Raises:
        BaseException: What the program makes of it.
    """
    head, (filename, line, module, above), action, about = loads(data)
    message: Any = raised.decode_exception(head)
    message.__context__ = None  # it was not raised
    where: dict[str, Any] = {}
    if above:
        filename, line, where["module"], where["registry"] = _place(caller(above)[0])
    elif module is not None:
        where = {"module": module, "registry": _registry(module)}
    if about is not None:
        where["source"] = _source(*about)
    filters = warnings.filters
    if action is not None:  # that of a filter which the function has set
        warnings.filters = [(action, None, Warning, None, 0)]
    try:
        warnings.warn_explicit(message, type(message), filename, line, **where)
    finally:
        if action is not None:
            warnings.filters = filters


def _place(frame: FrameType | None) -> tuple[str, int, str, dict[Any, Any]]:
    """Where a caller of a remote function stands, as `warnings` tells it."""
    if frame is None:
        return *BEYOND, "sys", vars(sys).setdefault("__warningregistry__", {})
    names = frame.f_globals
    module = names.get("__name__") or "<string>"
    registry = names.setdefault("__warningregistry__", {})
    return frame.f_code.co_filename, frame.f_lineno, module, registry


def _registry(module: str) -> dict[Any, Any]:
    found = sys.modules.get(module)
    names = _registries.setdefault(module, {}) if found is None else vars(found)
    registry: dict[Any, Any] = names.setdefault("__warningregistry__", {})
    return registry


def _source(pickled: bytes, printed: str) -> object:
    try:
        return loads(pickled)
    except Exception:
        return Untravelled(printed)


def log(data: bytes) -> None:
    """Handle a record that a call has made.

    Args:
        data: What `replica/records.py` has made of it.

    Raises:
        BaseException: What the program's handlers raise.
    """
    import logging

    fields = loads(data)
    if "configured" in fields:
        _configure(logging, fields["configured"])
        return
    logger = logging.getLogger(fields["logger"])
    if not logger.isEnabledFor(fields["level"]):
        return
    if fields["is_handled"] and not logger.hasHandlers():
        return  # nor would the handler of last resort have seen it
    logging.Logger.handle(logger, _record(logging, fields))


def _configure(logging: Any, how: dict[str, Any]) -> None:
    """Do what `basicConfig` was to do in a call."""
    if "stream" in how:
        how["stream"] = getattr(sys, how["stream"])
    logging.basicConfig(**how)


def _record(logging: Any, fields: dict[str, Any]) -> _logging.LogRecord:
    """The record, made as the program makes its own."""
    place, stack = fields["place"], None
    frame = None
    if fields["above"]:
        frame = caller(fields["above"])[0]
        if frame is not None:
            place = _record_place(frame)
    if "stack" in fields:
        stack = _stack(fields["stack"], frame)
    args = fields["args"]
    record: _logging.LogRecord = logging.getLogRecordFactory()(
        fields["name"],
        fields["level"],
        *place[:2],
        fields["msg"],
        (args,) if isinstance(args, Mapping) else args,
        _exc_info(fields),
        place[2],
        stack,
    )
    began = record.created
    record.created, record.msecs = fields["created"]
    record.relativeCreated += (record.created - began) * 1000
    for name, value in fields["attributes"].items():
        if name not in record.__dict__:
            record.__dict__[name] = loads(value)
    record.__dict__.update(fields.get("makers", {}))
    if "level_name" in fields:
        record.levelname = fields["level_name"]
    if "exc_text" in fields:
        record.exc_text = fields["exc_text"]
    return record


def _record_place(frame: FrameType) -> tuple[str, int, str]:
    return frame.f_code.co_filename, frame.f_lineno, frame.f_code.co_name


def _exc_info(fields: dict[str, Any]) -> Any:
    if "exc_info" not in fields:
        return None
    if fields["exc_info"] is None:
        return None, None, None
    exc = raised.decode_exception(fields["exc_info"])
    return type(exc), exc, exc.__traceback__


def _stack(inside: str, frame: FrameType | None) -> str:
    """A whole stack: the program's frames, then those of the remote function."""
    if inside.startswith("Stack"):
        return inside
    frames = [one for one in frames_outside() if not is_own(one)]
    if frame is not None:
        frames = frames[frames.index(frame) :]
    return f"Stack (most recent call last):\n{lines_of(frames)}{inside}".rstrip("\n")
