"""A plain run under a profiler: a process of its own, which writes down who called whom, how long.

The profiler is the interpreter's own; a function of C counts as part of the one that calls it.
"""

from __future__ import annotations

import json
import os
import resource
import sys
import time
from _lsprof import Profiler
from collections.abc import Callable
from contextlib import suppress
from types import CodeType
from typing import Any

from cord.plan.modules import is_installed
from cord.tools.main_module import run_main

LEAST = 0.01  # of the run; what takes less is of no use to anybody
_GIVES_NO_VALUE = 0x20 | 0x80 | 0x100 | 0x200  # generators and coroutines, by the flags of code
_LIBRARY = os.path.dirname(os.__file__) + os.sep
PROJECT = "project"
INSTALLED = "installed"
PYTHON = "Python"

# What a function is, by which it can be remote or not.
FUNCTION = "function"
PRIVATE = "private"
METHOD = "method"
INNER = "inner"
GENERATOR = "generator"
MODULE = "module"


def main(arguments: list[str]) -> None:
    """Run the program as the request says, then write down what the profiler has counted."""
    with open(arguments[0], encoding="utf-8") as file:
        request = json.load(file)
    process, before = os.getpid(), _busy()
    profiler: Any = Profiler(subcalls=True, builtins=False)
    began = time.perf_counter()
    try:
        run_main(request, around=lambda run: _profiled(profiler, run))
    finally:
        if os.getpid() == process:
            seconds = time.perf_counter() - began
            waiting = max(0.0, seconds - (_busy() - before))
            profile = _account(profiler.getstats(), seconds, request["folders"])
            profile["waiting"] = waiting
            with open(request["profile"], "w", encoding="utf-8") as file:
                json.dump(profile, file)


def _busy() -> float:
    """For how long the main thread had a core, or waited for one, and children had one."""
    of_children = resource.getrusage(resource.RUSAGE_CHILDREN)
    children = of_children.ru_utime + of_children.ru_stime
    try:
        with open("/proc/thread-self/schedstat", encoding="ascii") as file:
            ran, waited, _ = map(int, file.read().split())
    except (OSError, ValueError):  # a kernel that does not tell
        return children + time.thread_time()
    return children + (ran + waited) / 1e9


def _profiled(profiler: Any, run: Callable[[], None]) -> None:
    profiler.enable()
    try:
        run()
    finally:
        profiler.disable()


def _account(entries: list[Any], seconds: float, folders: list[str]) -> dict[str, Any]:
    """What the profiler has counted of functions that took their share of the time."""
    counted = {entry.code: entry for entry in entries if isinstance(entry.code, CodeType)}
    hot = [code for code, entry in counted.items() if entry.totaltime >= LEAST * seconds]
    number = {code: index for index, code in enumerate(hot)}
    modules = _modules()
    functions = []
    calls = []
    for code in hot:
        entry = counted[code]
        functions.append(
            {
                "module": modules.get(os.path.abspath(code.co_filename), ""),
                "name": code.co_qualname,
                "file": code.co_filename,
                "line": code.co_firstlineno,
                "kind": _kind(code),
                "place": place_of(code.co_filename, folders),
                "calls": entry.callcount,
                "seconds": entry.totaltime,
                "own": entry.inlinetime,
            }
        )
        for sub in entry.calls or ():
            if sub.code in number and sub.code is not code:
                calls.append([number[code], number[sub.code], sub.callcount, sub.totaltime])
    loading = [e.totaltime for c, e in counted.items() if c.co_name == "_find_and_load"]
    return {
        "seconds": seconds,
        "imports": max(loading, default=0.0),
        "functions": functions,
        "calls": calls,
    }


def _modules() -> dict[str, str]:
    """The modules by their files."""
    found: dict[str, str] = {}
    for name, module in list(sys.modules.items()):
        with suppress(Exception):  # some that programs put there are no modules
            found.setdefault(os.path.abspath(module.__file__ or ""), name)
    main = sys.modules.get("__main__")
    with suppress(Exception):
        found[os.path.abspath(main.__file__)] = "__main__"  # type: ignore[union-attr,arg-type]
    return found


def _kind(code: CodeType) -> str:
    if code.co_name == "<module>":
        return MODULE
    if "<locals>" in code.co_qualname or code.co_name.startswith("<"):
        return INNER
    if "." in code.co_qualname:
        return METHOD
    if code.co_flags & _GIVES_NO_VALUE:
        return GENERATOR
    return PRIVATE if code.co_name.startswith("_") else FUNCTION


def place_of(file: str, folders: list[str]) -> str:
    """Whose code a file has: the project's, an installed package's, or Python's."""
    if file.startswith("<"):
        return PYTHON
    path = os.path.abspath(file)
    installed = is_installed(path)
    if not installed and any(path.startswith(folder + os.sep) for folder in folders):
        return PROJECT
    return PYTHON if path.startswith(_LIBRARY) and not installed else INSTALLED


if __name__ == "__main__":
    main(sys.argv[1:])
