"""What functions look at that is their callers': told by the names and operations of their code."""

from __future__ import annotations

from types import CodeType, FunctionType

from cord.runtime.objects.operations import has
from cord.runtime.objects.reach import code_names


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
    if any("cache_info" in code_names(code) for code in codes):
        return "looks at what a cache counts"
    if any(map(_looks_at_callers, codes)):
        return "looks at its callers"
    return None


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
