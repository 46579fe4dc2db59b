"""A copy goes on behind a statement of the program's that asks for what is not known.

The names that the statement would have set are lost; what follows in its function is run from the
function's text (`resuming.py`), and then the function is left with what that returned.
"""

from __future__ import annotations

import builtins
from collections import ChainMap
from contextlib import suppress
from functools import partial
from itertools import chain, islice
from opcode import opmap
from types import CellType, CodeType, FrameType, FunctionType, MethodType
from typing import TYPE_CHECKING

from cord import _core

from . import rests
from .asking import can_be_passed, is_own, line_of, outwards
from .leaf import Unseen
from .losing import lose
from .nodes import LOST, before_waiting
from .questions import before_guessing, place

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any, Final, NoReturn

    from .calling import Call
    from .rests import Rest

_GENERATORS: Final = 0x20 | 0x80 | 0x200  # generators, coroutines, and both
_COROUTINES: Final = 0x80 | 0x200
_OPTIMIZED: Final = 0x1
_MORE: Final = 64
_ENTRY: Final = 128
_WITHIN: Final = frozenset({"<lambda>", "<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>"})


class PassesError(BaseException):
    """The statement that asks is passed by: it has a handler for that."""


# Rests of functions by code and line, or by code and a call's instruction (and True); None where
# none can be made.
_rests: dict[tuple[CodeType, int, bool], Rest | None] = {}
_codes: set[CodeType] = set()
# What is done before something is passed by; and whether anything was.
before_passing: list[Callable[[], None]] = []
_passed: list[bool] = []


def begin() -> None:
    """Of a fresh copy that may guess."""
    before_waiting[:] = [_lead]
    before_guessing[:] = [_try]


def _name_what_is_made() -> None:
    """What rests of functions refer to, wherever they run."""
    named = vars(builtins)
    named[rests.LOST] = Unseen(LOST)
    named[rests.LOSE] = lose
    named[rests.PASSES] = PassesError
    named[rests.UNKNOWN] = (PassesError, Exception)  # libraries have errors of their own


def _lead() -> None:
    """A leader passes by the statement that asks for what it cannot guess."""
    if _core.leads(here := place()):
        _pass(here)
    else:
        _prepare()


def _prepare() -> None:
    """The copy itself waits, and has time to make what its leaders need."""
    for asking in _asking_frames():
        if _rest_of(asking.f_code, asking.f_globals, asking.f_lineno) is not None:
            for _ in _left_behind(asking):
                pass
            break


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
            _passed[:] = [True]
            for also in before_passing:
                also()
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
        if _can_be_left(code):
            yield frame
        if is_own(frame) or code.co_flags & _COROUTINES:
            return  # who awaits it would be left alone


def _pass_by(rest: Rest, frame: FrameType) -> NoReturn:
    """Go on behind the statement of a frame that is running.

    Callers go on from their text, too: what is not known may make their code raise something, which
    they would not go on behind.
    """
    left = [frame]
    try:
        value = run_rest(rest, frame)
        for caller, behind, makes in _left_behind(frame):
            value = run_rest(behind, caller, _own(left[-1]) if makes else value)
            left.append(caller)
    except BaseException as error:
        _core.end_copy(error)
        raise
    if left[-1].f_code.co_name == "<module>":
        _core.end_copy()
    raise _leaving(left, value)


def _left_behind(frame: FrameType) -> Iterator[tuple[FrameType, Rest, bool]]:
    """The callers of a function that can be left with it, and their rests behind the calls.

    And for each whether it has called a class, so that the object is what the call returns.
    """
    codes = {frame.f_code} | _codes
    while (caller := frame.f_back) is not None:
        code = caller.f_code
        if code in codes or not can_be_passed(caller) or not _can_be_left(code):
            return
        if code.co_name == "<module>" and caller.f_globals.get("__name__") != "__main__":
            return  # who imports it goes on
        rest = _rest_behind(caller)
        if rest is None:
            return
        called = None if _core.called_directly(frame, caller) else _called(rest, caller)
        makes = type(called) is type and _same(getattr(called, "__init__", None), frame.f_code)
        if called is not None and not (makes or _same(called, frame.f_code)):
            return
        yield caller, rest, makes
        codes.add(code)
        frame = caller


def _called(rest: Rest, caller: FrameType) -> Any:
    """What code in C was told to call where a function calls something by its name."""
    name, *attributes = rest.called or [""]
    there = ChainMap(caller.f_locals, caller.f_globals, caller.f_builtins)
    with suppress(Exception):
        called = there[name]
        for one in attributes:
            called = getattr(called, one)
        while type(called) is partial:
            called = called.func
        if type(called) in (type, FunctionType, MethodType):
            return called
        return type(called).__call__
    return ...


def _same(function: Any, code: CodeType) -> bool:
    """Whether a code is a function's, or that by which it takes replies."""
    own = getattr(function, "__code__", None)
    place = (code.co_filename, code.co_firstlineno, code.co_name)
    return type(own) is CodeType and place == (own.co_filename, own.co_firstlineno, own.co_name)


def _own(frame: FrameType) -> Any:
    """The object whose method a frame runs."""
    return frame.f_locals[frame.f_code.co_varnames[0]]


def _can_be_left(code: CodeType) -> bool:
    is_function = bool(code.co_flags & _OPTIMIZED and code.co_nlocals)
    is_known = is_function or code.co_name == "<module>"
    return is_known and not code.co_flags & _GENERATORS and code.co_name not in _WITHIN


