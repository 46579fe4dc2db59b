"""What functions look at that is their callers': told by the names and operations of their code."""

from __future__ import annotations

import sys
from types import CodeType, FunctionType

from cord.runtime.objects.operations import has
from cord.runtime.objects.reach import MAIN, code_names

TYPE_CHECKING = False  # typing is not imported on the way to a first call
if TYPE_CHECKING:
    from typing import Final


def looks_at(functions: list[FunctionType]) -> str | None:
    """Say what functions look at that calls in another process do not find.

    Args:
        functions: The project's functions whose code may run.

    Returns:
        What it is, as a sentence about a function goes on; None if nothing is known.
    """
    codes = [function.__code__ for function in functions]
    if _looks_at_handled(codes):
        return "looks at the exception that its callers handle"
    if _looks_at_tasks(codes):
        return "looks at the tasks of its event loop"
    for code in codes:
        names = code_names(code)
        for one, others, told in _NAMES:
            if one in names and (not others or not others.isdisjoint(names)):
                return told
    if any(map(_names_main, functions)):
        return "looks at the main script by its name"
    if any(map(_looks_at_callers, codes)):
        return "looks at its callers"
    return None


# What is another one in each process: a name, others of which one must be there, if any; in words.
_STREAMS = frozenset("encoding errors newlines line_buffering write_through reconfigure".split())
_NAMES: Final = (
    ("cache_info", (), "looks at what a cache counts"),
    ("__subclasses__", (), "looks for classes below another one"),
    ("getsignal", (), "asks for the handler of a signal"),
    ("getsizeof", (), "asks how much memory objects have"),
    ("getrefcount", (), "counts references"),
    ("get_referrers", (), "looks at who has references"),
    ("finalize", {"weakref"}, "waits for the end of objects"),
    ("stdout", _STREAMS, "looks at how its output is encoded"),
    ("stderr", _STREAMS, "looks at how its output is encoded"),
    ("stdin", _STREAMS, "looks at how its input is encoded"),
)


def _names_main(function: FunctionType) -> bool:
    """Whether a function of a module looks for something in the main script."""
    code, known = function.__code__, function.__globals__
    main = sys.modules.get(MAIN)
    if known.get("__name__") == MAIN:
        return False
    names = code_names(code)
    return any(known.get(name) is main for name in names) or (
        not _IMPORTING.isdisjoint(names) and MAIN in _texts(code)
    )


def _texts(code: CodeType) -> set[str]:
    """The texts among constants of code, and of what is defined in it."""
    inside = [one for one in code.co_consts if isinstance(one, CodeType)]
    return {one for one in code.co_consts if type(one) is str}.union(*map(_texts, inside))


_IMPORTING = frozenset({"modules", "import_module", "__import__", MAIN})


# What functions ask for that look at the frames above their own.
_FRAMES = {"sys": {"_getframe"}, "inspect": {"stack"}}
_FRAMES["traceback"] = {"extract_stack", "format_stack", "print_stack"}


def _looks_at_callers(code: CodeType) -> bool:
    """Whether code looks at the frames of who has called it."""
    names = code_names(code)
    if "f_back" in names:
        return True
    if "_getframe" in names and not any(type(one) is int and one > 0 for one in code.co_consts):
        return False  # at its own
    return any(module in names and not of.isdisjoint(names) for module, of in _FRAMES.items())


# What asks for the exception that is handled.
_HANDLED = frozenset({"exc_info", "format_exc", "print_exc"})
_LOGS = frozenset(
    {"sys", "logging", "log", "logger", "getLogger", "_log", "_logger", "LOG", "LOGGER"}
)


def _looks_at_handled(codes: list[CodeType]) -> bool:
    """Whether code asks for the exception that is handled, while none of it handles any."""
    return any(map(_asks_for_handled, codes)) and not any(map(_has_handler, codes))


def _asks_for_handled(code: CodeType) -> bool:
    names = code_names(code)
    given = ("exc_info",) in code.co_consts and any(one is True for one in code.co_consts)
    if not _HANDLED.isdisjoint(names) or given:
        return True
    return "exception" in names and not _LOGS.isdisjoint(names)


def _has_handler(code: CodeType) -> bool:
    inside = (one for one in code.co_consts if isinstance(one, CodeType))
    return has(code, _HANDLES) or any(map(_has_handler, inside))


_HANDLES = frozenset({"PUSH_EXC_INFO"})

# What asks for tasks, and what code has that runs a loop, and tasks, of its own.
_TASKS = frozenset({"all_tasks", "current_task"})
_RUNS = frozenset({"Runner", "run", "run_forever", "run_until_complete"})


def _looks_at_tasks(codes: list[CodeType]) -> bool:
    """Whether code asks for the tasks of a loop that runs already."""
    names = [code_names(code) for code in codes]
    asks = any(not _TASKS.isdisjoint(of) for of in names)
    return asks and all(_RUNS.isdisjoint(of) for of in names)
