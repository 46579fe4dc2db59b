"""A copy goes on behind a statement of the program's that asks for what is not known.

The names that the statement would have set are lost; what follows in its function is run from the
function's text (`resuming.py`), and then the function is left with what that returned.
"""

from __future__ import annotations

import builtins
import os
from itertools import chain
from opcode import opmap
from types import CodeType, FrameType, ModuleType
from typing import TYPE_CHECKING

from cord import _core

from .asking import can_be_passed, is_own, line_of, outwards
from .leaf import Unseen
from .losing import lose
from .nodes import LOST, before_waiting
from .questions import before_guessing, place

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, Final, NoReturn

    from .resuming import Rest

_GENERATORS: Final = 0x20 | 0x80 | 0x200  # generators, coroutines, and both
_COROUTINES: Final = 0x80 | 0x200
_OPTIMIZED: Final = 0x1
_MORE: Final = 64
_ENTRY: Final = 128
_WITHIN: Final = frozenset({"<lambda>", "<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>"})
# What code may raise that goes on with what is not known.
_OF_WRONG_WAYS: Final = (
    *(TypeError, ValueError, LookupError, AttributeError, ArithmeticError, AssertionError),
    OSError,
)


class PassesError(BaseException):
    """The statement that asks is passed by: it has a handler for that."""


# Own code that has waited, and its module's names, by file and by first and last line.
_seen: dict[str, dict[tuple[int, int], tuple[CodeType, dict[str, Any]]]] = {}
# Rests of functions by code and line; None where none can be made.
_rests: dict[tuple[CodeType, int], Rest | None] = {}
_codes: set[CodeType] = set()


def begin() -> None:
    """Of a fresh copy that may guess."""
    before_waiting[:] = [_lead]
    before_guessing[:] = [_try]


def _name_what_is_made(guarding: ModuleType) -> None:
    """What rests of functions refer to, wherever they run."""
    named = vars(builtins)
    named[guarding.LOST] = Unseen(LOST)
    named[guarding.LOSE] = lose
    named[guarding.PASSES] = PassesError
    named[guarding.UNKNOWN] = (PassesError, *_OF_WRONG_WAYS)


def _lead() -> None:
    """A leader passes by the statement that asks for what it cannot guess."""
    if _core.leads(here := place()):
        _pass(here)
    else:
        _prepare()


def _prepare() -> None:
    """The copy itself waits, and has time to make what its leaders need, or have needed."""
    for frame in outwards():
        code = frame.f_code
        if can_be_passed(frame) and code not in _codes:
            lines = [line for *_, line in code.co_lines() if line is not None]
            span = min(lines), max(lines)
            _seen.setdefault(os.path.basename(code.co_filename), {})[span] = code, frame.f_globals
    for asking in _asking_frames():
        if _rest_of(asking.f_code, asking.f_globals, asking.f_lineno) is not None:
            break
    for passed in set(_core.lines_passed()):
        file, _, number = passed.rpartition(":")
        line = int(number)
        spans = [span for span in _seen.get(file, ()) if span[0] <= line <= span[1]]
        if spans:
            _rest_of(*_seen[file][max(spans)], line)


def _try(here: int) -> None:
    """Pass by the statement that asks, unless it asks of several things in turn."""
    if _core.may_pass(here):
        _pass(here, _WITHIN)


def _pass(here: int, without: frozenset[str] = frozenset()) -> None:
    for frame in _asking_frames(without):
        is_rest = frame.f_code in _codes
        rest = None if is_rest else _rest_of(frame.f_code, frame.f_globals, frame.f_lineno)
        if is_rest or rest is not None:
            if not _core.passes_by(here, line_of(frame)):
                return
            if rest is None:
                raise PassesError
            _pass_by(rest, frame)


def _asking_frames(without: frozenset[str] = frozenset()) -> Iterator[FrameType]:
    """Frames whose functions can be left: those of packages, out to the innermost of its own.

    Args:
        without: None if code with one of these names is called by it.
    """
    for frame in outwards():
        code = frame.f_code
        if not can_be_passed(frame):
            continue
        if code.co_name in without:
            return
        if code.co_name in _WITHIN:
            continue
        is_function = bool(code.co_flags & _OPTIMIZED and code.co_nlocals)
        can_be = is_function or code.co_name == "<module>"
        if can_be and not code.co_flags & _GENERATORS:
            yield frame
        if is_own(frame) or code.co_flags & _COROUTINES:
            return  # who awaits it would be left alone


def _pass_by(rest: Rest, frame: FrameType) -> NoReturn:
    """Go on behind the statement of a frame that is running."""
    try:
        value = run_rest(rest, frame)
    except BaseException as error:
        _core.end_copy(error)
        raise
    if frame.f_code.co_name == "<module>":
        _core.end_copy()
    _leave(frame, value)


def _rest_of(code: CodeType, names: dict[str, Any], line: int) -> Rest | None:
    key = (code, line)
    if key not in _rests:
        from . import guarding, resuming  # what they need is not read at each copy's birth

        _name_what_is_made(guarding)
        try:
            _rests[key] = resuming.Rest(code, names, line)
        except (resuming.CannotResumeError, SyntaxError, RecursionError):
            _rests[key] = None
    return _rests[key]


def run_rest(rest: Rest, frame: FrameType) -> Any:
    """Run the rest of a function with what its frame holds.

    `place` knows by this function's name and its `frame` whose rest it is.
    """
    from . import resuming

    code = frame.f_code
    own = [*code.co_varnames]
    own += [name for name in code.co_cellvars if name not in own]
    own += code.co_freevars
    held = _core.held_by(frame, len(own) + len(rest.holding))
    assert held is not None
    mark = object()
    stack = [
        chain((mark,), one) if is_loop else one
        for one, is_loop in zip(held[len(own) :], rest.holding, strict=True)
    ]
    _codes.add(rest.code)
    if code.co_name == "<module>":
        names = frame.f_globals
        for at, one in enumerate(stack):
            names[resuming.HELD.format(at)] = one
        names[resuming.MARK] = mark
        exec(rest.code, names)
        return None
    shared = {*code.co_cellvars, *code.co_freevars}
    cells = {name: one for name, one in zip(own, held, strict=False) if name in shared}
    there = frame.f_locals
    values = {name: there[name] for name in rest.names if name in there}
    function = resuming.function_of(rest, frame.f_globals, cells)
    return function(*map(values.get, rest.first), mark, values, *stack)


def _leave(frame: FrameType, value: Any) -> NoReturn:
    """Leave a function that is running with a value."""
    code = frame.f_code
    begin = code.co_code[::2].index(opmap["RESUME"]) + 1
    instructions = (opmap["POP_TOP"], 0, opmap["LOAD_FAST"], 0, opmap["RETURN_VALUE"], 0)
    table = b"".join(map(_encoded, (0, len(code.co_code) // 2, begin, 0)))
    table = bytes((table[0] | _ENTRY, *table[1:]))
    raise _core.leave(frame, value, 2 * begin, bytes(instructions), table)


def _encoded(number: int) -> bytes:
    """A number as exception tables have it (CPython's `exception_handling_notes.txt`)."""
    parts = [number & 63]
    while number := number >> 6:
        parts.append(number & 63 | _MORE)
    return bytes(reversed(parts))
