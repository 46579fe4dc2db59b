"""Tracebacks that travel: plain data for each frame, and real traceback objects made from it."""

from __future__ import annotations

import sys
from itertools import islice
from types import CodeType, FunctionType, TracebackType

from cord.runtime.objects.frames import variables

TYPE_CHECKING = False  # typing is not imported on the way to a first call
if TYPE_CHECKING:
    from types import FrameType
    from typing import Any, Final

    # Line, end line, column, end column; columns in bytes of UTF-8, None if not known.
    Position = tuple[int, int | None, int | None, int | None]
    # File name, function, qualified name, first line, module, position, names of locals, and the
    # name of an attribute that the local `self` has.
    Frame = tuple[str, str, str, int, str, Position, tuple[str, ...], str]

# Kinds of entries in a code object's table of lines (Objects/locations.md of CPython).
_LONG_ENTRY: Final = 14
_ENTRY_UNITS: Final = 8


def frames_of(traceback: TracebackType | None) -> list[Frame]:
    """Return a traceback's frames as plain data, oldest first, those of Cord's own left out.

    Args:
        traceback: The traceback; None has no frames.

    Returns:
        What `rebuild` takes.
    """
    frames = []
    while traceback is not None:
        module = traceback.tb_frame.f_globals.get("__name__")
        module = module if type(module) is str else ""
        if module != "cord" and not module.startswith("cord."):
            frames.append(_frame_of(traceback, module))
        traceback = traceback.tb_next
    return frames


def _frame_of(traceback: TracebackType, module: str) -> Frame:
    code = traceback.tb_frame.f_code
    position = (traceback.tb_lineno, None, None, None)
    if traceback.tb_lasti >= 0:
        found = next(islice(code.co_positions(), traceback.tb_lasti // 2, None), position)
        if found[0] == traceback.tb_lineno:
            position = found  # type: ignore[assignment]
    return (
        code.co_filename,
        code.co_name,
        code.co_qualname,
        code.co_firstlineno,
        module,
        position,
        (),
        "",
    )


def with_local_names(
    frames: list[Frame], traceback: TracebackType | None, missing: str
) -> list[Frame]:
    """Add the names of the locals to the last frame, where a NameError looks for similar ones.

    Args:
        frames: What `frames_of` gave for `traceback`.
        traceback: The traceback.
        missing: The name that was not found; "Did you mean self.NAME?" is for methods.

    Returns:
        The frames, the last one with the names of its locals.
    """
    if traceback is None or not frames:
        return frames
    while traceback.tb_next is not None:
        traceback = traceback.tb_next
    frame = traceback.tb_frame
    if frame.f_code.co_filename != frames[-1][0] or frame.f_locals is frame.f_globals:
        return frames
    local = variables(frame)
    owner = local.get("self")
    of_self = missing if missing in dir(owner) else ""
    return [*frames[:-1], (*frames[-1][:6], tuple(local), of_self)]


def rebuild(frames: list[Frame], before: TracebackType | None = None) -> TracebackType | None:
    """Make a traceback that prints as the one it was taken from.

    Args:
        frames: What `frames_of` returned.
        before: Where the exception had been before the first of these.

    Returns:
        The traceback; None if there are no frames.
    """
    traceback = before
    codes: dict[tuple[Any, ...], CodeType] = {}
    for described in reversed(frames):
        code = codes.get(described)
        if code is None:
            code = codes[described] = _code(described)
        traceback = TracebackType(traceback, _stand_in(code, described), 0, described[5][0])
    try:
        return traceback
    finally:  # from Python 3.12 on a generator's frame keeps those that ran it, this one too
        del traceback, before


def _code(described: Frame) -> CodeType:
    filename, name, qualname, first_line, _, position, local_names, _ = described
    # Not all are identifiers: ".0" is what a comprehension iterates over.
    parameters = ", ".join(filter(str.isidentifier, local_names))
    # A generator's frame does not keep the frames that ran it: these hold the exception, which
    # would hold itself then, and all that its frames hold would outlive it.
    module = compile(f"def stand_in({parameters}):\n raise 0\n yield", "<remote>", "exec")
    (code,) = (constant for constant in module.co_consts if isinstance(constant, CodeType))
    return code.replace(
        co_filename=filename,
        co_name=name,
        co_qualname=qualname,
        co_firstlineno=first_line,
        co_linetable=_line_table(first_line, position, len(code.co_code) // 2),
    )


def _stand_in(code: CodeType, described: Frame) -> FrameType:
    """Return a frame, run and finished, of a code object that looks like the remote one."""
    name, of_self = described[4], described[7]
    module = sys.modules.get(name)
    # The client's own module, if it has it: its loader finds the source, its names are suggested.
    names = {"__name__": name} if module is None else module.__dict__
    owner = type("self", (), {of_self: None}) if of_self else None
    local = {each: owner if each == "self" else None for each in code.co_varnames}
    try:
        next(FunctionType(code, names)(**local))
    except TypeError as error:
        assert error.__traceback__ is not None
        assert error.__traceback__.tb_next is not None
        return error.__traceback__.tb_next.tb_frame
    raise AssertionError("the stand-in for a frame returned")


def _line_table(first_line: int, position: Position, units: int) -> bytes:
    """Encode one position for all of a code object's `units` instructions."""
    line, end_line, column, end_column = position
    if end_line is None or end_line < line:
        end_line, column, end_column = line, None, None
    table = bytearray()
    delta = line - first_line
    while units > 0:
        length = min(units, _ENTRY_UNITS)
        table.append(0x80 | _LONG_ENTRY << 3 | length - 1)
        _signed_varint(table, delta)
        _varint(table, end_line - line)
        _varint(table, 0 if column is None else column + 1)
        _varint(table, 0 if end_column is None else end_column + 1)
        delta = 0
        units -= length
    return bytes(table)


def _varint(table: bytearray, number: int) -> None:
    while number >= 0x40:
        table.append(0x40 | number & 0x3F)
        number >>= 6
    table.append(number)


def _signed_varint(table: bytearray, number: int) -> None:
    _varint(table, -number << 1 | 1 if number < 0 else number << 1)