def _rest_behind(frame: FrameType) -> Rest | None:
    """The rest of a function behind the call that it has just made."""
    code, at = frame.f_code, frame.f_lasti
    if (code, at, True) in _rests:
        return _rests[code, at, True]
    place = next(islice(code.co_positions(), at // 2, None), (None,) * 4)
    line, last, begin, end = place
    if line is None or last is None or begin is None or end is None:
        return None
    return _rest_of(code, frame.f_globals, line, (at, (line, last, begin, end)))


def _rest_of(
    code: CodeType,
    names: dict[str, Any],
    line: int,
    call: tuple[int, Call] | None = None,
) -> Rest | None:
    """The rest of a function, behind the statement at a line or behind a call in it.

    Args:
        code: The function's.
        names: Its module's.
        line: The line.
        call: Which instruction it is, and where it stands in the text.
    """
    at, there = call or (line, None)
    key = (code, at, call is not None)
    if key not in _rests:
        _name_what_is_made()
        rest, is_known = rests.noted(code, key[1:])
        if not is_known:
            rest = _made(code, names, line, there)
            rests.note(code, key[1:], rest)
        _rests[key] = rest
    return _rests[key]


def _made(code: CodeType, names: dict[str, Any], line: int, there: Call | None) -> Rest | None:
    from . import calling, resuming  # few copies have to read what they need

    try:
        return resuming.rest_of(code, names, line, there)
    except (calling.CannotResumeError, SyntaxError, RecursionError):
        return None


def was_passed() -> bool:
    """Whether this process has passed anything by."""
    return bool(_passed)


def rest_of_passed(frame: FrameType, line: int) -> Rest | None:
    """The rest of a function of the program's behind the statement at a line, if it can be made."""
    code = frame.f_code
    is_known = _can_be_left(code) and code not in _codes
    return _rest_of(code, frame.f_globals, line) if is_known else None


def open_in(frame: FrameType, rest: Rest) -> list[Any]:
    """What a function that is running holds on its stack where a rest of it begins."""
    count = len(_own_names(frame.f_code))
    held = _core.held_by(frame, count + len(rest.holding))
    assert held is not None
    return held[count:]


def _cells_of(frame: FrameType) -> dict[str, Any]:
    """What a function shares with others: cells, new ones if it does not run any more."""
    code, there = frame.f_code, frame.f_locals
    own = _own_names(code)
    shared = {*code.co_cellvars, *code.co_freevars}
    held = _core.held_by(frame, len(own))
    if held is None:
        return {name: CellType(*(there[name],) * (name in there)) for name in shared}
    return {name: one for name, one in zip(own, held, strict=True) if name in shared}


def _own_names(code: CodeType) -> list[str]:
    own = [*code.co_varnames]
    own += [name for name in code.co_cellvars if name not in own]
    return [*own, *code.co_freevars]


def run_rest(
    rest: Rest, frame: FrameType, returned: object = None, held: list[Any] | None = None
) -> Any:
    """Run the rest of a function with what its frame holds, and what a call in it has returned.

    `place` knows by this function's name and its `frame` whose rest it is. `held` is what was on
    the stack of one that does not run any more.
    """
    code = frame.f_code
    on_stack = open_in(frame, rest) if held is None else held
    mark = object()
    stack = [
        chain((mark,), one) if is_loop else one
        for one, is_loop in zip(on_stack, rest.holding, strict=True)
    ]
    _codes.add(rest.code)
    if code.co_name == "<module>":
        names = frame.f_globals
        for at, one in enumerate(stack):
            names[rests.HELD.format(at)] = one
        names[rests.MARK] = mark
        names[rests.RETURNED] = returned
        exec(rest.code, names)
        return None
    there = frame.f_locals
    cells = _cells_of(frame)
    values = {name: there[name] for name in rest.names if name in there}
    values[rests.RETURNED] = returned
    function = rest.as_function(frame.f_globals, cells)
    return function(*map(values.get, rest.first), mark, values, *stack)


def _leaving(frames: list[FrameType], value: Any) -> BaseException:
    """What to raise so that functions that are running are left, the outermost with a value.

    Args:
        frames: Theirs, from the innermost on.
        value: What the outermost one returns.
    """
    *inner, outermost = frames
    leaving = _left(outermost, value, ("RETURN_VALUE", 0))
    for frame in reversed(inner):
        # nothing of the exception stays in the frame, which it leads to
        leaving = _left(frame, leaving, ("DELETE_FAST", 0), ("RAISE_VARARGS", 1))
    return leaving


def _left(frame: FrameType, value: Any, *end: tuple[str, int]) -> BaseException:
    """What leaves one frame, by instructions that follow after those that load a value."""
    code = frame.f_code
    begin = code.co_code[::2].index(opmap["RESUME"]) + 1
    steps = (("POP_TOP", 0), ("LOAD_FAST", 0), *end)
    instructions = bytes(chain.from_iterable((opmap[name], of) for name, of in steps))
    last = begin + len(steps) - 1
    if last == frame.f_lasti // 2:
        begin, last = begin + 1, last + 1
    # what the last one raises leads on
    parts = ((0, last), (last + 1, len(code.co_code) // 2 - last - 1))
    table = b"".join(_entry(start, size, begin) for start, size in parts if size > 0)
    return _core.leave(frame, value, 2 * begin, instructions, table)


def _entry(start: int, size: int, target: int) -> bytes:
    """An entry of an exception table: with an empty stack, from some instructions to one."""
    table = b"".join(map(_encoded, (start, size, target, 0)))
    return bytes((table[0] | _ENTRY, *table[1:]))


def _encoded(number: int) -> bytes:
    """A number as exception tables have it (CPython's `exception_handling_notes.txt`)."""
    parts = [number & 63]
    while number := number >> 6:
        parts.append(number & 63 | _MORE)
    return bytes(reversed(parts))
